#include "plugins/code/code.h"

#include <utility>

namespace oriel::plugins {
namespace {

// The number of references from instructions of one code to the other code.
uint32_t counted_between(const std::vector<Instruction*>& from, const Code* to) {
  uint32_t counted = 0;
  for (const Instruction* instruction : from)
    for (const Instruction* target : instruction->targets())
      if (target != nullptr && target->code() == to) ++counted;
  return counted;
}

template <typename T>
void move_parts(std::vector<std::unique_ptr<T>>& from, std::vector<std::unique_ptr<T>>& to, Code& code) {
  for (auto& part : from) {
    part->move_to(code);
    to.push_back(std::move(part));
  }
  from.clear();
}

}  // namespace

uint32_t hold(Code& code) { return code.hold(); }
uint32_t let_go(Code& code) { return code.let_go(); }

ComPtr<Graph> Code::make_graph(IMethodInfo* method) {
  auto* code = new Code;
  code->graphs_.push_back(std::make_unique<Graph>(*code, method));
  return ComPtr<Graph>(code->graphs_.back().get());
}

// Releases references to other codes first, because the last reference to one may be an instruction of this code.
Code::~Code() {
  for (Instruction* instruction : instructions_) instruction->leave();
  for (Instruction* instruction : instructions_) delete instruction;
}

uint32_t Code::let_go(uint32_t count) {
  const uint32_t left = count_.fetch_sub(count, std::memory_order_acq_rel) - count;
  if (left == 0) delete this;
  return left;
}

ExceptionClause* Code::make_clause() {
  clauses_.push_back(std::make_unique<ExceptionClause>(*this));
  return clauses_.back().get();
}

ExceptionClause* Code::find(const IExceptionClause* clause) const {
  for (const auto& ours : clauses_)
    if (ours.get() == clause) return ours.get();
  return nullptr;
}

// Holders of parts of the other hold this one now. References between the two are counted no longer.
void Code::absorb(Code& other) {
  const uint32_t between = counted_between(instructions_, &other) + counted_between(other.instructions_, this);
  count_.fetch_add(other.count_.exchange(0) - between);
  for (Instruction* instruction : other.instructions_) {
    instruction->move_to(*this);
    instructions_.push_back(instruction);
  }
  other.instructions_.clear();
  move_parts(other.clauses_, clauses_, *this);
  move_parts(other.graphs_, graphs_, *this);
  delete &other;
}

}  // namespace oriel::plugins
