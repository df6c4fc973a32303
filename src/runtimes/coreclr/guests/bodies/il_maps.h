// Where instructions of a body went that was changed several times.
#pragma once

#include <map>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "runtimes/coreclr/com/profiling.h"
#include "runtimes/coreclr/guests/guest.h"
#include "runtimes/coreclr/method_key.h"

namespace oriel::coreclr {

// Of `first`, from a body to the next, and `second`, from that one to the one after: from the first to the last. What
// `second` does not know moved with the nearest before it, inaccurately; what comes before all of it is left out. An
// empty one changes nothing.
std::vector<IlMapEntry> compose(std::span<const IlMapEntry> first, std::span<const IlMapEntry> second);

// The maps that guests, and Oriel, set of methods' default bodies. The runtime keeps one. Any thread.
class IlMaps {
 public:
  // The guest's map, instead of one that it set before.
  void set(const Guest& guest, const MethodKey& key, std::span<const IlMapEntry> map);
  // All maps of the method together, in the guests' order; and without Oriel's.
  std::vector<IlMapEntry> of_all(const MethodKey& key) { return composed(key, true); }
  std::vector<IlMapEntry> of_guests(const MethodKey& key) { return composed(key, false); }
  void module_unloading(ModuleID module);

 private:
  std::vector<IlMapEntry> composed(const MethodKey& key, bool with_own);

  // By the guests' numbers, which are their order; Oriel's own comes last.
  struct OfMethod {
    std::map<uint32_t, std::vector<IlMapEntry>> guests;
    std::vector<IlMapEntry> own;
  };
  std::mutex lock_;  // the next; nobody is called under it
  std::unordered_map<MethodKey, OfMethod, MethodKeyHash> maps_;
};

}  // namespace oriel::coreclr
