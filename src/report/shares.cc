#include "report/shares.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "profile/work/category.h"
#include "report/words/function_name.h"
#include "report/words/more.h"
#include "report/words/notes.h"
#include "report/words/table.h"
#include "report/words/text.h"
#include "report/words/units.h"

namespace oriel::report {

using profile::Category;
using profile::OwnTotals;
using profile::Profile;

namespace {

struct CategoryWords {
  const char* key;   // key in JSON
  const char* text;  // "" if the share's name is used
};

// In the order of Category.
constexpr CategoryWords kCategoryWords[] = {
    {"own", "your code"},
    {"package", ""},
    {"framework", ""},
    {"generated", "dynamically generated code"},
    {"jit", "JIT compiler"},
    {"pgo", "PGO counting"},
    {"tiering", "tiering"},
    {"types", "loading types and binding calls"},
    {"lookups", "generic and static look-ups"},
    {"locks", "acquiring and releasing locks"},
    {"casts", "casts and write barriers"},
    {"stubs", "call stubs"},
    {"allocation", "allocation"},
    {"gc", "GC"},
    {"exceptions", "exceptions"},
    {"suspension", "stopping threads"},
    {"start", "runtime startup"},
    {"waiting", "waiting"},
    {"kernel", "kernel"},
    {"oriel", "Oriel"},
    {"guest", ""},
    {"native", ""},
    {"runtime", "runtime, unknown"},
    {"unknown", "unknown"},
};
static_assert(std::size(kCategoryWords) == static_cast<size_t>(Category::kUnknown) + 1);

const CategoryWords& words_of(Category category) { return kCategoryWords[static_cast<size_t>(category)]; }

std::vector<OwnTotals> first_own(const Profile& profile, size_t rows) {
  std::vector<OwnTotals> own = profile::own_totals(profile);
  own.resize(std::min(own.size(), rows));
  return own;
}

}  // namespace

const char* category_key(Category category) { return words_of(category).key; }

std::string share_name(const profile::Share& share) {
  std::string words = words_of(share.category).text;
  if (!words.empty()) return words;
  const bool base = share.category == Category::kFramework;
  return base && (share.name.empty() || share.name == "Microsoft.NETCore.App") ? "base library" : clean(share.name);
}

std::string shares_text(const Profile& profile) {
  constexpr size_t kShown = 8;
  std::map<std::string, uint64_t> by_name;
  for (const profile::Share& share : profile::shares(profile))
    if (share.category != Category::kOriel) by_name[share_name(share)] += share.periods;
  std::vector<std::pair<uint64_t, std::string>> sums;
  for (const auto& [name, periods] : by_name) sums.emplace_back(periods, name);
  std::ranges::stable_sort(sums, std::greater<>(), &std::pair<uint64_t, std::string>::first);
  const uint64_t whole = profile::program_periods(profile);
  uint64_t rest = whole;
  std::vector<std::string> parts;
  const size_t shown = sums.size() <= kShown + 1 ? sums.size() : kShown;  // one more needs no more room than "others"
  for (size_t i = 0; i < shown; ++i) {
    parts.push_back(fmt::format("{} {}", percent(sums[i].first, whole), sums[i].second));
    rest -= sums[i].first;
  }
  if (rest > 0) parts.push_back(fmt::format("{} {} others", percent(rest, whole), sums.size() - parts.size()));
  return fmt::format("{}", fmt::join(parts, ", "));
}

Json shares_json(const Profile& profile) {
  Json json = Json::array();
  for (const profile::Share& share : profile::shares(profile))
    json.push_back({{"category", category_key(share.category)}, {"name", share.name}, {"samples", share.periods}});
  return json;
}

void write_own_methods(const Profile& profile, size_t rows, const std::map<uint32_t, ShownLine>& lines,
                       const Options& options, std::string_view command, std::ostream& out) {
  const std::vector<OwnTotals> own = first_own(profile, rows);
  if (own.empty()) return;
  const uint64_t whole = profile.total_periods();
  Table table({{"own"}, {""}, {"total"}, {""}}, titled("your code", command, options));
  for (const OwnTotals& entry : own) {
    const profile::Function& function = profile.functions[entry.function];
    table.add(
        {percent_cell(entry.nearest, whole), time_cell(entry.nearest, profile), percent_cell(entry.total, whole),
         time_cell(entry.total, profile)},
        [&function, line = text_of(lines, entry.function)](size_t width) { return fit_at_line(function, line, width); },
        share(entry.nearest, whole));
  }
  table.write(out, options.width, 0, Style(options.color));
  const std::string first = lines_command(profile.functions[own.front().function]);
  out << wrap_with_more("Own: self and library callees (Just My Code).", command.empty() ? "" : first, "", options)
      << '\n';
}

Json own_methods_json(const Profile& profile, size_t rows) {
  Json json = Json::array();
  const std::map<uint32_t, ShownLine> hottest = hottest_own_lines(profile);
  for (const OwnTotals& entry : first_own(profile, rows)) {
    Json row = {{"own", entry.nearest}, {"total", entry.total}};
    add_function(row, profile.functions[entry.function]);
    add_line(hottest, entry.function, row);
    json.push_back(std::move(row));
  }
  return json;
}

}  // namespace oriel::report
