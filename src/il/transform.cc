#include "il/transform.h"

#include <string>
#include <vector>

#include "il/body.h"
#include "il/operands.h"
#include "il/regions.h"

namespace oriel::il {
namespace {

// A ret, and the branch from there to the exit.
struct Return {
  Instruction* at;
  Opcode jump;
};

// The tail. prefix of the call right before a ret, or null.
Instruction* tail_prefix_before(const Body& body, Instruction* ret) {
  Instruction* call = ret->previous();
  if (call->is_end() || call->info().flow != Flow::Call) return nullptr;
  for (Instruction* at = body.unit_begin(call); at != call; at = at->next())
    if (at->opcode() == Opcode::Tailcall) return at;
  return nullptr;
}

Result<std::vector<Return>> find_returns(Body& body, bool always_leave) {
  if (Status status = check_links(body); !status) return status;
  const Result<RegionTree> tree = find_regions(body);
  if (!tree) return tree.status();
  std::vector<Return> returns;
  for (Instruction* at : body.number()) {
    if (at->opcode() != Opcode::Ret) continue;
    const uint32_t innermost = tree->region_of(*at);
    for (uint32_t region = innermost; region != kNoRegion; region = tree->regions[region].parent) {
      const RegionKind kind = tree->regions[region].kind;
      if (kind != RegionKind::kTry && kind != RegionKind::kCatch)
        return error_at(*at, "ret within a finally, fault or filter");
    }
    returns.push_back({at, always_leave || innermost != kNoRegion ? Opcode::Leave : Opcode::Br});
  }
  return returns;
}

class ReturnJoiner {
 public:
  ReturnJoiner(Body& body, std::optional<uint16_t> local, TailCalls tail_calls)
      : body_(body), local_(local), tail_calls_(tail_calls) {}

  SingleReturn run(const std::vector<Return>& returns) {
    if (returns.empty()) return joined_;
    append_exit();
    for (const Return& each : returns) join(each);
    return joined_;
  }

 private:
  void append(Instruction* made) { body_.insert_before(body_.end(), made, Branches::kStay, Regions::kOfNext); }

  void append_exit() {
    joined_.ret = body_.make(Opcode::Ret);
    joined_.exit = local_ ? load_local(body_, *local_) : joined_.ret;
    append(joined_.exit);
    if (local_) append(joined_.ret);
  }

  // Inserts `stloc; jump` after `at` and returns the first of them.
  Instruction* insert_jump(Instruction* at, Opcode opcode) {
    Instruction* jump = body_.make_branch(opcode, joined_.exit);
    body_.insert_after(at, jump);
    if (!local_) return jump;
    Instruction* store = store_local(body_, *local_);
    body_.insert_after(at, store);
    return store;
  }

  void join(const Return& each) {
    Instruction* tail = tail_prefix_before(body_, each.at);
    if (tail && tail_calls_ == TailCalls::kKeep) {
      // The call keeps its ret; branches to that ret go to the exit instead.
      if (body_.is_branched_to(each.at)) body_.move_branches(each.at, insert_jump(each.at, each.jump));
      return;
    }
    if (tail) {
      body_.remove_prefix(tail);
      ++joined_.dropped_tail_calls;
    }
    Instruction* jump = body_.make_branch(each.jump, joined_.exit);
    if (!local_) {
      body_.replace(each.at, jump);
      return;
    }
    Instruction* store = store_local(body_, *local_);
    body_.replace(each.at, store);
    body_.insert_after(store, jump);
  }

  Body& body_;
  const std::optional<uint16_t> local_;
  const TailCalls tail_calls_;
  SingleReturn joined_;
};

Status check_wrap(const Body& body, ClauseKind kind) {
  if (kind == ClauseKind::kFilter)
    return Status::error("a whole method cannot be wrapped in a filter: use a catch clause");
  for (const Instruction* at = body.first(); !at->is_end(); at = at->next())
    if (at->opcode() == Opcode::Jmp) return error_at(*at, "jmp cannot stand in a try block: expand_jumps first");
  return Status::ok();
}

}  // namespace

Result<SingleReturn> make_single_return(Body& body, std::optional<uint16_t> return_local, TailCalls tail_calls) {
  const Result<std::vector<Return>> returns = find_returns(body, false);
  if (!returns) return returns.status();
  return ReturnJoiner(body, return_local, tail_calls).run(*returns);
}

Result<Wrapped> wrap_in_try(Body& body, ClauseKind kind, uint32_t class_token, std::optional<uint16_t> return_local) {
  const Result<std::vector<Return>> returns = find_returns(body, true);
  if (!returns) return returns.status();
  if (Status status = check_wrap(body, kind); !status) return status;
  Wrapped wrapped;
  wrapped.returns = ReturnJoiner(body, return_local, TailCalls::kDrop).run(*returns);
  Instruction* const behind = wrapped.returns.exit ? wrapped.returns.exit : body.end();
  const bool catches = kind == ClauseKind::kCatch;
  wrapped.handler_exit = body.make(catches ? Opcode::Rethrow : Opcode::Endfinally);
  wrapped.handler = catches ? body.make(Opcode::Pop) : wrapped.handler_exit;
  body.insert_before(behind, wrapped.handler, Branches::kStay, Regions::kOfNext);
  if (catches) body.insert_after(wrapped.handler, wrapped.handler_exit);
  Clause clause;
  clause.kind = kind;
  clause.try_begin = body.first();
  clause.try_end = clause.handler_begin = wrapped.handler;
  clause.handler_end = behind;
  clause.class_token = catches ? class_token : 0;
  body.clauses.push_back(clause);
  return wrapped;
}

uint32_t expand_jumps(Body& body, uint16_t arguments, bool returns_value, TailCalls tail_calls) {
  uint32_t count = 0;
  for (Instruction* at = body.first(); !at->is_end(); at = at->next()) {
    if (at->opcode() != Opcode::Jmp) continue;
    const auto effect = StackEffect{arguments, returns_value ? uint16_t{1} : uint16_t{0}};
    Instruction* call = body.make_call(Opcode::Call, at->token(), effect);
    body.replace(at, call);
    for (uint32_t i = 0; i < arguments; ++i) {
      Instruction* load = load_argument(body, static_cast<uint16_t>(i));
      // Branches to the jmp move to the first argument.
      i == 0 ? body.insert_before(call, load, Branches::kMove, Regions::kOfNext)
             : body.insert_before(call, load, Branches::kStay, Regions::kOfPrevious);
    }
    at = body.make(Opcode::Ret);
    body.insert_after(call, at);
    if (tail_calls == TailCalls::kKeep) body.add_prefix(call, body.make(Opcode::Tailcall));
    ++count;
  }
  return count;
}

}  // namespace oriel::il
