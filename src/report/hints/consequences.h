// What follows from something that a hint tells already.
#pragma once

#include <cstdint>
#include <vector>

#include "profile/work/category.h"
#include "profile/work/uses.h"
#include "report/hints/hints.h"

namespace oriel::report {

// Of samples by category, those that lie within uses that are told: what allocating, collecting and counting for PGO
// take there goes when these do.
class ToldUses {
 public:
  ToldUses(const std::vector<profile::Use>& told, const profile::Profile& profile);
  uint64_t periods(profile::Category category) const { return by_category_[static_cast<size_t>(category)]; }

 private:
  std::vector<uint64_t> by_category_;
};

// Of two hints that are about one thing, the one that says less goes.
void drop_consequences(std::vector<Hint>& hints);

}  // namespace oriel::report
