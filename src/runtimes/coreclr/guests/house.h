// What all guests of the process share. One a process, never destroyed.
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <span>

#include "runtimes/coreclr/guests/default_bodies.h"
#include "runtimes/coreclr/guests/event_sessions.h"
#include "runtimes/coreclr/guests/guest.h"
#include "runtimes/coreclr/guests/mask_union.h"
#include "runtimes/coreclr/guests/rejit_layers.h"

namespace oriel::coreclr {

struct House {
  // `info`: the newest ICorProfilerInfo that the runtime has.
  explicit House(ComPtr<ProfilerInfo> info)
      : runtime(std::move(info)),
        masks(*runtime.get()),
        bodies(*runtime.get()),
        rejits(*runtime.get()),
        events(*runtime.get()) {}

  // In their order, Oriel last. Any thread.
  std::span<Guest* const> guests() const { return {all.data(), count.load(std::memory_order_acquire)}; }
  void add(Guest& guest) {
    const size_t at = count.load(std::memory_order_relaxed);
    all[at] = &guest;
    masks.add(guest);
    count.store(at + 1, std::memory_order_release);
  }

  const ComPtr<ProfilerInfo> runtime;
  MaskUnion masks;
  DefaultBodies bodies;
  RejitLayers rejits;
  EventSessions events;
  // A guest made a method's default body anew: Oriel puts its own on top again. Empty: Oriel is not there.
  std::function<void(const MethodKey&)> default_changed;
  std::atomic<Guest*> has_hooks{nullptr};  // whose functions the runtime calls where methods begin and end

  std::array<Guest*, kMostGuests> all{};
  std::atomic<size_t> count{0};
};

}  // namespace oriel::coreclr
