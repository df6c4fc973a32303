#include "profile/category.h"

#include <algorithm>
#include <map>
#include <span>
#include <string_view>
#include <utility>

#include "oriel/oriel.h"
#include "profile/call_tree.h"
#include "profile/purpose.h"
#include "profile/sample_tree.h"

namespace oriel::profile {
namespace {

bool gives_way(const Purpose& own, const Purpose& caller) {
  // The compiler within the preparation of a call is the more precise answer.
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

// By node: the function that says what the node is for.
std::vector<uint32_t> telling_functions(const Profile& profile, const std::vector<Purpose>& purposes) {
  std::vector<uint32_t> telling(profile.nodes.size());
  for (size_t i = 1; i < profile.nodes.size(); ++i) {
    const Node& node = profile.nodes[i];
    const uint32_t caller = telling[node.parent];
    telling[i] = gives_way(purposes[node.function], purposes[caller]) ? caller : node.function;
  }
  return telling;
}

// Threads of the runtime that serve one purpose, by the names that it gives them.
struct OwnThread {
  std::string_view begins;
  Category category;
};
constexpr OwnThread kOwnThreads[] = {
    {".NET Server GC", Category::kGc},
    {".NET BGC", Category::kGc},
    {".NET GC", Category::kGc},
    {".NET Tiered Com", Category::kTiering},  // the kernel keeps no more of ".NET Tiered Compilation Worker"
};

// The time in which the program's threads stand: what the runtime does then is the collector's, or belongs to why they
// were stopped.
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

// Whether what a thread of the runtime does is what it is there for.
bool is_its_threads(Category category) {
  return category == Category::kRuntime || category == Category::kAllocation || category == Category::kUnknown ||
         category == Category::kStart || category == Category::kKernel;
}

// Native code of the program goes on in a pause.
bool is_its_pauses(Category category) { return category == Category::kRuntime || category == Category::kAllocation; }

Category in_pause(const Pause& pause) {
  const bool collects = pause.reason == ORIEL_SUSPEND_GC || pause.reason == ORIEL_SUSPEND_GC_PREPARE;
  return collects ? Category::kGc : Category::kSuspension;
}

std::string of_jit(Category of_thread) { return of_thread == Category::kTiering ? "again, optimized" : "first time"; }

// What each sample is for.
class Classifier {
 public:
  explicit Classifier(const Profile& profile) : pauses_(profile.pauses) {
    for (const Function& function : profile.functions) purposes_.push_back(purpose_of(function, profile));
    telling_ = telling_functions(profile, purposes_);
    for (const Thread& thread : profile.threads) of_threads_.push_back(category_of_thread(thread));
  }

  // Without periods.
  Share of(const Sample& sample) const {
    const Purpose& purpose = purposes_[telling_[sample.node]];
    const Category of_thread = of_threads_[sample.thread];
    Category category = purpose.category;
    if (of_thread != Category::kUnknown && is_its_threads(category))
      category = of_thread;
    else if (const Pause* pause = is_its_pauses(category) ? pauses_.at(sample.ns) : nullptr)
      category = in_pause(*pause);
    return {category, category == Category::kJit ? of_jit(of_thread) : purpose.name, 0};
  }

  // By its functions alone. Without periods.
  Share of(uint32_t node) const {
    const Purpose& purpose = purposes_[telling_[node]];
    return {purpose.category, purpose.name, 0};
  }

 private:
  std::vector<Purpose> purposes_;     // by function
  std::vector<uint32_t> telling_;     // by node
  std::vector<Category> of_threads_;  // by thread
  Pauses pauses_;
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

std::vector<uint32_t> nearest_own(const Profile& profile) {
  std::vector<bool> own(profile.functions.size());
  for (size_t i = 1; i < own.size(); ++i) own[i] = is_own(profile.functions[i], profile);
  std::vector<uint32_t> nearest(profile.nodes.size());
  for (size_t i = 1; i < nearest.size(); ++i)
    nearest[i] = own[profile.nodes[i].function] ? profile.nodes[i].function : nearest[profile.nodes[i].parent];
  return nearest;
}

Purposes purposes(const Profile& profile) {
  const Classifier classifier(profile);
  Purposes result;
  std::map<std::pair<Category, std::string>, uint32_t> known;
  const auto number_of = [&](Share share) {
    const auto next = static_cast<uint32_t>(result.all.size());
    const auto [at, is_new] = known.try_emplace({share.category, share.name}, next);
    if (is_new) result.all.push_back(std::move(share));
    return at->second;
  };
  for (const Sample& sample : profile.samples) result.of_sample.push_back(number_of(classifier.of(sample)));
  for (uint32_t node = 0; node < profile.nodes.size(); ++node) result.of_node.push_back(number_of(classifier.of(node)));
  return result;
}

std::vector<Share> shares(const Profile& profile) {
  const Classifier classifier(profile);
  std::map<std::pair<Category, std::string>, uint64_t> sums;
  for (const Sample& sample : profile.samples) {
    const Share share = classifier.of(sample);
    sums[{share.category, share.name}] += sample.periods;
  }
  std::vector<Share> result;
  for (const auto& [key, periods] : sums) result.push_back({key.first, key.second, periods});
  std::ranges::stable_sort(result, std::greater<>(), &Share::periods);
  return result;
}

std::vector<CategoryTotals> category_totals(const Profile& profile) {
  const Classifier classifier(profile);
  const std::vector<uint32_t> nearest = nearest_own(profile);
  std::map<Category, std::map<uint32_t, uint64_t>> by_own;
  for (const Sample& sample : profile.samples)
    by_own[classifier.of(sample).category][nearest[sample.node]] += sample.periods;
  std::vector<CategoryTotals> result;
  for (const auto& [category, functions] : by_own) {
    CategoryTotals& totals = result.emplace_back();
    totals.category = category;
    uint64_t most = 0;
    for (const auto& [function, periods] : functions) {
      totals.periods += periods;
      if (function == 0 || periods <= most) continue;
      totals.most_by = function;
      most = periods;
    }
  }
  return result;
}

std::vector<OwnTotals> own_totals(const Profile& profile) {
  const std::vector<uint32_t> nearest = nearest_own(profile);
  std::vector<uint64_t> sums(profile.functions.size());
  for (const Sample& sample : profile.samples) sums[nearest[sample.node]] += sample.periods;
  std::vector<OwnTotals> result;
  for (const FunctionTotals& totals : function_totals(profile)) {
    if (totals.function != 0 && is_own(profile.functions[totals.function], profile))
      result.push_back({totals.function, sums[totals.function], totals.total});
  }
  std::ranges::stable_sort(result, std::greater<>(), &OwnTotals::nearest);
  return result;
}

}  // namespace oriel::profile
