#include "sampling/walk/call_site.h"

#include "sampling/walk/instruction.h"
#include "sampling/walk/stack_memory.h"

namespace oriel::sampling {
namespace {

// CoreCLR's funclets (exception handlers, compiled as functions that run with their method's frame pointer) follow
// their method's code without a gap. Before a method lies a pointer to the runtime's data about it, aligned to 8; other
// code never looks like that, as the upper bytes of an address are zero.
bool begins_method(uintptr_t address) {
  uint64_t before = 0;
  if (address % sizeof(before) != 0) return false;
  if (StackMemory::copy(address - sizeof(before), &before, sizeof(before)) != sizeof(before)) return true;
  return before >= 1u << 16 && before < uint64_t{1} << 48 && before % sizeof(before) == 0;
}

}  // namespace

CallSite read_call_site(uintptr_t address) {
  uint32_t code = 0;
  const uintptr_t at = address - sizeof(code);
  if (StackMemory::copy(at, &code, sizeof(code)) != sizeof(code)) return {};
  const Instruction instruction = classify_instruction(code);
  if (instruction.action == Action::kComputedCall) return {true, false};
  if (instruction.action != Action::kCall) return {};
  const uintptr_t target = at + static_cast<uintptr_t>(intptr_t{instruction.value});
  return {true, target > address && !begins_method(target)};
}

}  // namespace oriel::sampling
