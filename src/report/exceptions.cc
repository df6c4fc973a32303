#include <fmt/format.h>

#include <algorithm>

#include "lines/line_totals.h"
#include "pdb/find.h"
#include "report/function_name.h"
#include "report/json.h"
#include "report/notes.h"
#include "report/table.h"
#include "report/text.h"
#include "report/units.h"

namespace oriel::report {

using profile::Exceptions;
using profile::Profile;

namespace {

constexpr size_t kTypes = 30;
constexpr size_t kCatchers = 5;
constexpr size_t kSites = 5;

std::vector<std::pair<std::string, uint64_t>> catchers(const Exceptions& entry) {
  std::vector<std::pair<std::string, uint64_t>> result(entry.caught_in.begin(), entry.caught_in.end());
  std::stable_sort(result.begin(), result.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  return result;
}

// Shares of the stacks that were logged, as the numbers of exceptions that they stand for.
uint64_t scaled(uint64_t stacks, uint64_t all_stacks, uint64_t thrown) {
  return static_cast<uint64_t>(static_cast<double>(stacks) / static_cast<double>(all_stacks) *
                               static_cast<double>(thrown));
}

void add_sites(const Exceptions& entry, const Profile& profile, lines::Lines& lines, Table& table) {
  const std::vector<lines::ThrowSite> sites = lines::throw_sites(profile, entry, lines);
  uint64_t stacks = 0;
  for (const lines::ThrowSite& site : sites) stacks += site.thrown;
  for (size_t i = 0; i < std::min(kSites, sites.size()); ++i) {
    const profile::Function& function = profile.functions[sites[i].function];
    const std::string line = clean(lines.short_text(sites[i].line));
    table.add({count(scaled(sites[i].thrown, stacks, entry.thrown)), ""}, [&function, line](size_t width) {
      constexpr std::string_view kBy = "  by ";
      return std::string(kBy) + fit_at_line(function, line, width - kBy.size());
    });
  }
  if (sites.size() > kSites)
    table.add({"", ""}, [more = sites.size() - kSites](size_t) {
      return "  and by " + counted(more, "more line", "more lines");
    });
}

void add_rows(const Exceptions& entry, const Profile& profile, lines::Lines& lines, Table& table) {
  table.add({count(entry.thrown), count(entry.caught)}, [&entry](size_t width) { return fit_name(entry.type, width); });
  add_sites(entry, profile, lines, table);
  const auto methods = catchers(entry);
  for (size_t i = 0; i < std::min(kCatchers, methods.size()); ++i) {
    table.add({"", count(methods[i].second)}, [method = methods[i].first](size_t width) {
      constexpr std::string_view kIn = "  in ";
      return std::string(kIn) + fit_name(method, width - kIn.size());
    });
  }
  if (methods.size() > kCatchers)
    table.add({"", ""}, [more = methods.size() - kCatchers](size_t) {
      return "  and in " + counted(more, "more method", "more methods");
    });
}

// Of logs without stacks nobody knows who threw.
const char* title_of(const Profile& profile) {
  const bool sites =
      std::ranges::any_of(profile.exceptions, [](const auto& entry) { return !entry.thrown_at.empty(); });
  return sites ? "type, by whom it was thrown, in what it was caught" : "type, and where it was caught";
}

void write_exceptions(const Profile& profile, const Options& options, std::ostream& out) {
  write_title("Exceptions", profile, options, out);
  if (const std::string note = not_recorded(profile, "exceptions"); !note.empty())
    return write_note(note, options, out);
  if (profile.exceptions.empty()) return write_note("No exceptions in this log.", options, out);
  if (const std::string note = unfiltered_sentence(profile); !note.empty()) {
    write_note(note, options, out);
    out << '\n';
  }
  const size_t shown = std::min(rows(options, kTypes), profile.exceptions.size());
  Table table({{"thrown"}, {"caught"}}, title_of(profile));
  lines::Lines lines(profile, pdb::symbol_folders());
  for (size_t i = 0; i < shown; ++i) add_rows(profile.exceptions[i], profile, lines, table);
  table.write(out, options.width, 0, Style(options.color));
  if (shown < profile.exceptions.size())
    write_note(fmt::format("And {}.", counted(profile.exceptions.size() - shown, "more type", "more types")), options,
               out);
}

Json sites_json(const Exceptions& entry, const Profile& profile, lines::Lines& lines) {
  Json json = Json::array();
  for (const lines::ThrowSite& site : lines::throw_sites(profile, entry, lines)) {
    Json row = {{"method", profile.functions[site.function].name}, {"stacks", site.thrown}};
    if (site.line.file != 0) {
      row["file"] = lines.file(site.line.file).path;
      row["line"] = site.line.line;
    }
    json.push_back(std::move(row));
  }
  return json;
}

void exceptions_json(const Profile& profile, const Options&, Json& json) {
  if (const std::string note = not_recorded(profile, "exceptions"); !note.empty()) {
    json["note"] = note;
    return;
  }
  json["types"] = Json::array();
  lines::Lines lines(profile, pdb::symbol_folders());
  for (const Exceptions& entry : profile.exceptions) {
    Json type = {
        {"type", entry.type}, {"thrown", entry.thrown}, {"caught", entry.caught}, {"caught_in", Json::array()}};
    for (const auto& [method, times] : catchers(entry))
      type["caught_in"].push_back({{"method", method}, {"count", times}});
    if (!entry.thrown_at.empty()) type["thrown_by"] = sites_json(entry, profile, lines);
    json["types"].push_back(std::move(type));
  }
}

}  // namespace

extern const Report kExceptionsReport = {
    .name = "exceptions",
    .help = "exceptions by type, and the methods that caught them",
    .text = write_exceptions,
    .json = exceptions_json,
};

}  // namespace oriel::report
