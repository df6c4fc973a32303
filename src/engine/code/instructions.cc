// Modules' access to instructions, and their edits (oriel/code.h).
#include <algorithm>
#include <string>

#include "engine/code/make_instruction.h"
#include "engine/code/method_body.h"
#include "engine/or_else.h"

namespace oriel {
namespace {

// In the order of oriel_view's values.
constexpr il::View kViews[] = {il::View::kCurrent, il::View::kBaseline, il::View::kOriginal};
il::View view_of(oriel_view view) { return view <= ORIEL_VIEW_ORIGINAL ? kViews[view] : il::View::kCurrent; }

oriel_instruction* unless_end(il::Instruction* at) { return at && !at->is_end() ? to_api(at) : nullptr; }

template <typename Edit>
void edit(oriel_method_body* body, Edit what) {
  edit_graph(body, [&](Graph& graph) { what(graph.body); });
}

il::Branches branches_of(oriel_branches branches) {
  return branches == ORIEL_BRANCHES_MOVE ? il::Branches::kMove : il::Branches::kStay;
}
il::Regions regions_of(oriel_regions regions) {
  switch (regions) {
    case ORIEL_REGIONS_OF_NEXT:
      return il::Regions::kOfNext;
    case ORIEL_REGIONS_OF_BOTH:
      return il::Regions::kOfBoth;
    default:
      return il::Regions::kOfPrevious;
  }
}

}  // namespace
}  // namespace oriel

using oriel::of_api;
using oriel::to_api;

const char* oriel_opcode_name(oriel_opcode opcode) {
  const oriel::il::Opcode known = oriel::opcode_of(opcode);
  return known == oriel::il::Opcode::End ? "" : oriel::il::info(known).name.data();
}

oriel_instruction* oriel_instruction_next(const oriel_instruction* instruction, oriel_view view) {
  return instruction ? oriel::unless_end(of_api(instruction)->next(oriel::view_of(view))) : nullptr;
}

oriel_instruction* oriel_instruction_previous(const oriel_instruction* instruction, oriel_view view) {
  return instruction ? oriel::unless_end(of_api(instruction)->previous(oriel::view_of(view))) : nullptr;
}

bool oriel_instruction_is_in(const oriel_instruction* instruction, oriel_view view) {
  return instruction && of_api(instruction)->is_in(oriel::view_of(view));
}

oriel_opcode oriel_instruction_opcode(const oriel_instruction* instruction) {
  if (!instruction || of_api(instruction)->is_end()) return ORIEL_IL_End;
  return static_cast<oriel_opcode>(of_api(instruction)->info().encoding);
}

uint32_t oriel_instruction_offset(const oriel_instruction* instruction) {
  return instruction ? of_api(instruction)->original_offset() : ORIEL_NO_IL_OFFSET;
}

int64_t oriel_instruction_operand(const oriel_instruction* instruction) {
  return instruction ? of_api(instruction)->operand() : 0;
}

oriel_instruction* oriel_instruction_target(const oriel_instruction* instruction, oriel_view view) {
  return instruction ? to_api(of_api(instruction)->target(oriel::view_of(view))) : nullptr;
}

size_t oriel_instruction_cases(const oriel_instruction* instruction, oriel_view view, oriel_instruction** cases,
                               size_t max) {
  if (!instruction) return 0;
  const auto& all = of_api(instruction)->cases(oriel::view_of(view));
  if (cases)
    std::transform(all.begin(), all.begin() + static_cast<ptrdiff_t>(std::min(max, all.size())), cases, to_api);
  return all.size();
}

oriel_instruction* oriel_code_first(oriel_method_body* body, oriel_view view) {
  return oriel::or_else<oriel_instruction*>(nullptr, [&] {
    oriel::Graph* const graph = oriel::graph_of(body);
    return graph ? oriel::unless_end(graph->body.first(oriel::view_of(view))) : nullptr;
  });
}

oriel_instruction* oriel_code_last(oriel_method_body* body, oriel_view view) {
  return oriel::or_else<oriel_instruction*>(nullptr, [&] {
    oriel::Graph* const graph = oriel::graph_of(body);
    return graph ? oriel::unless_end(graph->body.last(oriel::view_of(view))) : nullptr;
  });
}

oriel_instruction* oriel_code_end(oriel_method_body* body) {
  return oriel::or_else<oriel_instruction*>(nullptr, [&] {
    oriel::Graph* const graph = oriel::graph_of(body);
    return graph ? to_api(graph->body.end()) : nullptr;
  });
}

oriel_instruction* oriel_code_at(oriel_method_body* body, uint32_t offset) {
  return oriel::or_else<oriel_instruction*>(nullptr, [&] {
    oriel::Graph* const graph = oriel::graph_of(body);
    return graph ? to_api(graph->body.at_original_offset(offset)) : nullptr;
  });
}

void oriel_code_insert_before(oriel_method_body* body, oriel_instruction* at, oriel_instruction* made,
                              oriel_branches branches, oriel_regions regions) {
  oriel::edit(body, [&](oriel::il::Body& code) {
    code.insert_before(of_api(at), of_api(made), oriel::branches_of(branches), oriel::regions_of(regions));
  });
}

void oriel_code_insert_after(oriel_method_body* body, oriel_instruction* at, oriel_instruction* made) {
  oriel::edit(body, [&](oriel::il::Body& code) { code.insert_after(of_api(at), of_api(made)); });
}

void oriel_code_remove(oriel_method_body* body, oriel_instruction* at) {
  oriel::edit(body, [&](oriel::il::Body& code) { code.remove(of_api(at)); });
}

void oriel_code_replace(oriel_method_body* body, oriel_instruction* at, oriel_instruction* made) {
  oriel::edit(body, [&](oriel::il::Body& code) { code.replace(of_api(at), of_api(made)); });
}

void oriel_code_add_prefix(oriel_method_body* body, oriel_instruction* to, oriel_instruction* prefix) {
  oriel::edit(body, [&](oriel::il::Body& code) { code.add_prefix(of_api(to), of_api(prefix)); });
}

void oriel_code_remove_prefix(oriel_method_body* body, oriel_instruction* prefix) {
  oriel::edit(body, [&](oriel::il::Body& code) { code.remove_prefix(of_api(prefix)); });
}

void oriel_code_set_operand(oriel_method_body* body, oriel_instruction* at, int64_t operand) {
  oriel::edit_graph(body, [&](oriel::Graph& graph) {
    oriel::il::Instruction* const instruction = of_api(at);
    if (instruction && !oriel::fits(*instruction, operand))
      return oriel::refuse(graph, "set_operand: " + oriel::does_not_fit(instruction->opcode(), operand));
    if (instruction) graph.old_operands.emplace_back(instruction, instruction->operand());
    graph.body.set_operand(instruction, operand);
  });
}

void oriel_code_retarget(oriel_method_body* body, oriel_instruction* branch, oriel_instruction* target) {
  oriel::edit(body, [&](oriel::il::Body& code) { code.retarget(of_api(branch), of_api(target)); });
}

void oriel_code_retarget_case(oriel_method_body* body, oriel_instruction* at, size_t which, oriel_instruction* target) {
  oriel::edit(body, [&](oriel::il::Body& code) { code.retarget_case(of_api(at), which, of_api(target)); });
}

void oriel_code_remove_case(oriel_method_body* body, oriel_instruction* at, size_t which) {
  oriel::edit(body, [&](oriel::il::Body& code) { code.remove_case(of_api(at), which); });
}

void oriel_code_move_branches(oriel_method_body* body, oriel_instruction* from, oriel_instruction* to) {
  oriel::edit(body, [&](oriel::il::Body& code) { code.move_branches(of_api(from), of_api(to)); });
}
