#include "profile/work/category.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "oriel/oriel.h"
#include "profile/functions.h"
#include "profile/memory/gc_phases.h"
#include "profile/recorded.h"
#include "profile/trees/call_tree.h"
#include "profile/trees/sample_tree.h"
#include "profile/work/purpose.h"
#include "profile/work/throwing.h"

namespace oriel::profile {
namespace {

bool gives_way(const Purpose& own, const Purpose& caller) {
  // JIT compilation within call preparation is the more precise answer.
  if (caller.category == Category::kTypes && is_work(own.category)) return false;
  switch (own.yields) {
    case Purpose::Yields::kNever:
      return false;
    case Purpose::Yields::kToWork:
      return is_work(caller.category);
    case Purpose::Yields::kToNet:
      return is_work(caller.category) || caller.category == Category::kFramework || caller.category == Category::kStart;
    case Purpose::Yields::kToAny:
      return caller.category != Category::kUnknown;
  }
  return false;
}

// Code that is not part of .NET.
bool is_users(Category category) {
  return category == Category::kOwn || category == Category::kPackage || category == Category::kGenerated;
}

// By node: the function that determines its purpose.
std::vector<uint32_t> deciding_functions(const Profile& profile, const std::vector<Purpose>& purposes) {
  std::vector<uint32_t> telling(profile.nodes.size());
  const std::vector<uint32_t> handled_by = throwing_nodes(profile);
  for (size_t i = 1; i < profile.nodes.size(); ++i) {
    const Node& node = profile.nodes[i];
    const uint32_t caller = telling[node.parent];
    if (handled_by[i] != 0 && purposes[node.function].category == Category::kRuntime)
      telling[i] = handled_by[i];
    else
      telling[i] = gives_way(purposes[node.function], purposes[caller]) ? caller : node.function;
  }
  return telling;
}

// By node: whether the runtime, or the C library on its behalf, runs there, whoever called it.
std::vector<bool> of_runtime(const Profile& profile) {
  std::vector<bool> result(profile.nodes.size());
  for (size_t i = 1; i < profile.nodes.size(); ++i) {
    const Function& function = profile.functions[profile.nodes[i].function];
    result[i] = is_runtime(function) || (is_c_library(function) && result[profile.nodes[i].parent]);
  }
  return result;
}

// Runtime threads with one purpose, by name.
struct OwnThread {
  std::string_view begins;
  Category category;
};
constexpr OwnThread kOwnThreads[] = {
    {".NET Server GC", Category::kGc},
    {".NET BGC", Category::kGc},
    {".NET GC", Category::kGc},
    {".NET Tiered Com", Category::kTiering},  // the kernel truncates ".NET Tiered Compilation Worker"
};

// The times in which the program's threads are suspended. Runtime work then belongs to the collector, or to the reason
// for the suspension.
class Pauses {
 public:
  explicit Pauses(const std::vector<Pause>& pauses) : pauses_(pauses) {}

  const Pause* at(int64_t ns) const {
    auto after = std::ranges::upper_bound(pauses_, ns, {}, &Pause::start_ns);
    if (after == pauses_.begin()) return nullptr;
    const Pause& before = *--after;
    return ns < before.start_ns + before.ns ? &before : nullptr;
  }

 private:
  const std::vector<Pause>& pauses_;
};

// Whether work of this category, on a runtime thread, belongs to the thread's purpose.
bool belongs_to_thread_purpose(Category category) {
  return category == Category::kRuntime || category == Category::kAllocation || category == Category::kUnknown ||
         category == Category::kStart || category == Category::kKernel;
}

// Whether work of this category belongs to a pause. Native code of the program runs on in pauses.
bool belongs_to_pause(Category category) { return category == Category::kRuntime || category == Category::kAllocation; }

Category in_pause(const Pause& pause) {
  const bool collects = pause.reason == ORIEL_SUSPEND_GC || pause.reason == ORIEL_SUSPEND_GC_PREPARE;
  return collects ? Category::kGc : Category::kSuspension;
}

// When Mono compiled: its compiler is no library of its own, so that no function tells.
class MonoCompilations {
 public:
  explicit MonoCompilations(const Profile& profile) {
    if (!is_of_mono(profile)) return;
    for (const Compiling& one : profile.compiling) all_.emplace(one.thread, one.ns);
  }

  bool empty() const { return all_.empty(); }
  bool has(const Sample& sample) const { return all_.contains({sample.thread, sample.ns}); }

 private:
  std::set<std::pair<uint32_t, int64_t>> all_;  // threads and times
};

// Determines each sample's purpose: mostly from its node, for some from its thread or time.
class Classifier {
 public:
  explicit Classifier(const Profile& profile) : pauses_(profile.pauses), phases_(profile), mono_compilations_(profile) {
    std::vector<Purpose> purposes;
    for (const Function& function : profile.functions) purposes.push_back(purpose_of(function, profile));
    std::vector<uint32_t> of_function;
    for (const Purpose& purpose : purposes) of_function.push_back(number_of(purpose.category, purpose.name));
    of_node_ = deciding_functions(profile, purposes);
    of_runtime_ = of_runtime(profile);
    for (uint32_t i = 0; i < of_node_.size(); ++i) {
      const Category category = purposes[of_node_[i]].category;
      const Function& function = profile.functions[profile.nodes[i].function];
      const bool called_directly = is_users(category) && is_c_library(function);
      of_node_[i] = called_directly ? number_of(Category::kNative, function.module) : of_function[of_node_[i]];
    }
    // The loop adds purposes, which need no answers themselves.
    for (uint32_t number = 0, own = size(); number < own; ++number) answers_.push_back(answers_of(number));
    own_gc_ = number_of(Category::kGc, "");
    own_stop_ = number_of(Category::kSuspension, "");
    first_compiled_ = number_of(Category::kJit, "first time");
    for (const Thread& thread : profile.threads) threads_.push_back(kind_of(category_of_thread(thread)));
    if (phases_.empty()) return;
    for (size_t i = 0; i < kGcPhases; ++i)
      of_phase_[i] = number_of(Category::kGc, gc_phase_name(static_cast<GcPhase>(i)));
  }

  // An index into all().
  uint32_t of(const Sample& sample) const {
    const uint32_t number = without_phase(sample);
    if (phases_.empty() || all_[number].category != Category::kGc) return number;
    const GcPhase* const phase = phases_.at(sample.ns, sample.thread);
    return phase ? of_phase_[static_cast<size_t>(*phase)] : number;
  }
  // The purpose shared by all samples of a node, if there is one.
  std::optional<uint32_t> of_all(uint32_t node) const {
    const Answers& answers = answers_[of_node_[node]];
    const auto& by_thread = answers.by_thread;
    if (answers.may_compile && !mono_compilations_.empty()) return std::nullopt;
    if (answers.by_pause || is_requested_by_caller(node) || std::ranges::count(by_thread, by_thread[0]) != kThreadKinds)
      return std::nullopt;
    if (!phases_.empty() && all_[by_thread[0]].category == Category::kGc) return std::nullopt;
    return by_thread[0];
  }
  // Without periods.
  const std::vector<Share>& all() const { return all_; }

  // By the node's functions alone.
  uint32_t of_node(uint32_t node) const { return of_node_[node]; }

 private:
  // Runtime work that the base library requests counts to the base library, except collections.
  bool is_requested_by_caller(uint32_t node) const {
    return of_runtime_[node] && all_[of_node_[node]].category == Category::kFramework;
  }

  uint32_t without_phase(const Sample& sample) const {
    const Answers& answers = answers_[of_node_[sample.node]];
    const ThreadKind kind = threads_[sample.thread];
    const bool asked_for = is_requested_by_caller(sample.node);
    if (kind == kOrdinary && (answers.by_pause || asked_for)) {
      if (const Pause* pause = pauses_.at(sample.ns)) {
        if (in_pause(*pause) == Category::kGc) return asked_for ? own_gc_ : answers.gc;
        return asked_for ? own_stop_ : answers.stop;
      }
    }
    const bool may_compile = answers.may_compile || asked_for;
    if (may_compile && !mono_compilations_.empty() && mono_compilations_.has(sample)) return first_compiled_;
    return answers.by_thread[kind];
  }

  enum ThreadKind : uint8_t { kOrdinary, kCollector, kTierer, kThreadKinds };
  // What becomes of one purpose of a node.
  struct Answers {
    uint32_t by_thread[kThreadKinds] = {};
    bool may_compile = false;  // if Mono was compiling then
    bool by_pause = false;     // if set, ordinary threads in a pause have these:
    uint32_t gc = 0;
    uint32_t stop = 0;
  };

  static ThreadKind kind_of(Category of_thread) {
    return of_thread == Category::kGc ? kCollector : of_thread == Category::kTiering ? kTierer : kOrdinary;
  }

  uint32_t size() const { return static_cast<uint32_t>(all_.size()); }

  uint32_t number_of(Category category, const std::string& name) {
    const auto [at, made] = numbers_.try_emplace({category, name}, size());
    if (made) all_.push_back({category, name, 0});
    return at->second;
  }

  Answers answers_of(uint32_t number) {
    const auto [category, name, periods] = all_[number];
    Answers answers;
    for (const ThreadKind kind : {kOrdinary, kCollector, kTierer}) {
      const Category of_thread = kind == kCollector ? Category::kGc : Category::kTiering;
      if (category == Category::kJit)
        answers.by_thread[kind] = number_of(category, kind == kTierer ? "again, optimized" : "first time");
      else
        answers.by_thread[kind] =
            kind != kOrdinary && belongs_to_thread_purpose(category) ? number_of(of_thread, name) : number;
    }
    answers.may_compile = category == Category::kRuntime || category == Category::kKernel;
    answers.by_pause = belongs_to_pause(category);
    if (!answers.by_pause) return answers;
    answers.gc = number_of(Category::kGc, name);
    answers.stop = number_of(Category::kSuspension, name);
    return answers;
  }

  std::vector<Share> all_;
  std::map<std::pair<Category, std::string>, uint32_t> numbers_;
  std::vector<Answers> answers_;
  std::vector<uint32_t> of_node_;
  std::vector<bool> of_runtime_;
  uint32_t own_gc_ = 0;  // for requests of the base library
  uint32_t own_stop_ = 0;
  std::vector<ThreadKind> threads_;
  uint32_t first_compiled_ = 0;
  Pauses pauses_;
  GcPhaseFinder phases_;
  MonoCompilations mono_compilations_;
  uint32_t of_phase_[kGcPhases] = {};  // by phase, if the log has phases
};

}  // namespace

Category category_of_thread(const Thread& thread) {
  for (const OwnThread& own : kOwnThreads)
    if (std::string_view(thread.name).starts_with(own.begins)) return own.category;
  return Category::kUnknown;
}

bool is_own(const Function& function, const Profile& profile) {
  return function.managed && purpose_of(function, profile).category == Category::kOwn;
}

std::vector<uint32_t> nearest_own_nodes(const std::vector<Node>& nodes, const Profile& profile) {
  std::vector<bool> own(profile.functions.size());
  for (size_t i = 1; i < own.size(); ++i) own[i] = is_own(profile.functions[i], profile);
  std::vector<uint32_t> nearest(nodes.size());
  for (uint32_t i = 1; i < nearest.size(); ++i) nearest[i] = own[nodes[i].function] ? i : nearest[nodes[i].parent];
  return nearest;
}

std::vector<uint32_t> nearest_own(const Profile& profile) {
  std::vector<uint32_t> nearest = nearest_own_nodes(profile.nodes, profile);
  for (uint32_t& node : nearest) node = profile.nodes[node].function;
  return nearest;
}

std::vector<Category> node_categories(const Profile& profile) {
  const Classifier classifier(profile);
  std::vector<Category> result;
  for (uint32_t node = 0; node < profile.nodes.size(); ++node)
    result.push_back(classifier.all()[classifier.of_node(node)].category);
  return result;
}

Purposes purposes(const Profile& profile) {
  const Classifier classifier(profile);
  Purposes result;
  constexpr uint32_t kNone = UINT32_MAX;
  std::vector<uint32_t> known(classifier.all().size(), kNone);
  const auto number_of = [&](uint32_t purpose) {
    if (known[purpose] == kNone) {
      known[purpose] = static_cast<uint32_t>(result.all.size());
      result.all.push_back(classifier.all()[purpose]);
    }
    return known[purpose];
  };
  for (const Sample& sample : profile.samples) result.of_sample.push_back(number_of(classifier.of(sample)));
  for (uint32_t node = 0; node < profile.nodes.size(); ++node)
    result.of_node.push_back(number_of(classifier.of_node(node)));
  return result;
}

namespace {

// Sums by purpose and nearest own function: one row per purpose, made on demand.
class Sums {
 public:
  Sums(size_t purposes, size_t functions) : rows_(purposes), functions_(functions) {}

  void add(uint32_t purpose, uint32_t own, uint64_t periods) {
    std::vector<uint64_t>& row = rows_[purpose];
    if (row.empty()) row.resize(functions_);
    row[own] += periods;
  }
  const std::vector<uint64_t>& of(uint32_t purpose) const { return rows_[purpose]; }

 private:
  std::vector<std::vector<uint64_t>> rows_;
  size_t functions_;
};

Sums sum(const Profile& profile, const Classifier& classifier) {
  const std::vector<uint32_t> nearest = nearest_own(profile);
  const std::vector<uint64_t>& periods = profile.samples.by_node();
  Sums sums(classifier.all().size(), profile.functions.size());
  std::vector<bool> by_sample(profile.nodes.size());
  bool any = false;
  for (uint32_t node = 0; node < periods.size(); ++node) {
    if (periods[node] == 0) continue;
    if (const std::optional<uint32_t> purpose = classifier.of_all(node))
      sums.add(*purpose, nearest[node], periods[node]);
    else
      any = by_sample[node] = true;
  }
  if (!any) return sums;
  for (const Sample& sample : profile.samples)
    if (by_sample[sample.node]) sums.add(classifier.of(sample), nearest[sample.node], sample.periods);
  return sums;
}

std::vector<CategoryTotals> categories_of(const Sums& sums, const std::vector<Share>& all, size_t functions) {
  std::map<Category, std::vector<uint64_t>> by_category;
  for (uint32_t purpose = 0; purpose < all.size(); ++purpose) {
    const std::vector<uint64_t>& row = sums.of(purpose);
    if (row.empty()) continue;
    std::vector<uint64_t>& total = by_category[all[purpose].category];
    total.resize(functions);
    for (size_t i = 0; i < functions; ++i) total[i] += row[i];
  }
  std::vector<CategoryTotals> result;
  for (const auto& [category, by_own] : by_category) {
    CategoryTotals& totals = result.emplace_back();
    totals.category = category;
    uint64_t most = 0;
    for (uint32_t function = 0; function < functions; ++function) {
      totals.periods += by_own[function];
      if (function == 0 || by_own[function] <= most) continue;
      totals.most_by = function;
      most = by_own[function];
    }
  }
  return result;
}

}  // namespace

// The results of one pass over the samples.
struct Spending {
  std::vector<Share> shares;
  std::vector<CategoryTotals> categories;
};

namespace {

const Spending& spending(const Profile& profile) {
  std::shared_ptr<const Spending>& known = profile.samples.findings().spending;
  if (known) return *known;
  const Classifier classifier(profile);
  const Sums sums = sum(profile, classifier);
  Spending found;
  found.categories = categories_of(sums, classifier.all(), profile.functions.size());
  for (uint32_t purpose = 0; purpose < classifier.all().size(); ++purpose) {
    const std::vector<uint64_t>& row = sums.of(purpose);
    if (row.empty()) continue;
    found.shares.push_back(classifier.all()[purpose]);
    for (const uint64_t periods : row) found.shares.back().periods += periods;
  }
  std::ranges::sort(found.shares, {}, [](const Share& share) { return std::tie(share.category, share.name); });
  std::ranges::stable_sort(found.shares, std::greater<>(), &Share::periods);
  known = std::make_shared<const Spending>(std::move(found));
  return *known;
}

}  // namespace

std::vector<Share> shares(const Profile& profile) { return spending(profile).shares; }

std::vector<CategoryTotals> category_totals(const Profile& profile) { return spending(profile).categories; }

uint64_t program_periods(const Profile& profile) {
  uint64_t of_oriel = 0;
  for (const CategoryTotals& totals : spending(profile).categories)
    if (totals.category == Category::kOriel) of_oriel = totals.periods;
  return profile.total_periods() - of_oriel;
}

std::vector<OwnTotals> own_totals(const Profile& profile) {
  const std::vector<uint32_t> nearest = nearest_own(profile);
  std::vector<uint64_t> sums(profile.functions.size());
  const std::vector<uint64_t>& periods = profile.samples.by_node();
  for (size_t i = 0; i < periods.size(); ++i) sums[nearest[i]] += periods[i];
  std::vector<OwnTotals> result;
  for (const FunctionTotals& totals : function_totals(profile)) {
    const Function& function = profile.functions[totals.function];
    if (totals.function == 0 || !is_own(function, profile)) continue;
    // The async entry point only calls Main, which has the same name.
    if (is_made_for_async_main(function) && sums[totals.function] == 0) continue;
    result.push_back({totals.function, sums[totals.function], totals.total});
  }
  std::ranges::stable_sort(result, std::greater<>(), &OwnTotals::nearest);
  return result;
}

}  // namespace oriel::profile
