#include "report/waiting/requests.h"

#include <fmt/format.h>

#include <algorithm>

#include "log/properties.h"
#include "profile/recorded.h"
#include "profile/waiting/requests.h"
#include "report/words/json.h"
#include "report/words/notes.h"
#include "report/words/table.h"
#include "report/words/text.h"
#include "report/words/units.h"

namespace oriel::report {

using profile::Activity;
using profile::ActivityGroup;
using profile::Profile;

namespace {

constexpr size_t kRequestKinds = 10, kSlowest = 5, kRequestParts = 5;
constexpr int kLevels = 4;
constexpr uint64_t kMany = 10;  // of one child per parent

uint64_t times(const ActivityGroup& group) { return group.activities.size(); }

// "GET /orders"; for a database command, the start of its text, as logged.
std::string name_text(const ActivityGroup& group) { return clean(group.name.empty() ? group.source : group.name); }

// "51 each", if it occurs more often than its parent.
std::string each_text(const ActivityGroup& part, const ActivityGroup& whole) {
  if (times(part) <= times(whole)) return "";
  const double each = static_cast<double>(times(part)) / static_cast<double>(times(whole));
  return each < 9.95 ? fmt::format("{:.1f} each  ", each) : fmt::format("{:.0f} each  ", each);
}

// Calls `add` with each significant child and its depth; the last entry of a level has no group, and is the
// unattributed time.
template <typename Add>
void for_each_part(const ActivityGroup& whole, int level, const Add& add) {
  constexpr double kLeast = 0.02;
  if (level > kLevels || whole.groups.empty()) return;
  size_t shown = 0;
  for (const ActivityGroup& part : whole.groups) {
    const bool is_small = static_cast<double>(part.ns) < kLeast * static_cast<double>(whole.ns);
    if ((is_small && &part != &whole.groups.front()) || ++shown > kRequestParts) continue;
    add(&part, whole, level);
    for_each_part(part, level + 1, add);
  }
  if (whole.ns - whole.parts_ns >= whole.ns / 50) add(nullptr, whole, level);
}

std::string part_text(const ActivityGroup* part, const ActivityGroup& whole, int level) {
  const std::string indent(static_cast<size_t>(level) * 2, ' ');
  return indent + (part ? each_text(*part, whole) + name_text(*part) : std::string("self / unattributed"));
}

void add_parts(const ActivityGroup& whole, Table& table) {
  for_each_part(whole, 1, [&](const ActivityGroup* part, const ActivityGroup& of, int level) {
    const int64_t ns = part ? part->ns : of.ns - of.parts_ns;
    table.add({duration(ns), part ? count(times(*part)) : "",
               part ? duration(part->ns / static_cast<int64_t>(times(*part))) : "", "",
               part ? duration(part->longest_ns) : ""},
              [text = part_text(part, of, level)](size_t width) { return cut_end(text, width); });
  });
}

void write_kinds(const std::vector<ActivityGroup>& kinds, const Profile& profile, const Options& options,
                 std::ostream& out) {
  Table table({{"total"}, {"times"}, {"average"}, {"95 %"}, {"longest"}}, "request, and what it did");
  int64_t all = 0;
  for (const ActivityGroup& kind : kinds) all += kind.ns;
  const auto least = static_cast<int64_t>(least_total(positive(all), options));
  size_t shown = 0;
  for (const ActivityGroup& kind : kinds) {
    if (shown == rows(options, kRequestKinds) || kind.ns < least) break;
    ++shown;
    std::string name = name_text(kind);
    if (kind.failed != 0) name += fmt::format("  {} failed", count(kind.failed));
    table.add({duration(kind.ns), count(times(kind)), duration(kind.ns / static_cast<int64_t>(times(kind))),
               duration(quantile(kind, profile, 0.95)), duration(kind.longest_ns)},
              [name](size_t width) { return cut_end(name, width); });
    add_parts(kind, table);
  }
  table.write(out, options.width, 0, Style(options.color));
  if (shown < kinds.size())
    write_note(fmt::format("And {}; --limit shows more.", counted(kinds.size() - shown, "more kind", "more kinds")),
               options, out);
}

// "GET /orders/{id}  /orders/7  200"
std::string told_text(const ActivityGroup& one, const Profile& profile) {
  const Activity& activity = profile.activities[one.activities.front()];
  std::string text = name_text(one);
  const std::string path = tag(activity, "url.path");
  if (!path.empty() && text.find(path) == std::string::npos) text += "  " + clean(path);
  if (const std::string code = tag(activity, "http.response.status_code"); !code.empty()) text += "  " + clean(code);
  return text + (activity.failed ? "  failed" : "");
}

void write_slowest(const Profile& profile, const Options& options, std::ostream& out) {
  Table table({{"took"}, {"times"}, {"began at"}}, "the slowest");
  for (const ActivityGroup& one : profile::slowest_requests(profile, rows(options, kSlowest))) {
    const Activity& activity = profile.activities[one.activities.front()];
    table.add({duration(activity.ns), "", moment(activity.end_ns - activity.ns)},
              [text = told_text(one, profile)](size_t width) { return cut_end(text, width); });
    for_each_part(one, 1, [&](const ActivityGroup* part, const ActivityGroup& of, int level) {
      table.add({duration(part ? part->ns : of.ns - of.parts_ns), part ? count(times(*part)) : "", ""},
                [text = part_text(part, of, level)](size_t width) { return cut_end(text, width); });
    });
  }
  table.write(out, options.width, 0, Style(options.color));
}

std::string why_no_activities(const Profile& profile) {
  const std::string* const asked = profile::property(profile.intro, log::property::kActivities);
  if (profile::is_of_mono(profile)) return "No activities in this log: Mono has no event sources to take them from.";
  if (asked == nullptr) return "No activities in this log: run the program with `oriel run --activities`.";
  if (profile.filter.has_time()) return "No activities in this part of the log.";
  if (*asked == "*") return "No activities: no library reported any.";
  return fmt::format("No activities: none was reported by {} (--activities).", clean(*asked));
}

void write_requests(const Profile& profile, const Options& options, std::ostream& out) {
  // The thread on which an activity ends is not the only one that worked for it.
  write_title("Requests", profile, options, out, profile::Unit::kPeriods, kByTimeOnly);
  if (profile.activities.empty()) return write_note(why_no_activities(profile), options, out);
  write_kinds(profile::requests(profile), profile, options, out);
  out << '\n';
  write_slowest(profile, options, out);
}

Json group_json(const ActivityGroup& group, const Profile& profile) {
  Json json = {{"name", group.name},
               {"source", group.source},
               {"times", times(group)},
               {"failed", group.failed},
               {"ns", group.ns},
               {"median_ns", quantile(group, profile, 0.5)},
               {"p95_ns", quantile(group, profile, 0.95)},
               {"longest_ns", group.longest_ns},
               {"outside_ns", group.ns - group.parts_ns},
               {"parts", Json::array()}};
  for (const ActivityGroup& part : group.groups) json["parts"].push_back(group_json(part, profile));
  return json;
}

void requests_json(const Profile& profile, const Options& options, Json& json) {
  json["requests"] = Json::array();
  for (const ActivityGroup& kind : profile::requests(profile))
    if (json["requests"].size() < rows(options, SIZE_MAX)) json["requests"].push_back(group_json(kind, profile));
  json["slowest"] = Json::array();
  for (const ActivityGroup& one : profile::slowest_requests(profile, rows(options, kSlowest))) {
    const Activity& activity = profile.activities[one.activities.front()];
    Json slow = group_json(one, profile);
    slow["start_ns"] = activity.end_ns - activity.ns;
    slow["tags"] = activity.tags;
    json["slowest"].push_back(std::move(slow));
  }
}

// Whether it is a database's command: by tags as OpenTelemetry names them, or by its text, which some sources have as
// its name.
bool is_database(const ActivityGroup& group, const Profile& profile) {
  const profile::Activity& activity = profile.activities[group.activities.front()];
  constexpr std::string_view kCommands[] = {"SELECT", "INSERT", "UPDATE", "DELETE", "EXEC"};
  return std::ranges::any_of(activity.tags, [](const std::string& tag) { return tag.starts_with("db."); }) ||
         std::ranges::any_of(kCommands, [&](std::string_view word) {
           return word == activity.name.substr(0, activity.name.find(' '));
         });
}

// The database command that repeats within each parent, with most time; null if there is none.
const ActivityGroup* repeated_part(const ActivityGroup& whole, const Profile& profile, const ActivityGroup*& of) {
  const ActivityGroup* most = nullptr;
  for (const ActivityGroup& part : whole.groups) {
    const ActivityGroup* within = &whole;
    const ActivityGroup* found = times(part) >= kMany * times(whole) && is_database(part, profile)
                                     ? &part
                                     : repeated_part(part, profile, within);
    if (!found || (most && most->ns >= found->ns)) continue;
    most = found;
    of = found == &part ? &whole : within;
  }
  return most;
}

// Whether the part takes a 20th of what it repeats in, or more; by medians, as first requests are mostly compiled.
bool matters(const ActivityGroup& part, const ActivityGroup& of, const Profile& profile) {
  constexpr double kShare = 0.05;
  const double each = static_cast<double>(times(part)) / static_cast<double>(times(of));
  return each * static_cast<double>(quantile(part, profile, 0.5)) >=
         kShare * static_cast<double>(quantile(of, profile, 0.5));
}

}  // namespace

std::string requests_text(const Profile& profile) {
  std::vector<ActivityGroup> kinds = profile::requests(profile);
  // Ignore commands outside of requests, such as those at startup.
  std::erase_if(kinds,
                [&](const ActivityGroup& kind) { return profile.activities[kind.activities.front()].id.empty(); });
  if (kinds.empty()) return "";
  uint64_t all = 0;
  int64_t ns = 0, longest = 0;
  for (const ActivityGroup& kind : kinds) {
    all += times(kind);
    ns += kind.ns;
    longest = std::max(longest, kind.longest_ns);
  }
  const ActivityGroup& first = kinds.front();
  return fmt::format("{}, {} on average, {} the longest; {} of their time in {}", count(all),
                     duration(ns / static_cast<int64_t>(all)), duration(longest),
                     percent(positive(first.ns), positive(ns)), cut_end(name_text(first), 60));
}

void add_request_hints(const Profile& profile, std::vector<Hint>& to) {
  constexpr int64_t kNotMuch = 50;  // 2 % of the time of all requests
  const std::vector<ActivityGroup> kinds = profile::requests(profile);
  int64_t all = 0;
  for (const ActivityGroup& kind : kinds) all += kind.ns;
  for (const ActivityGroup& kind : kinds) {
    const ActivityGroup* of = &kind;
    const ActivityGroup* const part = repeated_part(kind, profile, of);
    if (!part || kind.ns < all / kNotMuch || !matters(*part, *of, profile)) continue;
    to.push_back({"repeated", 0,
                  fmt::format("{} ({} on average) repeats one operation {:.0f} times: {}. Possible N+1: batch the "
                              "query (with EF Core: Include).",
                              cut_end(name_text(kind), 60), duration(kind.ns / static_cast<int64_t>(times(kind))),
                              static_cast<double>(times(*part)) / static_cast<double>(times(*of)),
                              cut_end(name_text(*part), 100)),
                  "oriel report requests"});
    return;
  }
}

extern const Report kRequestsReport = {
    .name = "requests",
    .help = "requests and other activities: the slowest, and what each did",
    .text = write_requests,
    .json = requests_json,
};

}  // namespace oriel::report
