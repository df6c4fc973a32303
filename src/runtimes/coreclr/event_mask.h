// Which bits of the runtime's event mask are needed for which events. Pure functions.
//
// None of these bits may be set only while the runtime starts (kMonitorImmutable). One, kMonitorGc, can be turned on
// later only if it was on at start-up: see needs_startup_request. All other events may be turned on and off at any
// time. Collections are reported by kHighBasicGc, which, unlike kMonitorGc, leaves concurrent collections on.
#pragma once

#include <cstdint>

#include "engine/runtime.h"

namespace oriel::coreclr {

struct EventMask {
  uint32_t low = 0;
  uint32_t high = 0;

  bool operator==(const EventMask&) const = default;
  EventMask operator|(const EventMask& other) const { return {low | other.low, high | other.high}; }
};

// The bits for the current needs. For filters, these are the bits that report images.
EventMask event_mask(const RuntimeNeeds& needs);

// Whether the runtime reports the event only if this event, or another of this kind, was requested at start-up.
bool needs_startup_request(uint32_t event);

// The bits by which selected methods get their probes. A process without an image that filters select has no use for
// them, and they would make its start-up 5 % slower.
EventMask compilation_mask();

// The bits that are always on: which precompiled code is used cannot be asked for later.
EventMask standing_mask();

// Those of the bits that may be set when Oriel was attached to a running program.
EventMask after_attach(const EventMask& mask);

// The bits that report loads and unloads of code.
EventMask unload_mask();

// The bits that report exceptions that leave methods.
EventMask exception_mask();

// The bits that stay on once `used` was in force. Code that was compiled by ReJIT may have to be compiled again.
// Unloads must be reported while there are records of things that can be unloaded; otherwise a new thing that reuses a
// runtime's id would be taken for the unloaded one. These bits cost nothing until an unload.
EventMask lasting_mask(const EventMask& used);

}  // namespace oriel::coreclr
