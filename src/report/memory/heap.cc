// The heap over time, and the objects that stay in it.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "log/properties.h"
#include "profile/memory/heap_growth.h"
#include "profile/recorded.h"
#include "report/memory/alive.h"
#include "report/memory/heap_findings.h"
#include "report/memory/heap_snapshots.h"
#include "report/memory/staying.h"
#include "report/words/function_name.h"
#include "report/words/heap_text.h"
#include "report/words/holder_text.h"
#include "report/words/json.h"
#include "report/words/notes.h"
#include "report/words/table.h"
#include "report/words/text.h"
#include "report/words/units.h"

namespace oriel::report {

using profile::Profile;
using profile::Staying;

namespace {

constexpr size_t kHeapRows = 20;

// A bar chart of the heap size after the last collection in each part of the run.
std::string growth_line(const Profile& profile) {
  constexpr size_t kParts = 60;
  std::vector<double> sizes(kParts, -1);
  for (const profile::Collection& collection : profile.collections) {
    if (!collection.heap || profile.wall_ns <= 0) continue;
    const double at = static_cast<double>(collection.start_ns) / static_cast<double>(profile.wall_ns);
    const auto part = static_cast<size_t>(std::clamp(at, 0.0, 1.0) * kParts);
    sizes[std::min(part, kParts - 1)] = static_cast<double>(collection.heap->total());
  }
  double before = 0;
  for (double& size : sizes) before = size = size < 0 ? before : size;
  return bars(sizes);
}

void write_sizes(const Profile& profile, const Options& options, std::ostream& out) {
  const std::optional<profile::HeapHistory> run = profile::heap_history(profile);
  if (!run) return;
  out << growth_line(profile) << '\n';
  write_note(fmt::format("Heap after collections, over {}: peak {}, last {}.", duration(profile::kept_ns(profile)),
                         bytes(run->most.total()), bytes(run->last.total())),
             options, out);
  if (const std::string sentence = heap_growth_sentence(profile); !sentence.empty()) write_note(sentence, options, out);
  out << '\n';
}

std::string why_nothing_stays(const Profile& profile) {
  const std::vector<std::string> since = profile::property_values(profile, log::property::kFollowed);
  if (profile.following.empty() && !profile::followed_types(profile).empty())
    return "No object of " + clean(profile::followed_types(profile)) + " was allocated.";
  if (profile.following.empty() && !since.empty() && since.back() == "grown")
    return "The heap did not grow for long, so no objects were tracked; `oriel run --alloc=sampled` tracks a sample of "
           "all allocated objects.";
  if (profile.following.empty() && !since.empty())
    return "No objects were tracked: roots or handles are logged too, or the runtime reported no allocations.";
  if (profile.following.empty())
    return "This log does not show which objects stay; `oriel run --alloc=sampled` tracks a sample of all allocated "
           "objects.";
  if (is_part(profile)) return "None of the objects tracked in this part of the log survived a full collection.";
  return "None of the tracked objects survived a full collection.";
}

void write_following(const Profile& profile, const Options& options, std::ostream& out) {
  const profile::Following following = sum_of_following(profile.following);
  const std::string* const since = profile::property(profile.intro, log::property::kFollowed);
  const bool grown = since != nullptr && *since == "grown";
  write_note(
      fmt::format("Allocated since {}{} and still alive after at least one full collection. {}",
                  moment(following.from_ns), grown ? ", when the heap had grown," : "", followed_sentence(profile)),
      options, out);
}

void write_staying(const Profile& profile, const Options& options, std::ostream& out) {
  constexpr size_t kTypeWidth = 30;
  const std::vector<ShownStaying> all = shown_staying(profile, options);
  if (all.empty()) return write_note(why_nothing_stays(profile), options, out);
  write_following(profile, options, out);
  out << '\n';
  uint64_t whole = 0;
  for (const ShownStaying& one : all) whole += one.figures.bytes;
  Table table({{"stays"}, {""}, {"objects"}, {"full"}, {"when", Table::Align::kLeft}, {"type", Table::Align::kLeft}},
              "allocated in");
  const size_t shown = std::min(rows(options, kHeapRows), all.size());
  for (size_t i = 0; i < shown; ++i) {
    const ShownStaying& one = all[i];
    table.add(
        {percent(one.figures.bytes, whole), bytes(one.figures.bytes), count(one.figures.objects),
         count(one.figures.full), bars(one.figures.when), fit_name(one.type, kTypeWidth)},
        [&](size_t width) {
          return one.at.function == 0 ? cut_end("none of your code", width)
                                      : fit_at_line(profile.functions[one.at.function], one.at.line.text, width);
        },
        share(one.figures.bytes, whole));
  }
  table.write(out, options.width, 0, Style(options.color));
  if (shown < all.size())
    write_note(fmt::format("And {}; --limit shows more.", counted(all.size() - shown, "more place", "more places")),
               options, out);
  out << '\n';
  constexpr size_t kKeepers = 3;
  const std::vector<ShownObjectHolder> keepers = shown_object_holders(profile, options);
  for (size_t i = 0; i < std::min(kKeepers, keepers.size()); ++i)
    write_note(keeper_sentence(keepers[i], profile), options, out);
  write_note("full: how many full collections the oldest objects survived; when: how much was allocated when.", options,
             out);
}

Status check_heap(const Profile& profile, const HeapOptions& options) {
  if (options.alive || !options.survived.empty()) return check_alive(profile, options);
  if (!options.about_snapshots()) return Status::ok();
  const int views = int{!options.type.empty()} + int{options.dominators} + int{options.findings} + int{options.diff};
  if (views > 1)
    return Status::error("--type, --dominators, --findings and --diff are different views: give one of them");
  if (options.types_only && (options.dominators || options.findings))
    return Status::error(std::string(options.dominators ? "--dominators" : "--findings") +
                         " needs the references, which --types leaves out");
  const Result<ChosenSnapshots> chosen = choose_snapshots(profile, options);
  if (!chosen) return chosen.status();
  if (options.diff && chosen->rows.size() < 2)
    return Status::error("--diff needs two snapshots of the heap, and there is one");
  if (options.type.empty()) return Status::ok();
  const Result<size_t> type = find_heap_type(read_heap(profile, *chosen, HeapParts::kTypes), options.type);
  return type ? Status::ok() : type.status();
}

void write_of_snapshots(const Profile& profile, const ChosenSnapshots& chosen, const HeapOptions& options,
                        std::ostream& out) {
  const HeapData data = read_heap(profile, chosen, parts_for(options));
  if (!options.type.empty()) {
    if (const Result<size_t> type = find_heap_type(data, options.type))
      write_heap_type(data, data.types[*type], profile, options, out);
  } else if (options.dominators) {
    write_heap_dominators(data, profile, options, out);
  } else if (options.findings) {
    write_heap_findings(data, profile, options, out);
  } else if (options.diff) {
    write_heap_diff(data, profile, options, out);
  } else {
    write_heap_types(data, profile, options, out);
  }
}

// Of snapshots first, if there are any; what was followed tells more of where objects were made.
void write_heap(const Profile& profile, const HeapOptions& options, std::ostream& out) {
  if (options.alive) return write_alive(profile, options, out);
  write_title("Heap", profile, options, out);
  if (const Result<ChosenSnapshots> chosen = choose_snapshots(profile, options)) {
    write_of_snapshots(profile, *chosen, options, out);
    if (!options.type.empty() || options.dominators || options.diff || options.findings) return;
    if (profile.collections.empty() && profile.following.empty()) return;
    out << '\n';
  }
  write_sizes(profile, options, out);
  write_staying(profile, options, out);
}

Json sizes_json(const Profile& profile) {
  Json json = Json::array();
  for (const profile::Collection& collection : profile.collections)
    if (collection.heap)
      json.push_back(
          {{"at_ns", collection.start_ns}, {"generation", collection.generation}, {"bytes", collection.heap->total()}});
  return json;
}

Json keepers_json(const Profile& profile, const Options& options) {
  Json json = Json::array();
  for (const ShownObjectHolder& keeper : shown_object_holders(profile, options))
    json.push_back(keeper_json(keeper, profile));
  return json;
}

void heap_report_json(const Profile& profile, const HeapOptions& options, Json& json) {
  if (options.alive) return alive_json(profile, options, json);
  if (const Result<ChosenSnapshots> chosen = choose_snapshots(profile, options)) {
    const HeapData data = read_heap(profile, *chosen, parts_for(options));
    json["heap_snapshots"] = heap_snapshots_json(data, profile, options);
    if (options.diff) json["diff"] = heap_diff_json(data, profile, options);
    if (options.findings) json["findings"] = heap_findings_json(data, profile, options);
    if (options.dominators) json["dominators"] = heap_dominators_json(data, profile, options);
    if (const Result<size_t> type = find_heap_type(data, options.type); type && !options.type.empty())
      json["type"] = heap_type_json(data, data.types[*type], profile, options);
  }
  json["heap"] = heap_of_run_json(profile);
  json["sizes"] = sizes_json(profile);
  const profile::Following following = sum_of_following(profile.following);
  json["following"] =
      following.from_ns < 0
          ? Json()
          : Json{{"from_ns", following.from_ns}, {"samples", following.samples}, {"bytes", following.bytes}};
  json["stays"] = Json::array();
  for (const ShownStaying& one : shown_staying(profile, options)) {
    if (json["stays"].size() == rows(options, SIZE_MAX)) break;
    json["stays"].push_back(staying_json(one, profile));
  }
  json["keepers"] = keepers_json(profile, options);
}

constexpr Option kHeapOptions[] = {
    own_option<Options, &HeapOptions::type>(
        "--type", "NAME", "Of a snapshot: one type's objects, what refers to them, and the paths to roots"),
    own_flag<Options, &HeapOptions::dominators>("--dominators",
                                                "Of a snapshot: the roots and objects that retain most, as a tree"),
    own_flag<Options, &HeapOptions::findings>(
        "--findings",
        "Of a snapshot: equal strings and arrays, half-empty collections, boxes, events that hold their "
        "handlers, timers, async methods that wait, closures, finalizers, pinned objects, free space"),
    own_flag<Options, &HeapOptions::diff>("--diff", "Types that grew, are new or are gone between two snapshots"),
    own_option<Options, &HeapOptions::snapshot>("--snapshot", "N", "The snapshot of that number instead of the last"),
    own_option<Options, &HeapOptions::since>("--since", "N", "Compare with that snapshot instead of the first"),
    own_flag<Options, &HeapOptions::types_only>("--types", "Only count types, without reading references"),
    own_flag<Options, &HeapOptions::alive>(
        "--alive", "Of sampled allocations: what is still alive, as a tree of the calls that allocated it"),
    own_flag<Options, &Options::all_frames>(
        kAllFrames.name, "with --alive: also show frames that only start threads and tasks or pass on requests"),
    own_option<Options, &HeapOptions::survived>(
        "--survived", "N", "With --alive: only objects that survived at least N full collections (default: 1)"),
};

}  // namespace

extern const Report kHeapReport = {
    .name = "heap",
    .help = "what holds the heap and what grows in it; where what stays was allocated",
    .options = kHeapOptions,
    .own = own_options<HeapOptions>,
    .check = by_own<check_heap>,
    .text = by_own<write_heap>,
    .json = by_own<heap_report_json>,
};

}  // namespace oriel::report
