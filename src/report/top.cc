#include <algorithm>

#include "report/common.h"
#include "report/function_name.h"
#include "report/top.h"
#include "report/units.h"

namespace oriel::report {

using profile::FunctionTotals;
using profile::Profile;

void write_function_table(std::span<const FunctionTotals> functions, Order order, uint64_t whole,
                          const Profile& profile, const Options& options, size_t indent, std::ostream& out) {
  const bool self_first = order == Order::kSelf;
  const auto title = [&](bool self) { return std::string(self ? "self" : "total"); };
  Table table({{title(self_first)}, {""}, {title(!self_first)}, {""}}, self_first ? "by self" : "by total");
  for (const FunctionTotals& entry : functions) {
    const uint64_t first = self_first ? entry.self : entry.total;
    const uint64_t second = self_first ? entry.total : entry.self;
    const profile::Function& function = profile.functions[entry.function];
    const bool none = second == 0;  // empty cells: the eye is to stop at what is there
    table.add(
        {percent(first, whole), time_of(first, profile), none ? "" : percent(second, whole),
         none ? "" : time_of(second, profile)},
        [&function](size_t width) { return fit_function(function, width); }, share(first, whole));
  }
  table.write(out, options.width, indent, Style(options.color));
}

std::vector<FunctionTotals> most_total_first(std::vector<FunctionTotals> functions) {
  std::stable_sort(functions.begin(), functions.end(),
                   [](const FunctionTotals& a, const FunctionTotals& b) { return a.total > b.total; });
  return functions;
}

namespace {

constexpr size_t kRows = 25;

size_t rows(const Options& options) { return options.limit == 0 ? kRows : options.limit; }

std::vector<FunctionTotals> by_self(const Profile& profile, const Options& options) {
  std::vector<FunctionTotals> functions = profile::function_totals(profile);
  std::erase_if(functions, [](const FunctionTotals& entry) { return entry.self == 0; });
  functions.resize(std::min(functions.size(), rows(options)));
  return functions;
}

std::vector<FunctionTotals> by_total(const Profile& profile, const Options& options) {
  std::vector<FunctionTotals> functions = most_total_first(profile::function_totals(profile));
  functions.resize(std::min(functions.size(), rows(options)));
  return functions;
}

void write_top(const Profile& profile, const Options& options, std::ostream& out) {
  const uint64_t whole = profile.total_periods();
  write_title("Top methods of " + counted(whole, "sample", "samples"), profile, options, out);
  if (whole == 0) return write_note(why_no_samples(profile), options, out);
  write_function_table(by_self(profile, options), Order::kSelf, whole, profile, options, 0, out);
  out << '\n';
  write_function_table(by_total(profile, options), Order::kTotal, whole, profile, options, 0, out);
  const size_t all = profile::function_totals(profile).size();
  if (all > rows(options)) {
    out << '\n';
    write_note("The first " + count(rows(options)) + " of " + counted(all, "method", "methods") + " each way.", options,
               out);
  }
}

void top_json(const Profile& profile, const Options& options, Json& json) {
  const uint64_t whole = profile.total_periods();
  json["samples"] = whole;
  json["hz"] = profile.sampling_hz;
  json["by_self"] = Json::array();
  json["by_total"] = Json::array();
  for (const FunctionTotals& entry : by_self(profile, options))
    json["by_self"].push_back(totals_json(entry, profile, whole));
  for (const FunctionTotals& entry : by_total(profile, options))
    json["by_total"].push_back(totals_json(entry, profile, whole));
  if (whole == 0) json["note"] = why_no_samples(profile);
}

}  // namespace

extern const Report kTopReport = {
    .name = "top",
    .help = "methods by the samples in themselves, and with what they call",
    .text = write_top,
    .json = top_json,
};

}  // namespace oriel::report
