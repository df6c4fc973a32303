#include "il/probes/coverage_points.h"

#include <algorithm>
#include <tuple>

#include "il/may_throw.h"
#include "il/regions.h"

namespace oriel::il {
namespace {

class Planner {
 public:
  Planner(Body& body, const MethodFacts& facts)
      : body_(body),
        depths_(compute_stack(body, facts)),
        throws_(body, facts),
        order_(body.number()),
        begins_(order_.size() + 1),
        edges_(order_.size() + 1),
        counters_(order_.size() + 1) {}

  std::vector<CoveragePoint> run() {
    find_leaders();
    if (depths_.exact && depths_.problem) split_behind_exceptions();
    for (Instruction* at : order_) {
      if (begins_[at->index()]) add_run(*at);
    }
    for (Instruction* at : order_) {
      if (at->info().flow == Flow::CondBranch) add_outcomes(*at);
    }
    const auto place = [](const CoveragePoint& point) { return std::tuple(point.il, point.kind, point.outcome); };
    std::ranges::sort(points_, {}, place);
    return std::move(points_);
  }

 private:
  void arrive(Instruction* at) {
    if (at == nullptr || at->is_end()) return;
    at = body_.unit_begin(at);
    begins_[at->index()] = true;
    ++edges_[at->index()];
  }

  void find_leaders() {
    arrive(order_[0]);
    for (const Clause& clause : body_.clauses) {
      arrive(clause.handler_begin);
      arrive(clause.filter_begin);
      begins_[body_.unit_begin(clause.try_begin)->index()] = true;
    }
    for (Instruction* at : order_) {
      arrive(at->target());
      for (Instruction* target : targets_of(*at)) arrive(target);
      const Flow flow = at->info().flow;
      if (flow >= Flow::Branch && !at->next()->is_end()) begins_[body_.unit_begin(at->next())->index()] = true;
    }
    for (Instruction* at : order_) {
      Instruction* const next = at->next();
      if (falls_through(at->info().flow) && !next->is_end() && begins_[next->index()] && !ends_tail_call(*next))
        ++edges_[next->index()];
    }
  }

  // The distinct targets of a switch.
  static std::vector<Instruction*> targets_of(const Instruction& at) {
    std::vector<Instruction*> targets = at.cases();
    std::ranges::sort(targets, {}, &Instruction::index);
    targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
    return targets;
  }

  void split_behind_exceptions() {
    bool thrown = false;
    for (Instruction* at : order_) {
      const uint32_t index = at->index();
      const bool begins_unit = body_.unit_begin(at) == at;
      if (thrown && begins_unit && depths_.before[index] == 0 && !ends_tail_call(*at)) begins_[index] = true;
      if (begins_[index]) thrown = false;
      thrown = thrown || throws_.at(*at);
    }
  }

  // Nothing may be inserted between a tail call and its ret.
  static bool ends_tail_call(const Instruction& at) {
    if (at.opcode() != Opcode::Ret || at.index() == 0) return false;
    const Instruction* before = at.previous();
    while (!before->is_end() && before->previous()->info().flow == Flow::Prefix) {
      before = before->previous();
      if (before->opcode() == Opcode::Tailcall) return true;
    }
    return false;
  }

  void add_run(const Instruction& at) {
    counters_[at.index()] = made_;
    points_.push_back({CoveragePoint::Kind::kRun, at.original_offset(), 0, made_++});
  }

  void add_outcome(const Instruction& branch, uint32_t outcome, uint32_t counter) {
    points_.push_back({CoveragePoint::Kind::kOutcome, branch.original_offset(), outcome, counter});
  }

  // The counter of the target's run if nothing else leads there, else a new one.
  uint32_t counter_of_edge_to(Instruction* target) {
    const uint32_t index = body_.unit_begin(target)->index();
    return edges_[index] == 1 ? counters_[index] : made_++;
  }

  void add_outcomes(const Instruction& branch) {
    uint32_t outcome = 0;
    if (branch.target() != nullptr) add_outcome(branch, outcome++, counter_of_edge_to(branch.target()));
    const std::vector<Instruction*> targets = targets_of(branch);
    std::vector<uint32_t> counters;
    for (Instruction* target : targets) counters.push_back(counter_of_edge_to(target));
    for (const Instruction* target : branch.cases()) {
      const auto known = std::ranges::lower_bound(targets, target->index(), {}, &Instruction::index);
      add_outcome(branch, outcome++, counters[static_cast<size_t>(known - targets.begin())]);
    }
    if (!branch.next()->is_end()) add_outcome(branch, outcome, counter_of_edge_to(branch.next()));
  }

  Body& body_;
  const StackDepths depths_;
  const MayThrow throws_;
  const std::vector<Instruction*>& order_;
  // By index.
  std::vector<bool> begins_;
  std::vector<uint32_t> edges_;     // edges that lead to a run's start; those of one switch are one
  std::vector<uint32_t> counters_;  // of a run that starts there
  uint32_t made_ = 0;               // number of counters
  std::vector<CoveragePoint> points_;
};

}  // namespace

std::vector<CoveragePoint> coverage_points(Body& body, const MethodFacts& facts) {
  if (!check_links(body)) return {};
  return Planner(body, facts).run();
}

uint32_t counters_of(const std::vector<CoveragePoint>& points) {
  uint32_t counters = 0;
  for (const CoveragePoint& point : points) counters = std::max(counters, point.counter + 1);
  return counters;
}

}  // namespace oriel::il
