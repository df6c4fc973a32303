// From the instructions that plug-ins left to the bytes that the runtime compiles.
#pragma once

#include <cstdint>
#include <vector>

#include "base/status.h"
#include "il/stack.h"
#include "plugins/code/graph.h"

namespace oriel::plugins {

struct Rendered {
  std::vector<uint8_t> bytes;
  // Of every instruction that was there before: where the first that was put before it now is.
  std::vector<IlMapEntry> map;
  uint16_t max_stack = 0;
};

// Checked by our own rules before a runtime sees it; the message tells the place. Numbers the graph.
Result<Rendered> render(Graph& graph, Token locals, const il::MethodFacts& facts);

// The most that the code needs on the stack, as the graph stands.
Result<uint32_t> max_stack_of(Graph& graph, const il::MethodFacts& facts);

}  // namespace oriel::plugins
