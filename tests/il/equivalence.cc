#include "equivalence.h"

namespace oriel::il::test {
namespace {

bool same_place(const Instruction* a, const Instruction* b) {
  if (!a || !b) return a == b;
  return a->index() == b->index() && a->is_end() == b->is_end();
}

bool same_instruction(const Instruction& a, const Instruction& b) {
  if (a.opcode() != b.opcode() || a.operand() != b.operand() || !same_place(a.target(), b.target())) return false;
  if (a.cases().size() != b.cases().size()) return false;
  for (size_t i = 0; i < a.cases().size(); ++i)
    if (!same_place(a.cases()[i], b.cases()[i])) return false;
  return true;
}

bool same_clause(const Clause& a, const Clause& b) {
  return a.kind == b.kind && a.class_token == b.class_token && same_place(a.try_begin, b.try_begin) &&
         same_place(a.try_end, b.try_end) && same_place(a.filter_begin, b.filter_begin) &&
         same_place(a.handler_begin, b.handler_begin) && same_place(a.handler_end, b.handler_end);
}

}  // namespace

std::string difference(Body& a, Body& b) {
  if (a.init_locals != b.init_locals || a.locals_token != b.locals_token || a.other_flags != b.other_flags)
    return "headers differ";
  const auto& left = a.number();
  const auto& right = b.number();
  if (left.size() != right.size()) return "numbers of instructions differ";
  for (size_t i = 0; i < left.size(); ++i)
    if (!same_instruction(*left[i], *right[i]))
      return "instruction " + std::to_string(i) + " differs: " + std::string(left[i]->info().name) + ", " +
             std::string(right[i]->info().name);
  if (a.clauses.size() != b.clauses.size()) return "numbers of clauses differ";
  for (size_t i = 0; i < a.clauses.size(); ++i)
    if (!same_clause(a.clauses[i], b.clauses[i])) return "clause " + std::to_string(i) + " differs";
  if (a.extra_sections.size() != b.extra_sections.size()) return "numbers of extra sections differ";
  for (size_t i = 0; i < a.extra_sections.size(); ++i)
    if (a.extra_sections[i].kind != b.extra_sections[i].kind || a.extra_sections[i].data != b.extra_sections[i].data)
      return "extra section " + std::to_string(i) + " differs";
  return {};
}

}  // namespace oriel::il::test
