// What statements that box values make besides.
#pragma once

#include <cstdint>
#include <vector>

#include "assembly/code_members.h"

namespace oriel::assembly {

// Code from where the stack is empty to where it is again, which is a statement or a part of one.
struct BoxingStatement {
  uint32_t begin = 0;        // offset in the method's IL
  uint32_t end = 0;          // behind it
  uint32_t box_bytes = 0;    // about
  uint32_t array_bytes = 0;  // of arrays that are made there, such as those of `params`; about
};

// Those of a method that box values, in order; none where the code cannot be read.
std::vector<BoxingStatement> boxing_statements(const Assembly& assembly, uint32_t method);

}  // namespace oriel::assembly
