// Allocations of statements that box values.
#pragma once

#include <cstdint>
#include <vector>

#include "assembly/code_members.h"

namespace oriel::assembly {

// Code between two places with an empty stack: a statement or a part of one.
struct BoxingStatement {
  uint32_t begin = 0;        // offset in the method's IL
  uint32_t end = 0;          // behind it
  uint32_t box_bytes = 0;    // approximate
  uint32_t array_bytes = 0;  // of arrays created there, such as those for `params`; approximate
};

// The statements of a method that box values, in order; empty if the code cannot be read.
std::vector<BoxingStatement> boxing_statements(const Assembly& assembly, uint32_t method);

}  // namespace oriel::assembly
