#include "profile/work/boxing.h"

#include <map>
#include <tuple>

namespace oriel::profile {

std::vector<bool> boxing_positions(const Places& places) {
  std::vector<bool> boxes(places.positions.size());
  if (places.boxes.empty()) return boxes;
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, size_t> in_order;
  for (size_t i = 1; i < places.positions.size(); ++i) {
    const Position& position = places.positions[i];
    in_order[{position.image, position.row, position.il}] = i;
  }
  for (const Position& box : places.boxes) {
    auto at = in_order.upper_bound({box.image, box.row, box.il});
    if (at == in_order.begin()) continue;
    --at;
    const Position& nearest = places.positions[at->second];
    if (nearest.image == box.image && nearest.row == box.row) boxes[at->second] = true;
  }
  return boxes;
}

}  // namespace oriel::profile
