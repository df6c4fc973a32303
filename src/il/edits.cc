// Body's edits.
#include <algorithm>
#include <utility>

#include "il/body.h"

namespace oriel::il {

bool Body::refuse(const char* what) {
  if (edit_error_) edit_error_ = Status::error(what);
  return false;
}

bool Body::check_in(const Instruction* at, const char* what) { return contains(at) || refuse(what); }

bool Body::check_new(const Instruction* made, const char* what) {
  return (made && !made->is_end() && !made->is_in(View::kCurrent)) || refuse(what);
}

void Body::link_before(Instruction* at, Instruction* made) {
  Instruction* previous = at->previous();
  made->now().previous = previous;
  made->now().next = at;
  previous->now().next = made;
  at->now().previous = made;
  if (incoming_built_) record_targets_of(made);
}

void Body::unlink(Instruction* at) {
  at->previous()->now().next = at->next();
  at->next()->now().previous = at->previous();
  at->now().previous = at->now().next = nullptr;
}

void Body::insert_before(Instruction* at, Instruction* made, Branches branches, Regions regions) {
  if (!check_in(at, "insert_before: the place is not in the body")) return;
  if (!check_new(made, "insert_before: the instruction is in the body already")) return;
  at = unit_begin(at);
  if (branches == Branches::kMove) move_branches(at, made);
  if (regions == Regions::kOfNext) move_boundaries(at, made);
  if (regions == Regions::kOfBoth) move_ends(at, made);
  link_before(at, made);
}

void Body::append(Instruction* made) {
  if (check_new(made, "append: the instruction is in the body already")) link_before(end_, made);
}

void Body::insert_after(Instruction* at, Instruction* made) {
  if (!check_in(at, "insert_after: the place is not in the body") || at->is_end()) {
    refuse("insert_after: nothing comes behind the end");
    return;
  }
  if (!check_new(made, "insert_after: the instruction is in the body already")) return;
  link_before(unit_end(at)->next(), made);
}

void Body::remove(Instruction* at) {
  if (!check_in(at, "remove: the instruction is not in the body")) return;
  if (at->is_end()) {
    refuse("remove: the end mark is not an instruction");
    return;
  }
  Instruction* begin = unit_begin(at);
  Instruction* behind = unit_end(at)->next();
  while (begin != behind) {
    Instruction* next = begin->next();
    move_branches(begin, behind);
    move_boundaries(begin, behind);
    unlink(begin);
    begin = next;
  }
}

void Body::add_prefix(Instruction* to, Instruction* prefix) {
  if (!prefix || prefix->info().flow != Flow::Prefix) {
    refuse("add_prefix: the instruction is no prefix");
    return;
  }
  insert_before(to, prefix, Branches::kMove, Regions::kOfNext);
}

void Body::remove_prefix(Instruction* prefix) {
  if (!check_in(prefix, "remove_prefix: the instruction is not in the body")) return;
  if (prefix->info().flow != Flow::Prefix) {
    refuse("remove_prefix: the instruction is no prefix");
    return;
  }
  move_branches(prefix, prefix->next());
  move_boundaries(prefix, prefix->next());
  unlink(prefix);
}

void Body::replace(Instruction* at, Instruction* made) {
  if (!check_in(at, "replace: the instruction is not in the body")) return;
  if (at->is_end()) {
    refuse("replace: the end mark is not an instruction");
    return;
  }
  if (!check_new(made, "replace: the new instruction is in the body already")) return;
  insert_before(at, made, Branches::kMove, Regions::kOfNext);
  // Links to later parts of the old unit move to the new instruction too.
  Instruction* const behind = unit_end(at)->next();
  for (Instruction* old = made->next(); old != behind;) {
    Instruction* next = old->next();
    move_branches(old, made);
    move_boundaries(old, made);
    unlink(old);
    old = next;
  }
}

void Body::retarget(Instruction* branch, Instruction* target) {
  if (!branch || !is_branch(branch->info().operand)) {
    refuse("retarget: the instruction is no branch");
    return;
  }
  branch->now().target = target;
  if (incoming_built_ && contains(branch)) record_targets_of(branch);
}

void Body::retarget_case(Instruction* switch_instruction, size_t which, Instruction* target) {
  if (!switch_instruction || which >= switch_instruction->cases().size()) {
    refuse("retarget_case: the switch has no such case");
    return;
  }
  (*cases_now(switch_instruction))[which] = target;
  if (incoming_built_ && contains(switch_instruction)) record_targets_of(switch_instruction);
}

void Body::remove_case(Instruction* switch_instruction, size_t which) {
  if (!switch_instruction || which >= switch_instruction->cases().size()) {
    refuse("remove_case: the switch has no such case");
    return;
  }
  std::vector<Instruction*>& cases = *cases_now(switch_instruction);
  cases.erase(cases.begin() + static_cast<std::ptrdiff_t>(which));
}

void Body::set_operand(Instruction* at, int64_t operand) {
  const OperandKind kind = at ? at->info().operand : OperandKind::None;
  if (operand_bytes(kind) == 0 || is_branch(kind) || kind == OperandKind::Switch) {
    refuse("set_operand: the instruction has no such operand");
    return;
  }
  at->operand_ = operand;
}

void Body::keep_long(Instruction* branch) {
  if (!branch || !is_branch(branch->info().operand)) {
    refuse("keep_long: the instruction is no branch");
    return;
  }
  branch->long_branch_ = true;
}

std::vector<Instruction*>* Body::cases_now(Instruction* at) {
  return at->cases_ ? &at->cases_->in_view[Instruction::index_of(View::kCurrent)] : nullptr;
}

void Body::record_targets_of(Instruction* source) {
  if (source->target()) incoming_[source->target()].push_back(source);
  for (const Instruction* target : source->cases()) incoming_[target].push_back(source);
}

void Body::build_incoming() {
  incoming_built_ = true;
  for (Instruction* at = first(); !at->is_end(); at = at->next()) record_targets_of(at);
}

void Body::move_branches(Instruction* from, Instruction* to) {
  if (!incoming_built_) build_incoming();
  const auto found = incoming_.find(from);
  if (found == incoming_.end() || from == to) return;
  const std::vector<Instruction*> sources = std::move(found->second);
  incoming_.erase(found);
  std::vector<Instruction*>& arriving = incoming_[to];
  for (Instruction* source : sources) {
    bool moved = false;
    if (source->target() == from) {
      source->now().target = to;
      moved = true;
    }
    if (std::vector<Instruction*>* cases = cases_now(source)) {
      for (Instruction*& target : *cases) {
        if (target != from) continue;
        target = to;
        moved = true;
      }
    }
    if (moved) arriving.push_back(source);
  }
}

bool Body::is_branched_to(const Instruction* instruction) {
  if (!incoming_built_) build_incoming();
  const auto found = incoming_.find(instruction);
  if (found == incoming_.end()) return false;
  return std::any_of(found->second.begin(), found->second.end(), [&](const Instruction* source) {
    const auto& cases = source->cases();
    const bool goes_there = source->target() == instruction || std::count(cases.begin(), cases.end(), instruction) > 0;
    return goes_there && contains(source);
  });
}

void Body::move_boundaries(const Instruction* from, Instruction* to) {
  for (Clause& clause : clauses) {
    for (Instruction** boundary :
         {&clause.try_begin, &clause.try_end, &clause.filter_begin, &clause.handler_begin, &clause.handler_end}) {
      if (*boundary == from) *boundary = to;
    }
  }
}

void Body::move_ends(const Instruction* from, Instruction* to) {
  for (Clause& clause : clauses) {
    if (clause.try_end == from) clause.try_end = to;
    if (clause.handler_end == from) clause.handler_end = to;
  }
}

void Body::add_clause(const Clause& clause) {
  number();
  const auto index = [this](const Instruction* at) { return is_numbered(at) ? at->index() : kNoOffset; };
  const uint32_t begin = index(clause.try_begin), end = index(clause.try_end);
  const auto encloses = [&](const Clause& other) {
    const bool same_try = other.try_begin == clause.try_begin && other.try_end == clause.try_end;
    const bool in_try = index(other.try_begin) <= begin && end <= index(other.try_end);
    const Instruction* handler = other.filter_begin ? other.filter_begin : other.handler_begin;
    const bool in_handler = index(handler) <= begin && end <= index(other.handler_end);
    return !same_try && (in_try || in_handler);
  };
  clauses.insert(std::find_if(clauses.begin(), clauses.end(), encloses), clause);
}

}  // namespace oriel::il
