#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <span>
#include <utility>

#include "profile/recorded.h"
#include "profile/work/category.h"
#include "profile/work/compilations.h"
#include "report/code_entries.h"
#include "report/shares.h"
#include "report/words/function_name.h"
#include "report/words/json.h"
#include "report/words/notes.h"
#include "report/words/table.h"
#include "report/words/text.h"
#include "report/words/units.h"

namespace oriel::report {

using profile::CompilationTotals;
using profile::Profile;

namespace {

constexpr size_t kJitRows = 30;

void write_table(const std::vector<CompilationTotals>& totals, const Profile& profile, const Options& options,
                 std::ostream& out) {
  const uint64_t whole = profile::program_periods(profile);
  const auto time = [&](uint64_t periods) { return time_cell(periods, profile); };
  const size_t shown = std::min(rows(options, kJitRows), totals.size());
  Table table({{"share"}, {"time"}, {"first time"}, {"tier 1"}, {"in place"}}, "compiled");
  for (const CompilationTotals& one : std::span(totals).first(shown)) {
    const profile::Function& function = profile.functions[one.function];
    table.add(
        {percent(one.all(), whole), time(one.all()), time(one.first), time(one.tiered), time(one.in_place)},
        [&function](size_t width) { return fit_function(function, width); }, share(one.all(), whole));
  }
  table.write(out, options.width, 0, Style(options.color));
  if (shown == totals.size()) return;
  uint64_t rest = 0;
  for (const CompilationTotals& one : std::span(totals).subspan(shown)) rest += one.all();
  write_note(fmt::format("And {} with {}.", counted(totals.size() - shown, "more method", "more methods"),
                         percent(rest, whole)),
             options, out);
}

// Explains why the category "JIT compiler" of oriel report shares has fewer samples.
void write_beside(uint64_t compiling, const Profile& profile, const Options& options, std::ostream& out) {
  constexpr size_t kShown = 3;
  uint64_t all = 0;
  std::map<std::string, uint64_t> by_name;
  for (const profile::Share& share : beside_the_compiler(profile)) {
    all += share.periods;
    by_name[share_name(share)] += share.periods;
  }
  if (all == 0) return;
  std::vector<std::pair<std::string, uint64_t>> parts(by_name.begin(), by_name.end());
  std::ranges::stable_sort(parts, std::greater<>(), &std::pair<std::string, uint64_t>::second);
  std::vector<std::string> texts;
  for (const auto& [name, periods] : std::span(parts).first(std::min(kShown, parts.size())))
    texts.push_back(percent(periods, compiling) + " " + name);
  write_note(
      fmt::format(
          "{} of this is work outside the compiler on its behalf, which oriel report shares lists separately: {}{}.",
          percent(all, compiling), fmt::join(texts, ", "), parts.size() > kShown ? ", …" : ""),
      options, out);
}

// First compilations by origin of the code, which has no ReadyToRun code.
void write_origins(const Profile& profile, const Options& options, std::ostream& out) {
  constexpr size_t kOrigins = 5;
  const std::vector<profile::FirstCompilations> first = profile::first_compilations(profile);
  if (first.empty()) return;
  const uint64_t whole = profile::program_periods(profile);
  Table table({{"share"}, {"time"}}, "first time");
  for (const profile::FirstCompilations& one : std::span(first).first(std::min(rows(options, kOrigins), first.size())))
    table.add(
        {percent(one.periods, whole), time_of(one.periods, profile)},
        [name = share_name({one.category, one.name, one.periods})](size_t width) { return cut_end(name, width); },
        share(one.periods, whole));
  table.write(out, options.width, 0, Style(options.color));
  out << '\n';
}

void write_jit(const Profile& profile, const Options& options, std::ostream& out) {
  if (const std::string text = code_entries_text(profile); !text.empty()) {
    write_title("Code of " + text, profile, options, out, profile::Unit::kNanoseconds);
    return write_code_entries(profile, options, out);
  }
  const uint64_t whole = profile::program_periods(profile);
  const std::vector<CompilationTotals> totals = profile::compilation_totals(profile);
  const CompilationTotals all = sum(totals);
  if (whole == 0) {
    write_title("JIT compiler", profile, options, out);
    return write_note(why_no_samples(profile), options, out);
  }
  write_title("JIT compiler: " + percent(all.all(), whole) + " of the program's time, " + time_of(all.all(), profile),
              profile, options, out);
  if (totals.empty()) return write_note("No samples in compilations with a known method.", options, out);
  write_origins(profile, options, out);
  write_table(totals, profile, options, out);
  write_note(is_of_mono(profile)
                 ? "Mono compiles a method before its first call, once."
                 : "First time: tier 0, or optimized immediately. Tier 1: hot methods in the background, with PGO "
                   "instrumentation "
                   "in between. In place: on-stack replacement (OSR) of a running loop, or recompilation for probes.",
             options, out);
  write_beside(all.all(), profile, options, out);
}

Json compilations_json(const CompilationTotals& totals) {
  return {{"periods", totals.all()}, {"first", totals.first}, {"tiered", totals.tiered}, {"in_place", totals.in_place}};
}

void jit_json(const Profile& profile, const Options& options, Json& json) {
  const std::vector<CompilationTotals> totals = profile::compilation_totals(profile);
  json["samples"] = profile.total_periods();
  json["compiling"] = compilations_json(sum(totals));
  Json& beside = json["compiling"]["beside_the_compiler"] = Json::array();
  for (const profile::Share& share : beside_the_compiler(profile))
    beside.push_back({{"category", category_key(share.category)}, {"name", share.name}, {"samples", share.periods}});
  json["first_by_origin"] = Json::array();
  for (const profile::FirstCompilations& one : profile::first_compilations(profile))
    json["first_by_origin"].push_back(
        {{"category", category_key(one.category)}, {"name", one.name}, {"periods", one.periods}});
  json["methods"] = Json::array();
  for (const CompilationTotals& one : std::span(totals).first(std::min(rows(options, SIZE_MAX), totals.size()))) {
    Json row = {{"name", profile.functions[one.function].name}};
    row.update(compilations_json(one));
    json["methods"].push_back(std::move(row));
  }
  if (!profile.code_entries.empty()) json["entries"] = code_entries_json(profile, options);
}

}  // namespace

extern const Report kJitReport = {
    .name = "jit",
    .help = "the JIT compiler's time by method and tier, or which code methods ran (MoarVM)",
    .text = write_jit,
    .json = jit_json,
};

}  // namespace oriel::report
