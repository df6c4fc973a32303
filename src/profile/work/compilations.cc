#include "profile/work/compilations.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "profile/work/purpose.h"

namespace oriel::profile {

namespace {

using Moment = std::pair<uint32_t, int64_t>;  // a thread and a time, of a sample

// The samples in compilations that are the program's: while a method is compiled, Oriel adds its probes.
std::vector<Compiling> of_the_program(const Profile& profile) {
  std::vector<Compiling> rows(profile.compiling.begin(), profile.compiling.end());
  if (rows.empty() || program_periods(profile) == profile.total_periods()) return rows;  // most logs: none is Oriel's
  const Purposes purposes = profile::purposes(profile);
  std::set<Moment> of_oriel;
  for (size_t i = 0; i < profile.samples.size(); ++i) {
    const Sample& sample = profile.samples[i];
    if (purposes.all[purposes.of_sample[i]].category == Category::kOriel) of_oriel.emplace(sample.thread, sample.ns);
  }
  std::erase_if(rows, [&](const Compiling& one) { return of_oriel.contains({one.thread, one.ns}); });
  return rows;
}

}  // namespace

std::vector<CompilationTotals> compilation_totals(const Profile& profile) {
  std::map<uint32_t, CompilationTotals> by_function;
  for (const Compiling& one : of_the_program(profile)) {
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

std::vector<FirstCompilations> first_compilations(const Profile& profile) {
  std::map<std::pair<Category, std::string>, uint64_t> by_origin;
  for (const CompilationTotals& totals : compilation_totals(profile)) {
    const Purpose purpose = purpose_of(profile.functions[totals.function], profile);
    if (totals.first > 0) by_origin[{purpose.category, purpose.name}] += totals.first;
  }
  std::vector<FirstCompilations> result;
  for (const auto& [origin, periods] : by_origin) result.push_back({origin.first, origin.second, periods});
  std::ranges::stable_sort(result, std::greater<>(), &FirstCompilations::periods);
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

std::vector<Share> beside_the_compiler(const Profile& profile) {
  std::set<Moment> compiling;
  for (const Compiling& one : of_the_program(profile)) compiling.emplace(one.thread, one.ns);
  if (compiling.empty()) return {};
  const Purposes purposes = profile::purposes(profile);
  std::map<std::pair<Category, std::string>, uint64_t> periods;
  for (size_t i = 0; i < profile.samples.size(); ++i) {
    const Sample& sample = profile.samples[i];
    const Share& share = purposes.all[purposes.of_sample[i]];
    if (share.category != Category::kJit && compiling.contains({sample.thread, sample.ns}))
      periods[{share.category, share.name}] += sample.periods;
  }
  std::vector<Share> result;
  for (const auto& [share, sum] : periods) result.push_back({share.first, share.second, sum});
  std::ranges::stable_sort(result, std::greater<>(), &Share::periods);
  return result;
}

}  // namespace oriel::profile
