// Which bits of the runtime's event mask make it raise what is needed. Pure functions.
//
// None of these bits is of the kind that can be set only while the runtime starts (kMonitorImmutable). One, kMonitorGc,
// can be turned on later only if it was on then: see is_asked_for_at_the_start. All other events may be turned on and
// off at any time. Collections come by kHighBasicGc, which, unlike kMonitorGc, leaves concurrent collections on.
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

// The bits for what is needed now; of filters, those by which images are heard of.
EventMask event_mask(const RuntimeNeeds& needs);

// Whether the runtime tells of an event only if it was asked to as it started, for this event or another such.
bool is_asked_for_at_the_start(uint32_t event);

// The bits by which methods that filters choose get their probes. A process without an image that filters mean has no
// use for them, and they cost it one part in twenty of its start.
EventMask compilation_mask();

// What is heard whoever listens: which precompiled code is used, as that cannot be asked for later.
EventMask standing_mask();

// The bits by which loads and unloads of code are heard of.
EventMask unload_mask();

// The bits by which exceptions that leave methods are heard of.
EventMask exception_mask();

// The bits that stay once `used` was in force: code that was compiled anew may have to be again; and unloads must be
// heard as long as there are records of things that can be unloaded, or the runtime's id of something new would be
// taken for something gone. Nothing costs until an unload comes.
EventMask lasting_mask(const EventMask& used);

}  // namespace oriel::coreclr
