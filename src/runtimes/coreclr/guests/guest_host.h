// What all guests of the process share. There is one; it is destroyed only when the runtime has let go of Oriel.
#pragma once

#include <algorithm>
#include <atomic>
#include <functional>
#include <mutex>
#include <span>
#include <vector>

#include "runtimes/coreclr/guests/bodies/changed_methods.h"
#include "runtimes/coreclr/guests/bodies/default_bodies.h"
#include "runtimes/coreclr/guests/bodies/first_compilations.h"
#include "runtimes/coreclr/guests/bodies/il_maps.h"
#include "runtimes/coreclr/guests/bodies/method_turns.h"
#include "runtimes/coreclr/guests/bodies/rejit_layers.h"
#include "runtimes/coreclr/guests/bodies/shown_versions.h"
#include "runtimes/coreclr/guests/elt/elt_hooks.h"
#include "runtimes/coreclr/guests/event_sessions.h"
#include "runtimes/coreclr/guests/guest.h"
#include "runtimes/coreclr/guests/mask_union.h"
#include "runtimes/coreclr/object_pins.h"

namespace oriel::coreclr {

struct GuestHost {
  // `info` is the newest ICorProfilerInfo of the runtime.
  explicit GuestHost(ComPtr<ProfilerInfo> info)
      : runtime(info.detach()),
        runtime_version(major_version(*runtime)),
        has_pins(has_object_pins(*runtime)),
        masks(*runtime),
        bodies(*runtime),
        rejits(*runtime),
        hooks(*runtime),
        events(*runtime) {}

  ~GuestHost() { delete order.load(); }
  GuestHost(const GuestHost&) = delete;
  GuestHost& operator=(const GuestHost&) = delete;

  // In their order, Oriel last. Any thread; the returned list never changes.
  std::span<Guest* const> guests() const {
    const auto* all = order.load(std::memory_order_acquire);
    return all ? std::span<Guest* const>(*all) : std::span<Guest* const>();
  }
  // Inserts the guest before Oriel, if Oriel is there.
  void add(Guest& guest) {
    masks.add(guest);
    guest.set_out_handler([this, &guest] {
      hooks.leave_out(guest);
      masks.remove(guest);
      if (left) left(guest);
    });
    const std::lock_guard guard(adding);
    auto* all = new std::vector<Guest*>(guests().begin(), guests().end());
    all->insert(std::ranges::find_if(*all, &Guest::is_oriel), &guest);
    order.store(all, std::memory_order_release);  // the old one stays, because others may be reading it
  }

  // The runtime's own: it is gone when the runtime has let go of Oriel, whatever references there are to it, and must
  // not be released then.
  ProfilerInfo* const runtime;
  const uint16_t runtime_version;
  const bool has_pins;
  MaskUnion masks;
  MethodTurns turns;
  FirstCompilations firsts;
  DefaultBodies bodies;
  IlMaps il_maps;
  ChangedMethods changed;
  RejitLayers rejits;
  ShownVersions shown_versions;
  EltHooks hooks;
  EventSessions events;
  // Called when a guest was left out or has detached. Set before there are guests; empty: nothing has to be done.
  std::function<void(const Guest&)> left;
  // Called when a guest has set a new default body, so that Oriel applies its changes again. Empty: Oriel is not there.
  std::function<void(const MethodKey&)> default_changed;
  std::atomic<ProfilerCallback*> only{nullptr};  // Oriel, while there was never another

  std::mutex adding;
  std::atomic<const std::vector<Guest*>*> order{nullptr};
};

}  // namespace oriel::coreclr
