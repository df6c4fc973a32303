#include <algorithm>

#include "report/shares.h"
#include "report/words/function_name.h"
#include "report/words/function_table.h"
#include "report/words/json.h"
#include "report/words/notes.h"
#include "report/words/shown_line.h"
#include "report/words/units.h"

namespace oriel::report {

using profile::FunctionTotals;
using profile::Profile;

namespace {

constexpr size_t kTopRows = 25;

std::vector<FunctionTotals> by_self(const Profile& profile, const Options& options) {
  return top_by_self(profile::function_totals(profile), rows(options, kTopRows));
}

std::vector<FunctionTotals> by_total(const Profile& profile, const Options& options) {
  std::vector<FunctionTotals> functions = most_total_first(profile::function_totals(profile), profile, options);
  functions.resize(std::min(functions.size(), rows(options, kTopRows)));
  return functions;
}

void write_top(const Profile& profile, const Options& options, std::ostream& out) {
  const uint64_t whole = profile.total_periods();
  write_title("Top methods of " + counted(whole, "sample", "samples"), profile, options, out);
  if (whole == 0) return write_note(why_no_samples(profile), options, out);
  const std::map<uint32_t, ShownLine> lines = hottest_own_lines(profile, options);
  write_own_methods(profile, rows(options, kTopRows), lines, options, "", out);
  write_function_table(by_self(profile, options), Order::kSelf, whole, profile, options, "", lines, out);
  out << '\n';
  write_function_table(by_total(profile, options), Order::kTotal, whole, profile, options, "", lines, out);
  const size_t all = profile::function_totals(profile).size();
  if (all > rows(options, kTopRows)) {
    out << '\n';
    write_note(
        "The first " + count(rows(options, kTopRows)) + " of " + counted(all, "method", "methods") + " each way.",
        options, out);
  }
}

void top_json(const Profile& profile, const Options& options, Json& json) {
  const uint64_t whole = profile.total_periods();
  json["samples"] = whole;
  json["hz"] = profile.sampling_hz;
  const std::map<uint32_t, ShownLine> lines = hottest_own_lines(profile, options);
  const auto row = [&](const FunctionTotals& entry) {
    Json result = totals_json(entry, profile, whole);
    add_line(lines, entry.function, result);
    return result;
  };
  json["own"] = own_methods_json(profile, options.limit == 0 ? SIZE_MAX : options.limit);
  json["by_self"] = Json::array();
  json["by_total"] = Json::array();
  for (const FunctionTotals& entry : by_self(profile, options)) json["by_self"].push_back(row(entry));
  for (const FunctionTotals& entry : by_total(profile, options)) json["by_total"].push_back(row(entry));
  if (whole == 0) json["note"] = why_no_samples(profile);
}

}  // namespace

extern const Report kTopReport = {
    .name = "top",
    .help = "methods by self and by total samples",
    .options = {&kAllFrames, 1},
    .text = write_top,
    .json = top_json,
    .of_methods = true,
};

}  // namespace oriel::report
