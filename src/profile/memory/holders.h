// What retains a growing number of objects, as far as allocations tell: collections that own code adds to, events with
// many handlers, and registrations with long-lived objects. Found through their storage among the sampled objects that
// are live at the end of the log.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "profile/profile.h"

namespace oriel::profile {

struct ObjectHolder {
  enum class Kind {
    kCollection,
    kEvent,    // or another multicast delegate
    kToken,    // CancellationToken registrations
    kTimer,    // until disposed
    kDelay,    // Task.Delay, until it completes
    kWeakMap,  // values of a ConditionalWeakTable, live while their keys are
    kContext,  // AsyncLocal values in a captured ExecutionContext
  };
  Kind kind = Kind::kCollection;
  // A collection's type or an event's name: System.Collections.Generic.Dictionary<string, Shop.Cart>;
  // Shop.Market.PriceChanged. "" if not known, and for the other kinds.
  std::string name;
  uint32_t own = 0;    // the own place that adds: index into nodes
  uint64_t bytes = 0;  // of its storage, estimated from the sampled objects
  uint64_t samples = 0;
  uint64_t largest = 0;  // bytes of the largest sampled object
};

// Whether a call to `member` of `type`, as named in IL, adds to the keeper.
bool adds_to(const ObjectHolder& keeper, std::string_view type, std::string_view member);

// By bytes, descending.
std::vector<ObjectHolder> object_holders(const Profile& profile);
// The significant ones: with storage for thousands of elements, or with several samples and a notable share of the live
// bytes. A single sampled object may be live by chance.
std::vector<ObjectHolder> significant_holders(const Profile& profile);

}  // namespace oriel::profile
