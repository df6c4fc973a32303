#include "profile/compilations.h"

#include <algorithm>
#include <map>

#include "profile/category.h"

namespace oriel::profile {

std::vector<CompilationTotals> compilation_totals(const Profile& profile) {
  std::map<uint32_t, CompilationTotals> by_function;
  for (const Compiling& one : profile.compiling) {
    const bool in_background = category_of_thread(profile.threads[one.thread]) == Category::kTiering;
    CompilationTotals& totals = by_function[one.function];
    totals.function = one.function;
    (in_background ? totals.tiered : one.again ? totals.in_place : totals.first) += one.periods;
  }
  std::vector<CompilationTotals> result;
  for (const auto& [function, totals] : by_function) result.push_back(totals);
  std::ranges::stable_sort(result, std::greater<>(), &CompilationTotals::all);
  return result;
}

CompilationTotals sum(const std::vector<CompilationTotals>& totals) {
  CompilationTotals result;
  for (const CompilationTotals& one : totals) {
    result.first += one.first;
    result.tiered += one.tiered;
    result.in_place += one.in_place;
  }
  return result;
}

}  // namespace oriel::profile
