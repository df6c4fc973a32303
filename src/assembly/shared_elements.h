// Loops that write repeatedly to one array element, a sign of threads with one element each (false sharing).
#pragma once

#include <optional>
#include <string>

#include "assembly/code_place.h"

namespace oriel::assembly {

struct ElementWrite {
  std::string array;  // the field that holds it: "Shop.Tally.Counts"
  uint32_t il = 0;    // the instruction that writes, or takes the element's address
};
// The first one in a method: in a loop that changes neither the array nor the index, which is not a constant.
std::optional<ElementWrite> element_written_in_loop(const Assembly& assembly, uint32_t method);

}  // namespace oriel::assembly
