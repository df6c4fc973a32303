#include "coverage/conditions.h"

#include <algorithm>
#include <set>
#include <utility>

#include "coverage/made_values.h"

namespace oriel::coverage {
namespace {

using il::Flow;
using il::Instruction;

constexpr size_t kNone = SIZE_MAX;

// Follows jumps and nops from `at`.
const Instruction* resolved(const Instruction* at) {
  constexpr int kMost = 16;
  for (int i = 0; i < kMost && !at->is_end(); ++i) {
    if (at->opcode() == il::Opcode::Nop)
      at = at->next();
    else if (at->info().flow == Flow::Branch)
      at = at->target();
    else
      break;
  }
  return at;
}

struct Way {
  Outcome outcome;
  const Instruction* to = nullptr;
};

// Fall-through first.
std::vector<Way> ways_of(const Instruction& branch) {
  const uint32_t il = branch.original_offset();
  const auto& cases = branch.cases();
  const uint32_t others = branch.target() ? 1 : static_cast<uint32_t>(cases.size());
  std::vector<Way> ways = {{{il, others}, resolved(branch.next())}};
  if (branch.target()) ways.push_back({{il, 0}, resolved(branch.target())});
  std::set<const Instruction*> seen;
  for (uint32_t which = 0; which < cases.size(); ++which)
    // Cases with the same target are counted together.
    if (seen.insert(cases[which]).second) ways.push_back({{il, which}, resolved(cases[which])});
  return ways;
}

// Ways with the same target form one arm.
void add_arms(const std::vector<Way>& ways, Condition& condition) {
  std::vector<std::pair<const Instruction*, size_t>> arms;  // by target instruction
  for (const Way& way : ways) {
    auto arm = std::ranges::lower_bound(arms, way.to, {}, &std::pair<const Instruction*, size_t>::first);
    if (arm == arms.end() || arm->first != way.to) {
      arm = arms.emplace(arm, way.to, condition.arms.size());
      condition.arms.emplace_back();
    }
    condition.arms[arm->second].push_back(way.outcome);
  }
}

struct ConditionalBranch {
  const Instruction* at = nullptr;
  size_t point = kNone;  // the last sequence point before it
  size_t line = kNone;   // the last one before it that has a line
  bool is_hidden() const { return point != line; }
};

class Finder {
 public:
  Finder(il::Body& body, std::span<const pdb::SequencePoint> points, const CodeFacts& facts)
      : body_(body), points_(points), facts_(facts), order_(body.number()), made_(order_, facts) {}

  std::vector<Condition> find() {
    const std::vector<ConditionalBranch> branches = candidates();
    std::vector<Condition> found;
    for (size_t i = 0; i < branches.size();) {
      const std::span<const ConditionalBranch> decision =
          std::span(branches).subspan(i, end_of_text_switch(branches, i) - i);
      Condition condition = condition_of(decision);
      // With two arms it is a condition with several parts, which count separately.
      const bool is_switch = decision.size() > 1 && condition.arms.size() > 2;
      if (!is_switch && decision.size() > 1) condition = condition_of(decision.first(1));
      if (condition.arms.size() > 1) found.push_back(std::move(condition));
      i += is_switch ? decision.size() : 1;
    }
    return found;
  }

 private:
  std::vector<ConditionalBranch> candidates() const {
    std::vector<ConditionalBranch> branches;
    size_t next = 0, line = kNone;
    for (const Instruction* at : order_) {
      for (; next < points_.size() && points_[next].il <= at->original_offset(); ++next)
        if (points_[next].line != 0) line = next;
      if (at->info().flow != Flow::CondBranch || line == kNone) continue;
      const size_t own = point_of_filter(*at, line);
      const ConditionalBranch branch =
          own == kNone ? ConditionalBranch{at, next - 1, line} : ConditionalBranch{at, own, own};
      if (!is_made(branch)) branches.push_back(branch);
    }
    return branches;
  }

  // In a filter such as 'e is A or B', part of the condition precedes the filter's own point, after the test for the
  // clause's exception type. `line` is the last point before the branch.
  size_t point_of_filter(const Instruction& branch, size_t line) const {
    const uint32_t il = branch.original_offset();
    if (branch.previous()->opcode() == il::Opcode::Dup) return kNone;
    for (const il::Clause& clause : body_.clauses) {
      if (!clause.filter_begin) continue;
      const uint32_t begin = clause.filter_begin->original_offset(), end = clause.handler_begin->original_offset();
      if (il < begin || il >= end || points_[line].il >= begin) continue;
      for (size_t i = line; i < points_.size() && points_[i].il < end; ++i)
        if (points_[i].il > il && points_[i].line != 0) return i;
    }
    return kNone;
  }

  bool is_made(const ConditionalBranch& branch) const {
    if (branch.is_hidden() && (is_in_made_region(branch.at) || guards_disposal(branch.at))) return true;
    if (branch.is_hidden() && made_.tests_left_handler(*branch.at)) return true;
    return tests_type_of_filter(branch) || made_.tests_generated_value(*branch.at);
  }

  // Handlers contain compiler-generated code without lines: null checks before Dispose, whether a lock was taken, a
  // filter's type test.
  bool is_in_made_region(const Instruction* at) const {
    const auto within = [at](const Instruction* begin, const Instruction* end) {
      return begin && begin->index() <= at->index() && (end->is_end() || at->index() < end->index());
    };
    return std::ranges::any_of(body_.clauses, [&](const il::Clause& clause) {
      const bool finally = clause.kind == il::ClauseKind::kFinally || clause.kind == il::ClauseKind::kFault;
      return (finally && within(clause.handler_begin, clause.handler_end)) ||
             (clause.kind == il::ClauseKind::kFilter && within(clause.filter_begin, clause.handler_begin));
    });
  }

  // The null check of 'await using', which has no handler.
  bool guards_disposal(const Instruction* branch) const {
    constexpr int kMost = 5;
    const Instruction* at = branch->next();
    for (int i = 0; i < kMost && !at->is_end(); ++i, at = at->next()) {
      if (at->info().flow != Flow::Call) continue;
      const std::string name = facts_.member(at->token()).name;
      return name == "Dispose" || name == "DisposeAsync";
    }
    return false;
  }

  // F# tests in a filter what it tests again in the handler, where the pattern's line is.
  bool tests_type_of_filter(const ConditionalBranch& branch) const {
    return std::ranges::any_of(body_.clauses, [&](const il::Clause& clause) {
      return clause.filter_begin && clause.filter_begin->original_offset() == points_[branch.line].il &&
             branch.at->index() < clause.handler_begin->index();
    });
  }

  // A switch over strings tests lengths, characters or hashes before it compares; together these are one decision.
  // Returns its end, or begin + 1 if there is none at `begin`.
  size_t end_of_text_switch(const std::vector<ConditionalBranch>& branches, size_t begin) const {
    size_t end = begin, texts = 0, parts = 0;
    for (; end < branches.size() && branches[end].line == branches[begin].line; ++end) {
      if (made_.tests_string_equality(*branches[end].at))
        ++texts;
      else if (made_.tests_string_part(*branches[end].at))
        ++parts;
      else if (end != begin)  // the first branch may be a null check
        break;
    }
    return texts > 0 && parts > 0 ? end : begin + 1;
  }

  Condition condition_of(std::span<const ConditionalBranch> branches) const {
    const uint32_t first = branches.front().at->index(), last = branches.back().at->index();
    std::vector<Way> ways;
    for (const ConditionalBranch& branch : branches) {
      for (const Way& way : ways_of(*branch.at)) {
        const bool inside = way.to->index() > first && way.to->index() <= last;
        if (branches.size() == 1 || !inside) ways.push_back(way);
      }
    }
    Condition condition{branches.front().at->original_offset(), static_cast<uint32_t>(branches.front().line), {}};
    add_arms(ways, condition);
    return condition;
  }

  il::Body& body_;
  const std::span<const pdb::SequencePoint> points_;
  const CodeFacts& facts_;
  const std::vector<Instruction*>& order_;
  const GeneratedValues made_;
};

}  // namespace

std::vector<Condition> conditions_of(il::Body& body, std::span<const pdb::SequencePoint> points,
                                     const CodeFacts& facts) {
  const Instruction* at = body.first();
  while (!at->is_end() && at->info().flow != Flow::CondBranch) at = at->next();
  if (at->is_end()) return {};  // the common case
  return Finder(body, points, facts).find();
}

void remove_points_after_rethrows(il::Body& body, const CodeFacts& facts, std::vector<pdb::SequencePoint>& points) {
  const std::vector<Instruction*>& order = body.number();
  std::vector<bool> comes_from_elsewhere(order.size() + 1);
  const auto arrive = [&](const Instruction* at) {
    if (at != nullptr) comes_from_elsewhere[at->index()] = true;
  };
  for (const Instruction* at : order) {
    arrive(at->target());
    for (const Instruction* target : at->cases()) arrive(target);
  }
  for (const il::Clause& clause : body.clauses)
    for (const Instruction* begin : {clause.handler_begin, clause.filter_begin}) arrive(begin);
  std::set<uint32_t> behind;
  bool comes = true;
  for (const Instruction* at : order) {
    comes = comes || comes_from_elsewhere[at->index()];
    if (!comes) behind.insert(at->original_offset());
    if (at->opcode() != il::Opcode::Callvirt) continue;
    const Member method = facts.member(at->token());
    if (method.name == "Throw" && method.type == "System.Runtime.ExceptionServices.ExceptionDispatchInfo")
      comes = false;
  }
  std::erase_if(points, [&](const pdb::SequencePoint& point) {
    const bool is_brace = point.line == point.end_line && point.column + 1 == point.end_column;
    return is_brace && behind.contains(point.il);
  });
}

}  // namespace oriel::coverage
