#include <fmt/format.h>

#include <algorithm>

#include "log/event.h"
#include "profile/collections.h"
#include "report/json.h"
#include "report/notes.h"
#include "report/table.h"
#include "report/units.h"

namespace oriel::report {

using profile::Collection;
using profile::Profile;

namespace {

constexpr size_t kRows = 30;

// Times in which the runtime stopped the program for something else, by reason.
struct OtherPauses {
  uint64_t count = 0;
  int64_t ns = 0;
};

std::map<std::string, OtherPauses> other_pauses(const Profile& profile) {
  std::map<std::string, OtherPauses> result;
  for (const profile::Pause& pause : profile.pauses) {
    const std::string reason(log::enumerator_name(log::FieldKind::kSuspendReason, pause.reason));
    if (reason == "gc" || reason == "gc-prepare") continue;
    OtherPauses& entry = result[reason.empty() ? "unknown" : reason];
    ++entry.count;
    entry.ns += pause.ns;
  }
  return result;
}

// All in the order of time, or, if that is too many, those with the longest pauses.
std::vector<Collection> shown(const Profile& profile, const Options& options) {
  const size_t most = rows(options, kRows);
  std::vector<Collection> collections = profile.collections;
  if (collections.size() <= most) return collections;
  std::stable_sort(collections.begin(), collections.end(),
                   [](const Collection& a, const Collection& b) { return a.pause_ns > b.pause_ns; });
  collections.resize(most);
  return collections;
}

void write_generations(const Profile& profile, const Options& options, std::ostream& out) {
  const profile::GcTotals totals = profile::gc_totals(profile);
  Table table({{"collections"}, {"induced"}, {"paused"}, {"of wall"}, {"mean"}, {"longest"}}, "generation");
  const auto row = [&](const profile::GcTotals::Generation& of, const std::string& name) {
    table.add({count(of.count), count(of.induced), duration(of.pause_ns),
               percent(static_cast<uint64_t>(of.pause_ns), static_cast<uint64_t>(profile.wall_ns)),
               duration(of.pause_ns / static_cast<int64_t>(std::max<uint64_t>(1, of.count))), duration(of.longest_ns)},
              [name](size_t) { return name; });
  };
  for (const auto& [generation, of_it] : totals.by_generation) row(of_it, std::to_string(generation));
  if (totals.by_generation.size() > 1) row({totals.count, totals.induced, totals.pause_ns, totals.longest_ns}, "all");
  table.write(out, options.width, 0, Style(options.color));
}

void write_collections(const Profile& profile, const Options& options, std::ostream& out) {
  const std::vector<Collection> rows = shown(profile, options);
  Table table({{"number"}, {"generation"}, {"began at"}, {"took"}, {"paused"}}, "");
  for (const Collection& collection : rows) {
    const bool ended = collection.end_ns >= 0;
    table.add({count(collection.number), std::to_string(collection.generation), moment(collection.start_ns),
               ended ? duration(collection.end_ns - collection.start_ns) : "–", duration(collection.pause_ns)},
              [=](size_t) {
                return std::string(collection.induced ? "induced" : "") + (ended                ? ""
                                                                           : collection.induced ? ", not ended"
                                                                                                : "not ended");
              });
  }
  out << '\n';
  table.write(out, options.width, 0, Style(options.color));
  if (rows.size() < profile.collections.size())
    write_note(
        fmt::format("The {} with the longest pauses of {}.", count(rows.size()), count(profile.collections.size())),
        options, out);
}

void write_gc(const Profile& profile, const Options& options, std::ostream& out) {
  write_title("Garbage collections", profile, options, out);
  if (const std::string note = not_recorded(profile, "gc"); !note.empty()) return write_note(note, options, out);
  if (profile.collections.empty()) {
    write_note("No collections in this log.", options, out);
  } else {
    write_generations(profile, options, out);
    write_collections(profile, options, out);
  }
  const std::map<std::string, OtherPauses> others = other_pauses(profile);
  if (!others.empty()) out << '\n';
  for (const auto& [reason, entry] : others) {
    write_note(fmt::format("The runtime also stopped the program {} for another reason ({}), {} in all.",
                           counted(entry.count, "time", "times"), reason, duration(entry.ns)),
               options, out);
  }
}

void gc_json(const Profile& profile, const Options&, Json& json) {
  json["wall_ns"] = profile.wall_ns;
  if (const std::string note = not_recorded(profile, "gc"); !note.empty()) {
    json["note"] = note;
    return;
  }
  json.update(gc_totals_json(profile));
  json["all"] = Json::array();
  for (const Collection& collection : profile.collections) {
    Json entry = {{"number", collection.number},
                  {"generation", collection.generation},
                  {"induced", collection.induced},
                  {"start_ns", collection.start_ns},
                  {"end_ns", nullptr},
                  {"pause_ns", collection.pause_ns}};
    if (collection.end_ns >= 0) entry["end_ns"] = collection.end_ns;
    json["all"].push_back(std::move(entry));
  }
  json["other_pauses"] = Json::object();
  for (const auto& [reason, entry] : other_pauses(profile))
    json["other_pauses"][reason] = {{"count", entry.count}, {"ns", entry.ns}};
}

}  // namespace

extern const Report kGcReport = {
    .name = "gc",
    .help = "garbage collections by generation, and each with its pause",
    .text = write_gc,
    .json = gc_json,
};

}  // namespace oriel::report
