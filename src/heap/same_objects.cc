#include "heap/same_objects.h"

namespace oriel::heap {
namespace {

// Calls visit(object, is_in_earlier) for each object of `later`.
template <typename Visit>
void compare(const std::vector<PlacedObject>& earlier, const std::vector<PlacedObject>& later, Visit visit) {
  auto at = earlier.begin();
  for (const PlacedObject& object : later) {
    while (at != earlier.end() && at->address < object.address) ++at;
    const bool is_same =
        at != earlier.end() && at->address == object.address && at->type == object.type && at->words == object.words;
    visit(object, is_same);
  }
}

}  // namespace

std::vector<ObjectSum> same_objects(const std::vector<PlacedObject>& earlier, const std::vector<PlacedObject>& later,
                                    size_t types) {
  std::vector<ObjectSum> sums(types);
  compare(earlier, later, [&](const PlacedObject& object, bool is_same) {
    if (!is_same || object.type >= types) return;
    ++sums[object.type].objects;
    sums[object.type].bytes += uint64_t{object.words} * 8;
  });
  return sums;
}

std::vector<PlacedObject> new_objects(const std::vector<PlacedObject>& earlier,
                                      const std::vector<PlacedObject>& later) {
  std::vector<PlacedObject> made;
  compare(earlier, later, [&](const PlacedObject& object, bool is_same) {
    if (!is_same) made.push_back(object);
  });
  return made;
}

}  // namespace oriel::heap
