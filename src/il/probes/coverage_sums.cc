#include "il/probes/coverage_sums.h"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "il/may_throw.h"

namespace oriel::il {
namespace {

constexpr size_t kMostTerms = 16;  // of a sum; longer ones are counted instead

constexpr uint32_t kNone = UINT32_MAX;

class SumFinder {
 public:
  SumFinder(Body& body, const MethodFacts& facts, const std::vector<CoveragePoint>& points)
      : body_(body),
        points_(points),
        throws_(body, facts),
        order_(body.number()),
        counter_of_(order_.size() + 1, kNone),
        in_(counters_of(points)),
        out_(in_.size()),
        sums_(in_.size()),
        is_term_(in_.size()) {}

  std::vector<CounterSum> run() {
    for (const CoveragePoint& point : points_)
      if (point.kind == CoveragePoint::Kind::kRun)
        counter_of_[body_.at_original_offset(point.il)->index()] = point.counter;
    if (!order_.empty()) comes_from_elsewhere(order_[0]);
    for (const Clause& clause : body_.clauses) {
      comes_from_elsewhere(clause.handler_begin);
      comes_from_elsewhere(clause.filter_begin);
    }
    follow_runs();
    // A run's successors mostly follow it, and its predecessors mostly precede it.
    for (uint32_t counter = all(); counter-- > 0;) accept(counter, out_[counter]);
    for (uint32_t counter = 0; counter < all(); ++counter) accept(counter, in_[counter]);
    std::vector<CounterSum> found;
    for (uint32_t counter = 0; counter < all(); ++counter)
      if (!sums_[counter].empty()) found.push_back({counter, std::move(sums_[counter])});
    return found;
  }

 private:
  // Edges into or out of a run: its count is the sum of these counters, or unknown.
  struct Ways {
    std::vector<uint32_t> counters;
    bool known = true;
  };

  uint32_t all() const { return static_cast<uint32_t>(sums_.size()); }

  Ways* edges_to(Instruction* at) {
    if (at == nullptr || at->is_end()) return nullptr;
    const uint32_t counter = counter_of_[body_.unit_begin(at)->index()];
    return counter == kNone ? nullptr : &in_[counter];
  }

  void comes_from_elsewhere(Instruction* at) {
    if (Ways* const ways = edges_to(at)) ways->known = false;
  }

  void leads_to(Instruction* at, uint32_t counter, bool known) {
    if (!known) return comes_from_elsewhere(at);
    if (Ways* const ways = edges_to(at)) ways->counters.push_back(counter);
  }

  void follow_runs() {
    uint32_t run = kNone;
    bool is_safe = true;
    for (Instruction* at : order_) {
      if (counter_of_[at->index()] != kNone) {
        run = counter_of_[at->index()];
        is_safe = true;
      }
      if (run == kNone) continue;
      is_safe = is_safe && !throws_.at(*at);
      const bool ends = at->next()->is_end() || counter_of_[at->next()->index()] != kNone;
      if (ends) end_run(*at, run, is_safe);
    }
  }

  void end_run(const Instruction& last, uint32_t run, bool is_safe) {
    switch (last.info().flow) {
      case Flow::CondBranch:
        return branch(last, run, is_safe);
      case Flow::Branch:
        // A finally block may be executed between.
        return leads_to(last.target(), run, is_safe && last.opcode() == Opcode::Br);
      default:
        if (falls_through(last.info().flow)) leads_to(last.next(), run, is_safe);
    }
  }

  // Each edge once: cases of a switch with the same target are counted together.
  void branch(const Instruction& last, uint32_t run, bool is_safe) {
    std::map<uint32_t, Instruction*> ways;
    for (const CoveragePoint& point : outcomes_of(last)) ways[point.counter] = leads(last, point.outcome);
    out_[run].known = is_safe;
    for (const auto& [counter, to] : ways) {
      out_[run].counters.push_back(counter);
      leads_to(to, counter, true);
    }
  }

  std::span<const CoveragePoint> outcomes_of(const Instruction& branch) const {
    const auto il = [](const CoveragePoint& point) { return std::pair(point.il, point.kind); };
    const std::pair outcome(branch.original_offset(), CoveragePoint::Kind::kOutcome);
    return {std::ranges::lower_bound(points_, outcome, {}, il), std::ranges::upper_bound(points_, outcome, {}, il)};
  }

  static Instruction* leads(const Instruction& branch, uint32_t outcome) {
    if (branch.target() != nullptr) return outcome == 0 ? branch.target() : branch.next();
    return outcome < branch.cases().size() ? branch.cases()[outcome] : branch.next();
  }

  // A counter that is already a term never becomes a sum, so no sum contains itself.
  void accept(uint32_t counter, const Ways& ways) {
    if (!ways.known || is_term_[counter] || !sums_[counter].empty()) return;
    std::vector<uint32_t> sum;
    for (const uint32_t way : ways.counters) {
      if (way == counter || sum.size() > kMostTerms) return;
      if (sums_[way].empty()) {
        sum.push_back(way);
      } else {
        sum.insert(sum.end(), sums_[way].begin(), sums_[way].end());
      }
    }
    if (sum.size() > kMostTerms || std::ranges::find(sum, counter) != sum.end()) return;
    for (const uint32_t term : sum) is_term_[term] = true;
    sums_[counter] = std::move(sum);
  }

  Body& body_;
  const std::vector<CoveragePoint>& points_;
  const MayThrow throws_;
  const std::vector<Instruction*>& order_;
  std::vector<uint32_t> counter_of_;         // of a run that begins there, by index
  std::vector<Ways> in_, out_;               // of runs, by counter
  std::vector<std::vector<uint32_t>> sums_;  // by counter; empty: counted
  std::vector<bool> is_term_;                // likewise
};

}  // namespace

std::vector<CounterSum> coverage_sums(Body& body, const MethodFacts& facts, const std::vector<CoveragePoint>& points) {
  if (points.empty()) return {};
  return SumFinder(body, facts, points).run();
}

}  // namespace oriel::il
