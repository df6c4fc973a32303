#include "assembly/boxing.h"

#include "assembly/value_source.h"
#include "il/stack.h"

namespace oriel::assembly {
namespace {

using il::Instruction;
using il::Opcode;

// A header, plus a value or a reference.
constexpr uint32_t kBox = 24, kArray = 24, kElement = 8;
constexpr uint32_t kSomeElements = 8;  // if the number is unknown

std::optional<int64_t> number(const Instruction& one) {
  if (one.opcode() == Opcode::Ldc_I4 || one.opcode() == Opcode::Ldc_I4_S) return one.operand();
  const auto small = static_cast<int64_t>(one.opcode()) - static_cast<int64_t>(Opcode::Ldc_I4_0);
  return small >= 0 && small <= 8 ? std::optional(small) : std::nullopt;
}

uint32_t array_size(const Instruction& made, const il::MethodFacts& facts) {
  constexpr int64_t kMost = 10'000;
  const Instruction* const count = pushed_by(&made, 0, facts);
  const std::optional<int64_t> known = count ? number(*count) : std::nullopt;
  const bool is_usable = known && *known >= 0 && *known <= kMost;
  return kArray + kElement * (is_usable ? static_cast<uint32_t>(*known) : kSomeElements);
}

}  // namespace

std::vector<BoxingStatement> boxing_statements(const Assembly& assembly, uint32_t method) {
  std::optional<il::Body> body = decoded_body(assembly, method);
  if (!body) return {};
  const il::MethodFacts facts = assembly.facts(method, body->locals_token);
  const il::StackDepths depths = il::compute_stack(*body, facts);
  if (!depths.exact || !depths.problem) return {};
  std::vector<BoxingStatement> statements;
  BoxingStatement current;
  const auto end_at = [&](uint32_t offset) {
    current.end = offset;
    if (current.box_bytes > 0) statements.push_back(current);
    current = {offset};
  };
  uint32_t behind = 0;
  for (const Instruction* one = body->first(); !one->is_end(); one = one->next()) {
    if (depths.before[one->index()] == 0) end_at(one->original_offset());
    if (one->opcode() == Opcode::Box) current.box_bytes += kBox;
    if (one->opcode() == Opcode::Newarr) current.array_bytes += array_size(*one, facts);
    behind = one->original_offset() + 1;
  }
  end_at(behind);
  return statements;
}

}  // namespace oriel::assembly
