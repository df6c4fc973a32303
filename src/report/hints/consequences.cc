#include "report/hints/consequences.h"

#include <algorithm>
#include <string_view>

namespace oriel::report {
namespace {

// Drops `hint` if the hint of `cause` has more than this part of its share.
struct Consequence {
  std::string_view cause;
  std::string_view hint;
  double part;
};
constexpr Consequence kConsequences[] = {
    // Boxing already implies allocation.
    {"boxing", "allocation", 0.5},
    // Patterns that are used once are not worth compiling, which the other hint advises.
    {"regex-made", "regex", 0.5},
    // Both are costs of allocation.
    {"gc", "allocation", 1},
    {"allocation", "gc", 1},
};

}  // namespace

HintedUses::HintedUses(const std::vector<profile::Use>& told, const profile::Profile& profile)
    : by_category_(static_cast<size_t>(profile::Category::kUnknown) + 1) {
  if (told.empty()) return;
  const std::vector<profile::Category> categories = profile::node_categories(profile);
  for (const profile::Use use : told) {
    const std::vector<uint64_t> periods = profile::periods_of_use(use, profile);
    for (size_t i = 0; i < periods.size(); ++i) by_category_[static_cast<size_t>(categories[i])] += periods[i];
  }
}

void drop_consequences(std::vector<Hint>& hints) {
  for (const Consequence& one : kConsequences) {
    const auto cause = std::ranges::find(hints, one.cause, &Hint::key);
    const auto other = std::ranges::find(hints, one.hint, &Hint::key);
    if (cause != hints.end() && other != hints.end() && cause->share > one.part * other->share) hints.erase(other);
  }
}

}  // namespace oriel::report
