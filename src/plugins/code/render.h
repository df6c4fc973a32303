// Encodes the instructions that plug-ins left into the bytes that the runtime compiles.
#pragma once

#include <cstdint>
#include <vector>

#include "base/status.h"
#include "il/stack.h"
#include "plugins/code/graph.h"

namespace oriel::plugins {

struct Rendered {
  std::vector<uint8_t> bytes;
  // For each original instruction, the offset of the first of the new ones before it, or its own.
  std::vector<IlMapEntry> map;
  uint16_t max_stack = 0;
};

// Verified before the runtime sees it; the message contains the place. Numbers the graph.
Result<Rendered> render(Graph& graph, Token locals, const il::MethodFacts& facts);

// The maximum stack depth of the current code.
Result<uint32_t> max_stack_of(Graph& graph, const il::MethodFacts& facts);

}  // namespace oriel::plugins
