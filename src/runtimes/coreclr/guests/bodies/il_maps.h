// Offset maps of bodies that were changed several times.
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

// Composes `first`, from one body to the next, and `second`, from that to the third. An offset that `second` does not
// contain has moved with the nearest one before it, and is marked inaccurate; offsets before all of `second` are left
// out. An empty map changes nothing.
std::vector<IlMapEntry> compose(std::span<const IlMapEntry> first, std::span<const IlMapEntry> second);

// The maps that guests and Oriel set for methods' default bodies; the runtime keeps only one for each. Any thread.
class IlMaps {
 public:
  // Replaces the guest's map.
  void set(const Guest& guest, const MethodKey& key, std::span<const IlMapEntry> map);
  // All maps of the method composed in the guests' order, with and without Oriel's.
  std::vector<IlMapEntry> of_all(const MethodKey& key) { return composed(key, true); }
  std::vector<IlMapEntry> of_guests(const MethodKey& key) { return composed(key, false); }
  void module_unloading(ModuleID module);

 private:
  std::vector<IlMapEntry> composed(const MethodKey& key, bool with_own);

  // By the guests' numbers, which give the order. Oriel's own comes last.
  struct OfMethod {
    std::map<uint32_t, std::vector<IlMapEntry>> guests;
    std::vector<IlMapEntry> own;
  };
  std::mutex lock_;  // guards the next; nothing is called under it
  std::unordered_map<MethodKey, OfMethod, MethodKeyHash> maps_;
};

}  // namespace oriel::coreclr
