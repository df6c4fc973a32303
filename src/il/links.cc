#include "il/regions.h"

#include <string>

#include "il/body.h"

namespace oriel::il {
namespace {

bool is_instruction(const Body& body, const Instruction* at) { return at && !at->is_end() && body.is_numbered(at); }

bool is_region(const Body& body, const Instruction* begin, const Instruction* end) {
  return is_instruction(body, begin) && body.is_numbered(end) && begin->index() <= end->index();
}

Status check_targets(const Body& body, const Instruction& at) {
  const OperandKind kind = at.info().operand;
  bool good = !is_branch(kind) || is_instruction(body, at.target());
  for (const Instruction* target : at.cases()) good = good && is_instruction(body, target);
  return good ? Status::ok() : error_at(at, std::string(at.info().name) + " goes to no instruction of the body");
}

bool is_kind(ClauseKind kind) {
  return kind == ClauseKind::kCatch || kind == ClauseKind::kFilter || kind == ClauseKind::kFinally ||
         kind == ClauseKind::kFault;
}

Status check_clause(const Body& body, const Clause& clause) {
  if (!is_kind(clause.kind)) return Status::error("an exception clause of unknown kind");
  if (!is_region(body, clause.try_begin, clause.try_end))
    return Status::error("an exception clause without its try block");
  if (!is_region(body, clause.handler_begin, clause.handler_end))
    return error_at(*clause.try_begin, "the exception clause of this try block has no handler");
  const bool is_filter = clause.kind == ClauseKind::kFilter;
  if (!is_filter && clause.filter_begin) return error_at(*clause.handler_begin, "a filter of a clause of another kind");
  if (is_filter && !is_region(body, clause.filter_begin, clause.handler_begin))
    return error_at(*clause.handler_begin, "the filter of this handler does not stand before it");
  return Status::ok();
}

}  // namespace

Status check_links(Body& body) {
  if (!body.edit_error()) return body.edit_error();
  const auto& order = body.number();
  if (order.empty()) return Status::error("the method has no instruction");
  if (order.back()->info().flow == Flow::Prefix) return error_at(*order.back(), "a prefix without its instruction");
  for (const Instruction* at : order)
    if (Status status = check_targets(body, *at); !status) return status;
  for (const Clause& clause : body.clauses)
    if (Status status = check_clause(body, clause); !status) return status;
  return Status::ok();
}

}  // namespace oriel::il
