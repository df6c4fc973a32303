// Which objects of one snapshot are in another one. An object has no name that lasts: it is recognized by its address
// and its type. A collection that compacts the heap moves objects, which are then not recognized, so counts are least
// ones.
#pragma once

#include <cstdint>
#include <vector>

namespace oriel::heap {

struct PlacedObject {
  uint64_t address = 0;
  uint32_t type = 0;  // a number of the caller's
  uint32_t words = 0;
};

struct ObjectSum {
  uint64_t objects = 0;
  uint64_t bytes = 0;
};

// By type, of so many: the objects of `earlier` that are in `later` too. Both are by rising address.
std::vector<ObjectSum> same_objects(const std::vector<PlacedObject>& earlier, const std::vector<PlacedObject>& later,
                                    size_t types);
// The objects of `later` that are not in `earlier`, by rising address.
std::vector<PlacedObject> new_objects(const std::vector<PlacedObject>& earlier, const std::vector<PlacedObject>& later);

}  // namespace oriel::heap
