#include "profile/trees/diff.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include "profile/memory/gc_totals.h"
#include "profile/recorded.h"
#include "profile/trees/call_totals.h"
#include "profile/trees/call_tree.h"
#include "profile/work/category.h"

namespace oriel::profile {
namespace {

constexpr double kDeviations = 3;

std::string key_of(const Function& function) {
  return function.name + "\t" + function.module + (function.managed ? "" : "\tnative");
}

// Nanoseconds per sampling period.
double period_of(const Profile& run) { return run.sampling_hz == 0 ? 0 : 1e9 / run.sampling_hz; }

// The quantum grows with the mean weight of samples: one that stands for several periods has more variance.
double quantum_of(const Profile& run) {
  if (run.sample_window_ns > 0) return period_of(run) * run.sample_weight;
  double periods = 0, squares = 0;
  for (const Sample& sample : run.samples) {
    const auto weight = static_cast<double>(sample.periods);
    periods += weight;
    squares += weight * weight;
  }
  return periods == 0 ? 0 : period_of(run) * squares / periods;
}

Amounts& table(RunAmounts& run, Metric metric) { return run.of[static_cast<size_t>(metric)]; }

class TimeAdder {
 public:
  TimeAdder(const Profile& run, RunAmounts& amounts, Metric metric)
      : period_(period_of(run)), quantum_(quantum_of(run)), amounts_(table(amounts, metric)) {
    amounts.quantum[static_cast<size_t>(metric)] = quantum_;
  }
  void add(const std::string& name, uint64_t periods) {
    if (periods == 0) return;
    Amount& amount = amounts_[name];
    const double value = static_cast<double>(periods) * period_;
    amount.value += value;
    amount.variance += value * quantum_;
  }

 private:
  double period_, quantum_;
  Amounts& amounts_;
};

// The row's name. Only packages, frameworks and libraries have names within their category.
std::string category_row(const Share& share) {
  const bool base = share.category == Category::kFramework && share.name == "Microsoft.NETCore.App";
  const bool named = share.category == Category::kPackage || share.category == Category::kFramework ||
                     share.category == Category::kGuest || share.category == Category::kNative;
  return std::to_string(static_cast<int>(share.category)) + "\t" + (named && !base ? share.name : "");
}

void add_times(const Profile& run, RunAmounts& result) {
  TimeAdder categories(run, result, Metric::kCategory), own(run, result, Metric::kOwn),
      self(run, result, Metric::kSelf);
  std::map<std::string, uint64_t> by_category;
  for (const Share& share : shares(run)) by_category[category_row(share)] += share.periods;
  for (const auto& [name, periods] : by_category) categories.add(name, periods);
  for (const OwnTotals& totals : own_totals(run)) own.add(key_of(run.functions[totals.function]), totals.nearest);
  for (const FunctionTotals& totals : function_totals(run))
    self.add(key_of(run.functions[totals.function]), totals.self);
  TimeAdder whole(run, result, Metric::kWhole);
  whole.add("samples", run.total_periods());
}

void add_whole(const Profile& run, RunAmounts& result) {
  Amounts& whole = table(result, Metric::kWhole);
  if (const std::optional<CpuTime> cpu = cpu_time(run))
    whole["cpu"].value = static_cast<double>(cpu->program_us() - cpu->before_us) * 1e3;
  whole["wall"].value = static_cast<double>(run.wall_ns);
  if (run.usage.max_rss_kb > 0) whole["memory"].value = static_cast<double>(run.usage.max_rss_kb) * 1024;
  if (!has_events(run, "gc")) return;
  const GcTotals gc = gc_totals(run);
  whole["collections"] = {static_cast<double>(gc.count), static_cast<double>(gc.count)};
  Amount& pauses = whole["pauses"];
  for (const Collection& collection : run.collections) {
    const auto pause = static_cast<double>(collection.pause_ns);
    pauses.value += pause;
    pauses.variance += pause * pause;
  }
}

void add_allocations(const Profile& run, RunAmounts& result) {
  double sampled = 0, samples = 0;
  for (const AllocationTotals& totals : allocations_by_type(run)) {
    Amount& amount = table(result, Metric::kType)[key_of(run.functions[totals.type])];
    const auto bytes = static_cast<double>(totals.bytes);
    amount.value += bytes;
    if (totals.samples == 0) continue;
    amount.variance += bytes * bytes / static_cast<double>(totals.samples);
    sampled += bytes;
    samples += static_cast<double>(totals.samples);
  }
  result.quantum[static_cast<size_t>(Metric::kType)] = samples == 0 ? 0 : sampled / samples;
}

struct Side {
  double runs = 0;
  double mean = 0;
  double squares = 0;   // sum of squared deviations from the mean
  double variance = 0;  // sampling variance of one run: the mean
  double quantum = 0;
};

Side side_of(const std::vector<RunAmounts>& runs, size_t metric, const std::string& name) {
  Side side;
  side.runs = static_cast<double>(runs.size());
  std::vector<double> values;
  for (const RunAmounts& run : runs) {
    const auto found = run.of[metric].find(name);
    const Amount amount = found == run.of[metric].end() ? Amount{} : found->second;
    values.push_back(amount.value);
    side.mean += amount.value / side.runs;
    side.variance += amount.variance / side.runs;
    side.quantum += run.quantum[metric] / side.runs;
  }
  for (const double value : values) side.squares += (value - side.mean) * (value - side.mean);
  return side;
}

// Assumes as null hypothesis that both sides are equal, with the pooled variance. So a row that is missing on one side
// is judged by that side's quantum.
double noise_of_chance(const Side& before, const Side& after) {
  if (before.quantum == 0 && after.quantum == 0)
    return kDeviations * std::sqrt(before.variance / before.runs + after.variance / after.runs);
  const double exposure_before = before.quantum == 0 ? 0 : before.runs / before.quantum;
  const double exposure_after = after.quantum == 0 ? 0 : after.runs / after.quantum;
  const double common =
      (before.mean * exposure_before + after.mean * exposure_after) / (exposure_before + exposure_after);
  return kDeviations * std::sqrt(common * (before.quantum / before.runs + after.quantum / after.runs));
}

double noise_of_spread(const Side& before, const Side& after) {
  const double degrees = before.runs + after.runs - 2;
  if (degrees < 1) return 0;
  const double variance = (before.squares + after.squares) / degrees;
  return student_t(static_cast<size_t>(degrees)) * std::sqrt(variance * (1 / before.runs + 1 / after.runs));
}

Difference compare(const std::vector<RunAmounts>& before, const std::vector<RunAmounts>& after, size_t metric,
                   const std::string& name) {
  const Side one = side_of(before, metric, name), other = side_of(after, metric, name);
  // CPU, wall and memory of a single run are exact, but give no between-run variance.
  const bool measured = one.quantum > 0 || other.quantum > 0 || one.variance > 0 || other.variance > 0;
  const bool judged = measured || metric != static_cast<size_t>(Metric::kWhole) || one.runs + other.runs > 2;
  Difference result{name, one.mean, other.mean, 0, false};
  result.noise = std::max(noise_of_chance(one, other), noise_of_spread(one, other));
  const double least = 1e-9 * (std::abs(one.mean) + std::abs(other.mean));  // rounding error
  result.significant = judged && std::abs(result.change()) > std::max(result.noise, least);
  return result;
}

}  // namespace

double student_t(size_t degrees) {
  // Quantiles at 0.99865, which is the normal distribution's at three deviations.
  constexpr double kTable[] = {235.8, 19.21, 9.219, 6.620, 5.507, 4.904, 4.530, 4.277, 4.094, 3.957};
  if (degrees == 0) return INFINITY;
  if (degrees <= std::size(kTable)) return kTable[degrees - 1];
  // First terms of the expansion around the normal distribution (Abramowitz and Stegun, 26.7.5).
  const double z = kDeviations, n = static_cast<double>(degrees);
  return z + (z * z * z + z) / (4 * n) + (5 * std::pow(z, 5) + 16 * z * z * z + 3 * z) / (96 * n * n);
}

RunAmounts amounts(const Profile& run) {
  RunAmounts result;
  result.sampled = is_sampled(run) && run.sampling_hz > 0;
  result.allocations = has_allocations(run) && !run.allocations.empty();
  if (result.sampled) add_times(run, result);
  // kWhole has exact rows beside sampled ones, so it has no quantum.
  result.quantum[static_cast<size_t>(Metric::kWhole)] = 0;
  add_whole(run, result);
  add_allocations(run, result);
  return result;
}

std::string LineAmount::name(const Profile& run) const {
  return key_of(run.functions[function]) + "\t+" + std::to_string(offset);
}

void add_lines(const Profile& run, const std::vector<LineAmount>& lines, RunAmounts& to) {
  if (!to.sampled) return;
  TimeAdder adder(run, to, Metric::kLine);
  for (const LineAmount& line : lines) adder.add(line.name(run), line.periods);
}

std::vector<Difference> differences(const std::vector<RunAmounts>& before, const std::vector<RunAmounts>& after,
                                    Metric metric) {
  const auto index = static_cast<size_t>(metric);
  std::set<std::string> names;
  for (const auto* side : {&before, &after})
    for (const RunAmounts& run : *side)
      for (const auto& [name, amount] : run.of[index]) names.insert(name);
  std::vector<Difference> rows;
  for (const std::string& name : names) rows.push_back(compare(before, after, index, name));
  std::ranges::stable_sort(rows, [](const Difference& a, const Difference& b) {
    if (a.significant != b.significant) return a.significant;
    return std::abs(a.change()) > std::abs(b.change());
  });
  return rows;
}

}  // namespace oriel::profile
