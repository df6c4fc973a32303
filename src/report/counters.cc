#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/text/words.h"
#include "log/event.h"
#include "log/properties.h"
#include "profile/build/process.h"
#include "profile/recorded.h"
#include "profile/work/series.h"
#include "report/report.h"
#include "report/words/json.h"
#include "report/words/notes.h"
#include "report/words/table.h"
#include "report/words/text.h"
#include "report/words/units.h"

namespace oriel::report {

using profile::CounterSeries;
using profile::Profile;
using profile::SeriesFigures;

namespace {

constexpr uint32_t kCounterParts = 16;
constexpr std::string_view kAtMost = " at most";  // suffix of the names of limits that Oriel's listener reached

// Units in braces, "{request}", are annotations.
bool is_of_things(const std::string& unit) { return unit.empty() || unit == "1" || unit.starts_with('{'); }

std::string number(double value) {
  if (std::abs(value) >= 1000 && std::abs(value) < 1e18)
    return (value < 0 ? "-" : "") + rounded_count(static_cast<uint64_t>(std::llround(std::abs(value))));
  return value == std::round(value) ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
}

std::string amount(double value, const std::string& unit) {
  constexpr double kMost = 9e9;  // seconds that duration() can show
  if (unit == "By" && value >= 0 && value < 1e18) return bytes(static_cast<uint64_t>(std::llround(value)));
  if (unit == "s" && std::abs(value) < kMost)
    return value == 0 ? "0 s" : duration(static_cast<int64_t>(std::llround(value * 1e9)));
  return number(value) + (is_of_things(unit) ? "" : unit.starts_with('/') ? unit : " " + unit);
}

std::string rate(double value, const std::string& unit) { return amount(value, unit) + "/s"; }

// Prefix of a quantile's tag, the first of a histogram's tags.
constexpr std::string_view kPercentile = "Percentile=";

int percentile_of(const CounterSeries& series) {
  const bool has = !series.tags.empty() && series.tags.front().starts_with(kPercentile);
  return has ? std::atoi(series.tags.front().c_str() + kPercentile.size()) : -1;
}

std::vector<std::string> tags_of(const CounterSeries& series) {
  return {series.tags.begin() + (percentile_of(series) < 0 ? 0 : 1), series.tags.end()};
}

// Keeps a counter's series together, and a histogram's quantiles.
auto order(const CounterSeries& series) {
  return std::tuple(series.process, series.meter, series.name, tags_of(series), percentile_of(series));
}

bool is_same_counter(const CounterSeries& a, const CounterSeries& b) {
  return a.process == b.process && a.meter == b.meter && a.name == b.name;
}

// Number of a counter's series by tag; a tag that all have does not distinguish them.
using TagCounts = std::map<std::string, size_t>;

// "p95  POST, /orders"
std::string label_of(const CounterSeries& series, const TagCounts& counts, size_t all) {
  std::vector<std::string> values;
  for (const std::string& tag : tags_of(series))
    if (all == 1 || counts.at(tag) < all) values.push_back(tag.substr(tag.find('=') + 1));
  const int part = percentile_of(series);
  return clean((part < 0 ? "" : fmt::format("p{}  ", part)) + join(values, ", "));
}

// Series from the log's own data first.
std::vector<CounterSeries> all_series(const Profile& profile) {
  std::vector<CounterSeries> all = profile::process_series(profile);
  const auto own = static_cast<ptrdiff_t>(all.size());
  all.insert(all.end(), profile.series.begin(), profile.series.end());
  std::stable_sort(all.begin() + own, all.end(),
                   [](const auto& one, const auto& other) { return order(one) < order(other); });
  return all;
}

struct CountersOptions : Options {
  bool all = false;  // also counters that were 0 all the time
};

bool is_nought(const SeriesFigures& figures) { return figures.least == 0 && figures.most == 0 && figures.last == 0; }

class CounterTable {
 public:
  CounterTable(const Profile& profile, const CountersOptions& options) : profile_(profile), options_(options) {}

  // Adds one counter's series.
  void add(std::span<const CounterSeries> all) {
    TagCounts counts;
    for (const CounterSeries& series : all)
      for (const std::string& tag : tags_of(series)) ++counts[tag];
    std::string name = clean(all.front().name);
    if (all.size() == 1) {
      const std::string label = label_of(all.front(), counts, 1);
      return add(all.front(), "  " + name + (label.empty() ? "" : " {" + label + "}"));
    }
    heading_ = "  " + std::move(name);
    for (const CounterSeries& series : all) add(series, "    " + label_of(series, counts, all.size()));
    heading_.clear();
  }

  void write(std::ostream& out) const {
    table_.write(out, options_.width, 0, Style(options_.color));
    if (more_ != 0) write_note(fmt::format("And {}.", counted(more_, "more counter", "more counters")), options_, out);
    if (left_out_ != 0)
      write_note(fmt::format("Hidden: {} 0 all the time; --all shows them.",
                             counted(left_out_, "counter that was", "counters that were")),
                 options_, out);
  }

 private:
  std::string meter_of(const CounterSeries& series) const {
    const std::string meter = clean(series.meter);
    const bool is_alone = profile_.processes.size() < 2 || series.process >= profile_.processes.size();
    return is_alone ? meter : clean(process_label(profile_.processes[series.process])) + ": " + meter;
  }

  void add_heading(std::string text) {
    table_.add({"", "", "", ""}, [text = std::move(text)](size_t width) { return cut_end(text, width); });
  }

  void add(const CounterSeries& series, std::string name) {
    const SeriesFigures figures = profile::figures(series, profile_, kCounterParts);
    if (is_nought(figures) && !options_.all) {
      ++left_out_;
      return;
    }
    if (shown_ == rows(options_, SIZE_MAX)) {
      ++more_;
      return;
    }
    ++shown_;
    if (const std::string meter = meter_of(series); meter != meter_) add_heading(meter_ = meter);
    if (!heading_.empty()) add_heading(std::exchange(heading_, ""));
    const auto cell = [&](double value) {
      return series.is_total ? rate(value, series.unit) : amount(value, series.unit);
    };
    table_.add({cell(figures.mean), cell(figures.most), amount(figures.last, series.unit), bars(figures.parts)},
               [name = std::move(name)](size_t width) { return cut_middle(name, width); });
  }

  const Profile& profile_;
  const CountersOptions& options_;
  Table table_{{{"mean"}, {"max"}, {"last value"}, {"over the run", Table::Align::kLeft}}, "counter"};
  size_t left_out_ = 0, shown_ = 0, more_ = 0;
  std::string meter_;
  std::string heading_;  // of a counter with several series, until the first is shown
};

// The runtime's reasons, in the terms of its documentation.
const char* pool_reason_text(std::string_view reason) {
  if (reason == "starvation") return "starvation";
  if (reason == "blocking") return "cooperative-blocking";
  if (reason == "throughput") return "hill-climbing";
  if (reason == "idle") return "idle-timeout";
  return "other";
}

// "Thread pool: 2 to 7 workers; 20 hill-climbing adjustments, 1 starvation adjustment."
std::string pool_text(const std::string& pool, const std::vector<profile::PoolChange>& changes) {
  const auto [least, most] = std::ranges::minmax(changes, {}, &profile::PoolChange::threads);
  std::map<uint64_t, uint64_t> times;
  for (const profile::PoolChange& change : changes) ++times[change.reason];
  std::vector<std::string> parts;
  for (const auto& [reason, number] : times) {
    const std::string kind = pool_reason_text(profile::PoolChange{.reason = reason}.reason_name());
    parts.push_back(counted(number, kind + " adjustment", kind + " adjustments"));
  }
  return fmt::format("{}: {} to {} workers; {}.", pool, count(least.threads), count(most.threads),
                     fmt::join(parts, ", "));
}

void write_pools(const Profile& profile, const Options& options, std::ostream& out) {
  std::map<uint32_t, std::vector<profile::PoolChange>> of_process;
  for (const profile::PoolChange& change : profile.pool_changes) of_process[change.process].push_back(change);
  for (const auto& [process, changes] : of_process) {
    const bool is_alone = profile.processes.size() < 2 || process >= profile.processes.size();
    const std::string pool =
        is_alone ? "Thread pool" : clean(process_label(profile.processes[process])) + ": thread pool";
    write_note(pool_text(pool, changes), options, out);
  }
}

// Notes that the program has more meters or series than the limit.
void write_limits(const Profile& profile, const Options& options, std::ostream& out) {
  for (const CounterSeries& series : profile.series) {
    if (series.meter != "Oriel") continue;
    std::string what = clean(series.name);
    if (what.ends_with(kAtMost)) what.resize(what.size() - kAtMost.size());
    write_note(
        fmt::format("The program's meters have more than {} {}, one for each set of tags: the others are missing.",
                    number(series.points.back().value), what),
        options, out);
  }
}

// Why there are no counters beside those from the log's own data.
std::string why_no_more(const Profile& profile) {
  const std::string* const asked = profile::property(profile.intro, log::property::kCounters);
  if (profile::is_of_mono(profile)) return "Mono has no event sources that Oriel could take more from.";
  if (asked != nullptr)
    return fmt::format("No values of {} (--counters) were reported; they come once a second.", clean(*asked));
  return "`oriel run --counters` logs the runtime's own too: allocations, exceptions, thread pool, JIT.";
}

void write_counters(const Profile& profile, const CountersOptions& options, std::ostream& out) {
  write_title("Counters", profile, options, out, profile::Unit::kPeriods, kByTimeOnly);
  const std::vector<CounterSeries> all = all_series(profile);
  if (all.empty() && profile.filter.has_time())
    return write_note("No values of counters in this part of the log.", options, out);
  if (all.empty()) return write_note("This log has no counters. " + why_no_more(profile), options, out);
  CounterTable table(profile, options);
  for (auto begin = all.begin(); begin != all.end();) {
    const auto end = std::find_if(begin, all.end(), [&](const auto& one) { return !is_same_counter(*begin, one); });
    table.add({begin, end});
    begin = end;
  }
  table.write(out);
  write_pools(profile, options, out);
  write_limits(profile, options, out);
  if (profile.series.empty()) write_note(why_no_more(profile), options, out);
}

void counters_json(const Profile& profile, const Options& options, Json& json) {
  json["counters"] = Json::array();
  json["pool"] = Json::array();
  for (const profile::PoolChange& change : profile.pool_changes)
    json["pool"].push_back({{"ns", change.ns},
                            {"threads", change.threads},
                            {"process", change.process},
                            {"reason", change.reason_name()}});
  for (const CounterSeries& series : all_series(profile)) {
    if (json["counters"].size() == rows(options, SIZE_MAX)) break;
    const SeriesFigures figures = profile::figures(series, profile, kCounterParts);
    Json points = Json::array();
    for (const CounterSeries::Point& point : series.points) points.push_back({point.ns, point.value});
    json["counters"].push_back({{"meter", series.meter},
                                {"name", series.name},
                                {"unit", series.unit},
                                {"tags", series.tags},
                                {"is_total", series.is_total},
                                {"process", series.process},
                                {"least", figures.least},
                                {"mean", figures.mean},
                                {"most", figures.most},
                                {"last", figures.last},
                                {"points", std::move(points)}});
  }
}

constexpr Option kCountersOptions[] = {
    own_flag<Options, &CountersOptions::all>("--all", "also those that were 0 all the time")};

}  // namespace

extern const Report kCountersReport = {
    .name = "counters",
    .help = "counters over time: processor, memory, heap, and what --counters logged",
    .options = kCountersOptions,
    .own = own_options<CountersOptions>,
    .text = by_own<write_counters>,
    .json = counters_json,
};

}  // namespace oriel::report
