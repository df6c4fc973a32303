// Loops that write to one element of an array over and over, as threads do that have an element each.
#pragma once

#include <optional>
#include <string>

#include "assembly/code_place.h"

namespace oriel::assembly {

struct ElementWrite {
  std::string array;  // the field that holds it: "Shop.Tally.Counts"
  uint32_t il = 0;    // what writes, or takes the element's address
};
// The first one in a method: in a loop that changes neither the array nor the index, which is no constant.
std::optional<ElementWrite> element_written_in_loop(const Assembly& assembly, uint32_t method);

}  // namespace oriel::assembly
