// Do two bodies say the same?
#pragma once

#include <string>

#include "il/body.h"

namespace oriel::il::test {

// Empty if they do, else the first difference. Compares header fields but for max_stack, every instruction with its
// operand and targets, every clause. Numbers both.
std::string difference(Body& a, Body& b);

}  // namespace oriel::il::test
