#include "plugins/code/render.h"

#include "il/encode.h"
#include "il/verify.h"

namespace oriel::plugins {
namespace {

int64_t signed_operand(const Instruction& at, const OpcodeFacts& facts) {
  const uint64_t bits = at.operand_bits();
  switch (il::info(facts.opcode).operand) {
    case il::OperandKind::Int8:
      return static_cast<int8_t>(bits);
    case il::OperandKind::Int32:
      return static_cast<int32_t>(bits);
    default:
      return static_cast<int64_t>(bits);
  }
}

class Builder {
 public:
  explicit Builder(Graph& graph) : graph_(graph) {}

  Result<il::Body> build() {
    for (Instruction* at = graph_.now.first; at != nullptr; at = at->links.next)
      if (Status status = make(*at); !status) return status;
    for (const Instruction* at = graph_.now.first; at != nullptr; at = at->links.next)
      if (Status status = aim(*at); !status) return status;
    for (const ExceptionClause* clause : graph_.section.clauses)
      if (Status status = add(*clause); !status) return status;
    body_.fat_header = body_.init_locals = true;
    body_.max_stack = 0;
    return std::move(body_);
  }

 private:
  Status make(Instruction& at) {
    const OpcodeFacts facts = facts_of(at.opcode());
    if (facts.opcode == il::Opcode::End) return error(at, "is not an instruction");
    const il::OperandKind kind = il::info(facts.opcode).operand;
    const bool branches = il::is_branch(kind);
    // An instruction's kind must fit its opcode.
    const Instruction::Kind wanted = branches                          ? Instruction::Kind::kBranch
                                     : kind == il::OperandKind::Switch ? Instruction::Kind::kSwitch
                                     : il::operand_bytes(kind) == 0    ? Instruction::Kind::kPlain
                                                                       : Instruction::Kind::kOperand;
    if (at.kind() != wanted && !(wanted == Instruction::Kind::kPlain && at.kind() == Instruction::Kind::kOperand))
      return error(at, "has no operand");
    il::Instruction* made = branches                          ? body_.make_branch(facts.opcode, nullptr)
                            : kind == il::OperandKind::Switch ? body_.make_switch(cases(at))
                                                              : body_.make(facts.opcode, signed_operand(at, facts));
    if (branches && !is_short_branch(at.opcode())) body_.keep_long(made);
    body_.append(made);
    at.rendered = made;
    return Status::ok();
  }

  static std::vector<il::Instruction*> cases(const Instruction& at) {
    return std::vector<il::Instruction*>(at.targets().size());
  }

  Status aim(const Instruction& at) {
    for (size_t i = 0; i < at.targets().size(); ++i) {
      const Instruction* target = graph_.begin_of(at.targets()[i]);
      if (target == nullptr) return error(at, "leads to nothing in the method");
      if (at.kind() == Instruction::Kind::kSwitch)
        body_.retarget_case(at.rendered, i, target->rendered);
      else
        body_.retarget(at.rendered, target->rendered);
    }
    return Status::ok();
  }

  il::Instruction* place(const ExceptionClause& clause, ExceptionClause::Place which, bool behind) {
    const Instruction* at = behind ? graph_.end_of(clause.at[which]) : graph_.begin_of(clause.at[which]);
    if (at == nullptr) return nullptr;
    return behind ? at->rendered->next() : at->rendered;
  }

  Status add(const ExceptionClause& clause) {
    il::Clause made;
    made.kind = static_cast<il::ClauseKind>(clause.flags);
    made.try_begin = place(clause, ExceptionClause::kTryFirst, false);
    made.try_end = place(clause, ExceptionClause::kTryLast, true);
    made.handler_begin = place(clause, ExceptionClause::kHandlerFirst, false);
    made.handler_end = place(clause, ExceptionClause::kHandlerLast, true);
    if (made.kind == il::ClauseKind::kFilter) made.filter_begin = place(clause, ExceptionClause::kFilterFirst, false);
    if (made.kind == il::ClauseKind::kCatch) made.class_token = clause.type;
    const bool whole = made.try_begin && made.try_end && made.handler_begin && made.handler_end &&
                       (made.kind != il::ClauseKind::kFilter || made.filter_begin);
    if (!whole) return Status::error("an exception clause begins or ends at no instruction of the method");
    body_.clauses.push_back(made);
    return Status::ok();
  }

  Status error(const Instruction& at, const char* what) {
    graph_.number();
    char place[16];
    std::snprintf(place, sizeof place, "IL_%04x", at.offset);
    return Status::error(std::string(place) + ": " + std::string(facts_of(at.opcode()).name) + " " + what);
  }

  Graph& graph_;
  il::Body body_;
};

// An original instruction is mapped to the first of the new ones that were inserted before it.
std::vector<IlMapEntry> map_of(const Graph& graph) {
  std::vector<IlMapEntry> map;
  const Instruction* first_new = nullptr;
  for (const Instruction* at = graph.now.first; at != nullptr; at = at->links.next) {
    if (at->generation == Generation::kNew) {
      if (first_new == nullptr) first_new = at;
      continue;
    }
    const Instruction* begin = first_new != nullptr ? first_new : at;
    map.push_back({at->original_offset, begin->rendered->encoded_offset(), 1});
    first_new = nullptr;
  }
  return map;
}

}  // namespace

Result<Rendered> render(Graph& graph, Token locals, const il::MethodFacts& facts) {
  Result<il::Body> body = Builder(graph).build();
  if (!body) return body.status();
  body->locals_token = locals;
  if (Status status = il::verify(*body, facts); !status) return status;
  Result<il::Encoded> encoded = il::encode(*body, facts, {.fat_header = true, .least_stack = true});
  if (!encoded) return encoded.status();
  return Rendered{std::move(encoded->bytes), map_of(graph), encoded->max_stack};
}

Result<uint32_t> max_stack_of(Graph& graph, const il::MethodFacts& facts) {
  Result<il::Body> body = Builder(graph).build();
  if (!body) return body.status();
  if (Status status = il::verify(*body, facts); !status) return status;
  const il::StackDepths depths = il::compute_stack(*body, facts);
  if (!depths.problem) return depths.problem;
  return depths.max;
}

}  // namespace oriel::plugins
