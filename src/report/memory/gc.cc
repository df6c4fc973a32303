#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "log/event.h"
#include "profile/memory/gc_totals.h"
#include "profile/memory/heap_growth.h"
#include "profile/recorded.h"
#include "report/memory/gc_detail.h"
#include "report/memory/gc_parts.h"
#include "report/words/heap_text.h"
#include "report/words/json.h"
#include "report/words/notes.h"
#include "report/words/table.h"
#include "report/words/units.h"

namespace oriel::report {

using profile::Collection;
using profile::GcPhase;
using profile::Profile;

namespace {

constexpr size_t kCollectionRows = 30;

int64_t sum(const profile::GcPhaseTimes& times, std::initializer_list<GcPhase> phases) {
  int64_t result = 0;
  for (const GcPhase phase : phases) result += times[static_cast<size_t>(phase)];
  return result;
}

}  // namespace

std::array<int64_t, 5> collection_steps(const profile::GcPhaseTimes& of) {
  return {sum(of, {GcPhase::kStopping}),
          sum(of, {GcPhase::kMarkStacks, GcPhase::kMarkHandles, GcPhase::kMarkFinalizers, GcPhase::kMarkOlder,
                   GcPhase::kMarkOthers, GcPhase::kWeak}),
          sum(of, {GcPhase::kPlan}), sum(of, {GcPhase::kRelocate, GcPhase::kCompact}), sum(of, {GcPhase::kSweep})};
}

std::string collection_reason(const Collection& collection) {
  std::vector<std::string> words;
  if (collection.detail && collection.detail->trigger != profile::GcDetail::kNotReported) {
    words.push_back(gc_trigger_text(collection.detail->trigger));
  } else if (collection.induced) {
    words.push_back("induced");
  }
  if (collection.background) words.push_back("background");
  if (collection.end_ns < 0) words.push_back("not ended");
  return fmt::format("{}", fmt::join(words, ", "));
}

namespace {

// Pauses for other reasons than collections, by reason.
struct OtherPauses {
  uint64_t count = 0;
  int64_t ns = 0;
};

std::map<std::string, OtherPauses> other_pauses(const Profile& profile) {
  std::map<std::string, OtherPauses> result;
  for (const profile::Pause& pause : profile.pauses) {
    const std::string reason(pause.reason_name());
    if (reason == "gc" || reason == "gc-prepare") continue;
    OtherPauses& entry = result[reason.empty() ? "unknown" : reason];
    ++entry.count;
    entry.ns += pause.ns;
  }
  return result;
}

// All in time order; if there are too many, those with the longest pauses.
std::vector<Collection> shown(const Profile& profile, const Options& options) {
  const size_t most = rows(options, kCollectionRows);
  std::vector<Collection> collections = profile.collections;
  if (collections.size() <= most) return collections;
  std::stable_sort(collections.begin(), collections.end(),
                   [](const Collection& a, const Collection& b) { return a.pause_ns > b.pause_ns; });
  collections.resize(most);
  return collections;
}

void write_generations(const Profile& profile, const Options& options, std::ostream& out) {
  const profile::GcTotals totals = profile::gc_totals(profile);
  const int64_t wall_ns = profile::kept_ns(profile);
  // Mono does not tell why it collects.
  const bool tells_induced = !profile::is_of_mono(profile);
  std::vector<Table::Column> columns = {{"collections"}, {"paused"}, {"of wall"}, {"mean"}, {"longest"}};
  if (tells_induced) columns.insert(columns.begin() + 1, {"induced"});
  Table table(columns, "generation");
  const auto row = [&](const profile::GcTotals::Generation& of, const std::string& name) {
    std::vector<std::string> figures = {count(of.count), duration(of.pause_ns),
                                        percent(static_cast<uint64_t>(of.pause_ns), static_cast<uint64_t>(wall_ns)),
                                        duration(of.pause_ns / static_cast<int64_t>(std::max<uint64_t>(1, of.count))),
                                        duration(of.longest_ns)};
    if (tells_induced) figures.insert(figures.begin() + 1, count(of.induced));
    table.add(std::move(figures), [name](size_t) { return name; });
  };
  for (const auto& [generation, of_it] : totals.by_generation) row(of_it, std::to_string(generation));
  if (totals.by_generation.size() > 1) row({totals.count, totals.induced, totals.pause_ns, totals.longest_ns}, "all");
  table.write(out, options.width, 0, Style(options.color));
}

// Whether the log has phase times.
bool tells_times(const profile::GcPhaseTimes& of) {
  const std::array<int64_t, 5> times = collection_steps(of);
  return std::any_of(times.begin() + 1, times.end(), [](int64_t ns) { return ns > 0; });
}

// Pause time by phase and generation, and concurrent work.
void write_phases(const Profile& profile, const Options& options, std::ostream& out) {
  const profile::GcTotals totals = profile::gc_totals(profile);
  if (!tells_times(totals.phases) && sum(totals.phases, {GcPhase::kStopping}) == 0) return;
  std::vector<Table::Column> columns;
  for (const auto& [generation, of_it] : totals.by_generation) columns.push_back({fmt::format("gen {}", generation)});
  columns.insert(columns.end(), {{"all"}, {"of paused"}});
  Table table(columns, "phase");
  for (size_t i = 0; i < profile::kGcPhases; ++i) {
    const auto phase = static_cast<GcPhase>(i);
    if (totals.phases[i] == 0) continue;
    std::vector<std::string> figures;
    for (const auto& [generation, of_it] : totals.by_generation) figures.push_back(duration(of_it.phases[i]));
    figures.push_back(duration(totals.phases[i]));
    figures.push_back(is_beside_program(phase) ? "–"
                                               : percent(static_cast<uint64_t>(totals.phases[i]),
                                                         static_cast<uint64_t>(std::max<int64_t>(1, totals.pause_ns))));
    table.add(std::move(figures), [phase](size_t) { return std::string(gc_phase_name(phase)); });
  }
  out << '\n';
  table.write(out, options.width, 0, Style(options.color));
  if (!tells_times(totals.phases) && !profile::is_of_mono(profile))
    write_note("oriel run --gc-phases splits up collecting: marking, planning, compacting, sweeping.", options, out);
}

// Sizes of the heap's parts, and their growth. Mono tells the whole only.
void write_heap_growth(const Profile& profile, const Options& options, std::ostream& out) {
  const std::optional<profile::HeapHistory> run = profile::heap_history(profile);
  if (!run) return;
  Table table({{"first"}, {"last"}, {"grew by"}, {"peak"}}, "heap after collections");
  const auto row = [&](uint64_t first, uint64_t last, uint64_t most, const char* name) {
    if (most == 0 && last == 0) return;
    table.add({bytes(first), bytes(last), last > first ? bytes(last - first) : "–", bytes(most)},
              [name](size_t) { return std::string(name); });
  };
  for (size_t i = 0; i < profile::HeapSizes::kParts && !profile::is_of_mono(profile); ++i) {
    uint64_t most = 0;
    for (const Collection& collection : profile.collections)
      if (collection.heap) most = std::max(most, collection.heap->bytes[i]);
    row(run->first.bytes[i], run->last.bytes[i], most, heap_part_name(i));
  }
  row(run->first.total(), run->last.total(), run->most.total(), "all");
  out << '\n';
  table.write(out, options.width, 0, Style(options.color));
  if (const std::string sentence = heap_growth_sentence(profile); !sentence.empty()) write_note(sentence, options, out);
}

// The heap cells of a collection's row: the total, and its parts if they fit.
void add_heap(const Collection& collection, bool with_parts, std::vector<std::string>& cells) {
  cells.push_back(collection.heap ? bytes(collection.heap->total()) : "–");
  for (size_t i = 0; with_parts && i < profile::HeapSizes::kParts; ++i)
    cells.push_back(collection.heap ? bytes(collection.heap->bytes[i]) : "–");
}

void write_collections(const Profile& profile, const Options& options, std::ostream& out) {
  const std::vector<Collection> rows = shown(profile, options);
  std::vector<Table::Column> columns = {{"number"}, {"generation"}, {"began at"}, {"took"}, {"paused"}};
  constexpr unsigned kWide = 100, kOfHeap = 10, kOfReasons = 15, kWidest = 130;
  const bool with_heap = std::ranges::any_of(rows, [](const Collection& one) { return one.heap.has_value(); });
  const bool with_reasons = std::ranges::any_of(rows, [](const Collection& one) { return one.detail.has_value(); });
  const unsigned wide = kWide + (with_heap ? kOfHeap : 0) + (with_reasons ? kOfReasons : 0);
  const bool with_phases = options.width >= wide && tells_times(profile::gc_totals(profile).phases);
  const bool with_parts = with_heap && !with_phases && options.width >= kWidest && !profile::is_of_mono(profile);
  if (with_heap) columns.push_back({"heap"});
  for (size_t i = 0; with_parts && i < profile::HeapSizes::kParts; ++i) columns.push_back({heap_part_name(i)});
  if (with_phases) columns.insert(columns.end(), {{"stop"}, {"mark"}, {"plan"}, {"move"}, {"sweep"}});
  Table table(columns, "");
  for (const Collection& collection : rows) {
    const bool ended = collection.end_ns >= 0;
    std::vector<std::string> figures = {
        count(collection.number), std::to_string(collection.generation), moment(collection.start_ns),
        ended ? duration(collection.end_ns - collection.start_ns) : "–", duration(collection.pause_ns)};
    if (with_heap) add_heap(collection, with_parts, figures);
    if (with_phases) {
      for (const int64_t ns : collection_steps(collection.phases)) figures.push_back(ns > 0 ? duration(ns) : "–");
    }
    table.add(std::move(figures), [collection](size_t) { return collection_reason(collection); });
  }
  out << '\n';
  table.write(out, options.width, 0, Style(options.color));
  if (rows.size() < profile.collections.size())
    write_note(
        fmt::format("The {} of {} with the longest pauses.", count(rows.size()), count(profile.collections.size())),
        options, out);
}

void write_gc(const Profile& profile, const Options& options, std::ostream& out) {
  write_title("Garbage collections", profile, options, out, profile::Unit::kPeriods, kByTimeOnly);
  if (const std::string note = not_recorded(profile, "gc"); !note.empty()) return write_note(note, options, out);
  if (profile.collections.empty()) {
    write_note(
        is_part(profile, kByTimeOnly) ? "No collections in this part of the log." : "No collections in this log.",
        options, out);
  } else {
    write_generations(profile, options, out);
    write_phases(profile, options, out);
    write_heap_growth(profile, options, out);
    write_gc_detail(profile, options, out);
    write_collections(profile, options, out);
    write_gc_parts(profile, options, out);
  }
  const std::map<std::string, OtherPauses> others = other_pauses(profile);
  if (!others.empty()) out << '\n';
  for (const auto& [reason, entry] : others) {
    write_note(fmt::format("The runtime also stopped the program {} for another reason ({}), {} in total.",
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
  const auto parts = profile::gc_parts_by_collection(profile);
  for (const Collection& collection : profile.collections) {
    Json entry = {{"number", collection.number},
                  {"generation", collection.generation},
                  {"induced", profile::is_of_mono(profile) ? Json() : Json(collection.induced)},
                  {"start_ns", collection.start_ns},
                  {"end_ns", nullptr},
                  {"pause_ns", collection.pause_ns}};
    if (collection.end_ns >= 0) entry["end_ns"] = collection.end_ns;
    if (collection.heap) entry["heap"] = heap_json(*collection.heap);
    entry["background"] = collection.background;
    if (collection.detail) entry.update(gc_detail_json(*collection.detail));
    if (!profile.gc_stretches.empty()) entry["phases"] = gc_phases_json(collection.phases);
    if (!profile.gc_parts.empty()) entry["parts"] = gc_parts_json(parts[json["all"].size()], profile);
    json["all"].push_back(std::move(entry));
  }
  if (!profile.gc_heaps.empty()) json["heaps"] = gc_heaps_json(profile);
  json["other_pauses"] = Json::object();
  for (const auto& [reason, entry] : other_pauses(profile))
    json["other_pauses"][reason] = {{"count", entry.count}, {"ns", entry.ns}};
}

}  // namespace

extern const Report kGcReport = {
    .name = "gc",
    .help = "garbage collections by generation, each with its pause and the heap after it",
    .text = write_gc,
    .json = gc_json,
};

}  // namespace oriel::report
