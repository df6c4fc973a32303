// Removes hints that follow from other hints.
#pragma once

#include <cstdint>
#include <vector>

#include "profile/work/category.h"
#include "profile/work/uses.h"
#include "report/hints/hints.h"

namespace oriel::report {

// Periods by category within uses that have hints: their allocation, GC and PGO instrumentation disappears with the
// uses.
class HintedUses {
 public:
  HintedUses(const std::vector<profile::Use>& told, const profile::Profile& profile);
  uint64_t periods(profile::Category category) const { return by_category_[static_cast<size_t>(category)]; }

 private:
  std::vector<uint64_t> by_category_;
};

// Of two hints with one cause, removes the less informative one.
void drop_consequences(std::vector<Hint>& hints);

}  // namespace oriel::report
