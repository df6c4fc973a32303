// Logged allocations by type and allocating method, or as a call tree.
#include <fmt/format.h>

#include <algorithm>

#include "profile/recorded.h"
#include "profile/trees/call_totals.h"
#include "profile/trees/weight.h"
#include "report/call_sums.h"
#include "report/words/function_name.h"
#include "report/words/json.h"
#include "report/words/notes.h"
#include "report/words/shown_line.h"
#include "report/words/table.h"
#include "report/words/text.h"
#include "report/words/tree_text.h"
#include "report/words/units.h"

namespace oriel::report {

using profile::AllocationTotals;
using profile::AttributeTo;
using profile::Profile;

namespace {

constexpr size_t kAllocatedTypes = 20;
constexpr size_t kAllocationSites = 20;
constexpr size_t kSiteTypeWidth = 30;  // beside a site, if the line has room for both

size_t type_width(const Options& options) {
  constexpr size_t kFigures = 34;
  return std::min(kSiteTypeWidth, (options.width - kFigures) / 2);
}

size_t shown(size_t all, size_t usual, const Options& options) { return std::min(all, rows(options, usual)); }

profile::WeightKind tree_weight(uint64_t bytes) {
  return bytes > 0 ? profile::WeightKind::kBytes : profile::WeightKind::kObjects;
}

// What shares are of: bytes, or objects where no type's size is known.
struct Whole {
  uint64_t bytes = 0;
  uint64_t objects = 0;
  bool has_bytes() const { return bytes > 0; }
  double share_of(const AllocationTotals& entry) const {
    return has_bytes() ? share(entry.bytes, bytes) : share(entry.objects, objects);
  }
};

std::vector<Table::Column> figure_columns(const Whole& whole) {
  return whole.has_bytes() ? std::vector<Table::Column>{{"bytes"}, {""}, {"objects"}}
                           : std::vector<Table::Column>{{"objects"}, {""}};
}

std::vector<std::string> figures(const AllocationTotals& entry, const Whole& whole) {
  if (!whole.has_bytes()) return {percent(entry.objects, whole.objects), count(entry.objects)};
  return {percent(entry.bytes, whole.bytes), bytes(entry.bytes), count(entry.objects)};
}

void write_types(const Profile& profile, const Whole& whole, const Options& options, std::ostream& out) {
  const std::vector<AllocationTotals> types = profile::allocations_by_type(profile);
  std::vector<Table::Column> columns = figure_columns(whole);
  if (whole.has_bytes()) columns.push_back({"each"});
  const bool sampled = std::any_of(types.begin(), types.end(), [](const auto& entry) { return entry.samples > 0; });
  if (sampled) columns.push_back({"samples"});
  Table table(std::move(columns), "type");
  const size_t rows = shown(types.size(), kAllocatedTypes, options);
  for (size_t i = 0; i < rows; ++i) {
    const AllocationTotals& entry = types[i];
    std::vector<std::string> cells = figures(entry, whole);
    if (whole.has_bytes())
      cells.push_back(bytes(entry.objects == 0 ? 0 : (entry.bytes + entry.objects / 2) / entry.objects));
    if (sampled) cells.push_back(count(entry.samples));
    const std::string& name = profile.functions[entry.type].name;
    table.add(
        std::move(cells), [&name](size_t width) { return fit_name(name, width); }, whole.share_of(entry));
  }
  table.write(out, options.width, 0, Style(options.color));
  if (rows < types.size())
    write_note(fmt::format("The first {} of {}.", count(rows), counted(types.size(), "type", "types")), options, out);
}

AttributeTo maker(const Options& options) { return options.all_frames ? AttributeTo::kInnermost : AttributeTo::kOwn; }

void write_sites(const Profile& profile, const Whole& whole, const Options& options, std::ostream& out) {
  const std::vector<AllocationTotals> sites = profile::allocations_by_site(profile, maker(options));
  const auto lines = hottest_allocation_lines(profile, maker(options));
  std::vector<Table::Column> columns = figure_columns(whole);
  columns.push_back({"type", Table::Align::kLeft});
  Table table(std::move(columns), "allocated in");
  const size_t rows = shown(sites.size(), kAllocationSites, options);
  for (size_t i = 0; i < rows; ++i) {
    const AllocationTotals& entry = sites[i];
    std::vector<std::string> cells = figures(entry, whole);
    cells.push_back(fit_name(profile.functions[entry.type].name, type_width(options)));
    const std::string line = text_of(lines, std::pair(entry.site, entry.type));
    const auto site = [&profile, site = entry.site, line](size_t width) {
      return site == 0 ? "[site not known]" : fit_at_line(profile.functions[site], line, width);
    };
    table.add(std::move(cells), site, whole.share_of(entry));
  }
  table.write(out, options.width, 0, Style(options.color));
  if (rows < sites.size())
    write_note(fmt::format("The first {} of {}.", count(rows), counted(sites.size(), "site", "sites")), options, out);
}

// Samples in old logs have no stacks.
bool has_sites(const Profile& profile) {
  const std::vector<profile::Allocations>& all = profile.allocations;
  return std::any_of(all.begin(), all.end(), [](const profile::Allocations& entry) { return entry.site != 0; });
}

// Without stacks, most objects may be attributed to the base library rather than its callers.
void write_callers_note(const Profile& profile, const Options& options, std::ostream& out) {
  const std::vector<profile::Allocations>& all = profile.allocations;
  if (std::ranges::any_of(all, [](const auto& entry) { return entry.node != 0; })) return;
  out << '\n';
  write_note(
      "To see which of your methods called these: oriel run --alloc-stacks, or --alloc=sampled at far lower cost.",
      options, out);
}

// The precision of estimates, and the exact alternative.
void write_estimate_note(const Profile& profile, const Options& options, std::ostream& out) {
  out << '\n';
  write_note("Estimates: about ±10 % with 100 samples, ±30 % with 10.", options, out);
  if (profile::samples_allocations_in_turn(profile))
    write_note(
        "This runtime samples the object that reaches the next 100 KiB, not a random one as .NET 10 does: types "
        "allocated in a fixed order may be over- or underrepresented.",
        options, out);
  if (has_sites(profile)) return;
  write_note("Samples have no sites: oriel run --alloc=exact logs each object with the method that allocates it.",
             options, out);
}

void write_alloc(const Profile& profile, const TreeOptions& options, std::ostream& out) {
  if (const Status status = profile::check_weight(profile::WeightKind::kBytes, profile); !status) {
    write_title("Allocations", profile, options, out);
    return write_note("There are " + clean(status.message()) + ".", options, out);
  }
  const profile::CallSums sums = profile::sum_calls(profile);
  write_title((is_estimate(sums) ? "Allocations, " : "Allocations: ") + allocation_sums_text(sums), profile, options,
              out, profile::Unit::kBytes);
  if (sums.objects == 0) return write_note("No allocations left: none matches the filter.", options, out);
  const Whole whole{sums.bytes, sums.objects};
  const profile::WeightKind weight = tree_weight(sums.bytes);
  if (options.tree) {
    write_weighed(*profile::by_weight(weight, profile, shown_recursion(profile)), options, out);
  } else {
    write_types(profile, whole, options, out);
    if (!is_estimate(sums) || has_sites(profile)) {
      out << '\n';
      write_sites(profile, whole, options, out);
      if (!is_estimate(sums)) write_callers_note(profile, options, out);
    }
  }
  if (is_estimate(sums)) write_estimate_note(profile, options, out);
  if (profile.call_total().gaps == 0) return;
  out << '\n';
  write_note(unpaired_sentences(profile).front(), options, out);
}

Json figures_json(const AllocationTotals& entry, const Profile& profile) {
  Json json = {{"type", profile.functions[entry.type].name}, {"objects", entry.objects}, {"bytes", entry.bytes}};
  if (entry.samples > 0) json["samples"] = entry.samples;
  return json;
}

void alloc_json(const Profile& profile, const TreeOptions& options, Json& json) {
  json.update(allocation_sums_json(profile));
  json["gaps"] = profile.call_total().gaps;
  json["lost_events"] = profile.call_total().lost_events;
  const Status logged = profile::check_weight(profile::WeightKind::kBytes, profile);
  if (!logged) json["note"] = logged.message();
  if (options.tree) {
    json["nodes"] = Json::array();
    const profile::WeightKind weight = tree_weight(profile::sum_calls(profile).bytes);
    if (logged) add_weighed(*profile::by_weight(weight, profile, shown_recursion(profile)), options, json);
    return;
  }
  const auto full = [&](const Json& list) { return options.limit != 0 && list.size() == options.limit; };
  Json& types = json["types"] = Json::array();
  for (const AllocationTotals& entry : profile::allocations_by_type(profile)) {
    if (full(types)) break;
    types.push_back(figures_json(entry, profile));
  }
  Json& sites = json["sites"] = Json::array();
  if (profile.call_total().allocation_samples > 0 && !has_sites(profile)) return;
  const auto lines = hottest_allocation_lines(profile, maker(options));
  for (const AllocationTotals& entry : profile::allocations_by_site(profile, maker(options))) {
    if (full(sites)) break;
    Json site = figures_json(entry, profile);
    if (entry.site != 0) site["method"] = profile.functions[entry.site].name;
    add_line(lines, std::pair(entry.site, entry.type), site);
    sites.push_back(std::move(site));
  }
}

constexpr Option kAllocOptions[] = {
    kTree,
    own_flag<Options, &Options::all_frames>(kAllFrames.name,
                                            "show the methods that allocate, not your own that call them"),
};

}  // namespace

extern const Report kAllocReport = {
    .name = "alloc",
    .help = "logged allocations by type and site; with --tree, by the calls that led there",
    .options = kAllocOptions,
    .own = own_options<TreeOptions>,
    .text = by_own<write_alloc>,
    .json = by_own<alloc_json>,
};

}  // namespace oriel::report
