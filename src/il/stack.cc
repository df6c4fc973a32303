#include "il/stack.h"

#include <algorithm>
#include <string>

#include "il/body.h"

namespace oriel::il {

std::optional<StackEffect> stack_effect(const Instruction& instruction, const MethodFacts& facts) {
  const OpcodeInfo& info = instruction.info();
  if (info.flow == Flow::Call) {
    if (instruction.has_declared_effect()) return instruction.declared_effect();
    if (facts.call_effect) return facts.call_effect(instruction.opcode(), instruction.token());
    return std::nullopt;
  }
  if (info.flow == Flow::Return) return StackEffect{facts.returns_value.value_or(false) ? uint16_t{1} : uint16_t{0}, 0};
  return StackEffect{static_cast<uint16_t>(info.pops), static_cast<uint16_t>(info.pushes)};
}

namespace {

class DepthWalk {
 public:
  DepthWalk(Body& body, const MethodFacts& facts) : facts_(facts), order_(body.number()) {
    result_.before.assign(order_.size(), kUnknownDepth);
    pending_.reserve(16);
    arrive_at_handlers(body);
  }

  StackDepths run() {
    if (!order_.empty()) arrive(order_[0], 0);
    drain();
    // Unreachable code stays in the body, so it counts for the depth, but its faults are ignored: an underflow reads as
    // empty.
    reachable_ = false;
    for (Instruction* at : order_) {
      if (result_.before[at->index()] != kUnknownDepth) continue;
      arrive(at, 0);
      drain();
    }
    return std::move(result_);
  }

 private:
  void arrive_at_handlers(const Body& body) {
    for (const Clause& clause : body.clauses) {
      const bool has_exception = clause.kind == ClauseKind::kCatch || clause.kind == ClauseKind::kFilter;
      arrive(clause.handler_begin, has_exception ? 1 : 0);
      if (clause.kind == ClauseKind::kFilter) arrive(clause.filter_begin, 1);
    }
  }

  void arrive(Instruction* at, int32_t depth) {
    if (!at || at->is_end()) return;
    int32_t& known = result_.before[at->index()];
    if (known == kUnknownDepth) {
      known = depth;
      result_.max = std::max(result_.max, static_cast<uint32_t>(depth));
      pending_.push_back(at);
    } else if (known != depth && reachable_ && result_.problem) {
      result_.problem = error_at(*at, "the stack holds " + std::to_string(known) + " or " + std::to_string(depth) +
                                          " values, depending on the way here");
    }
  }

  void drain() {
    while (!pending_.empty()) {
      Instruction* at = pending_.back();
      pending_.pop_back();
      step(at, result_.before[at->index()]);
    }
  }

  void step(Instruction* at, int32_t depth) {
    std::optional<StackEffect> effect = stack_effect(*at, facts_);
    if (!effect) {
      result_.exact = false;
      effect = StackEffect{0, 1};
    }
    depth -= effect->pops;
    if (depth < 0) {
      if (reachable_ && result_.problem)
        result_.problem = error_at(*at, std::string(at->info().name) + " takes more values than the stack holds");
      depth = 0;
    }
    depth += effect->pushes;
    result_.max = std::max(result_.max, static_cast<uint32_t>(depth));
    const Flow flow = at->info().flow;
    if (at->target()) arrive(at->target(), flow == Flow::Leave ? 0 : depth);
    for (Instruction* target : at->cases()) arrive(target, depth);
    if (falls_through(flow)) arrive(at->next(), depth);
  }

  const MethodFacts& facts_;
  const std::vector<Instruction*>& order_;
  StackDepths result_;
  std::vector<Instruction*> pending_;
  bool reachable_ = true;
};

// The effect of an instruction in a sequence of inserted ones; an unknown call adds one value at worst.
StackEffect assumed_effect(const Instruction& instruction, const MethodFacts& facts) {
  return stack_effect(instruction, facts).value_or(StackEffect{0, 1});
}

// How much inserted and removed instructions can raise the stack above the original body's need. A sequence of inserted
// instructions starts at a depth that the original had, plus what earlier sequences left.
uint32_t stack_growth_of_edits(const Body& body, const MethodFacts& facts) {
  int64_t left_behind = 0, peak = 0, depth = 0;
  bool has_branch = false;
  for (const Instruction* at = body.first(); !at->is_end(); at = at->next()) {
    if (at->original_offset() != kNoOffset) {
      left_behind += std::max<int64_t>(depth, 0);
      depth = 0;
      has_branch = false;
      continue;
    }
    const StackEffect effect = assumed_effect(*at, facts);
    // After a branch the path is not linear, so assume that nothing is popped any more.
    has_branch |= at->info().flow >= Flow::Branch;
    if (!has_branch) depth -= effect.pops;
    depth += effect.pushes;
    peak = std::max(peak, depth);
  }
  for (const Instruction* at = body.first(View::kOriginal); !at->is_end(); at = at->next(View::kOriginal)) {
    if (!at->is_in(View::kCurrent)) left_behind += assumed_effect(*at, facts).pops;
  }
  return static_cast<uint32_t>(std::min<int64_t>(left_behind + peak, 0x10000));
}

}  // namespace

StackDepths compute_stack(Body& body, const MethodFacts& facts) {
  StackDepths depths = DepthWalk(body, facts).run();
  if (!depths.exact) {
    depths.max = body.max_stack + stack_growth_of_edits(body, facts);
    depths.problem = Status::ok();
  }
  return depths;
}

}  // namespace oriel::il
