#include "report/memory/heap_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>

#include "heap/findings.h"
#include "report/memory/heap_snapshots.h"
#include "report/words/function_name.h"
#include "report/words/notes.h"
#include "report/words/table.h"
#include "report/words/text.h"
#include "report/words/units.h"

namespace oriel::report {

using heap::Finding;
using heap::FindingRow;
using heap::Graph;
using heap::Question;
using profile::Profile;

namespace {

constexpr size_t kFindingRows = 5;

struct QuestionWords {
  const char* key;
  const char *one, *many;  // behind the number of objects
  const char* says;        // behind that; {} is the bytes
  const char* what;        // title of the rows' names
  const char* last;        // title of the last column
};

// By Question.
constexpr QuestionWords kWords[] = {
    {"equal_strings", "string repeats another", "strings repeat others", ": {} could be saved.", "text", "mostly in"},
    {"equal_arrays", "array repeats another", "arrays repeat others",
     ": {} could be saved, if nothing writes into them.", "array", "mostly in"},
    {"zeros", "array has nothing but zeros", "arrays have nothing but zeros", ": {}.", "array", "mostly in"},
    {"half_empty_collections", "collection is at most half full", "collections are at most half full",
     ": {} of their places are free.", "collection", "mostly in"},
    {"boxes", "value is boxed", "values are boxed", ", each an object of its own: {}.", "value", "mostly in"},
    {"event_handlers", "object is", "objects are",
     " alive only by handling an event, and retain {}. Should they have unsubscribed?", "event", "handlers"},
    {"timers", "timer is set", "timers are set", "; with what only they hold: {}.", "called with", "period"},
    {"async_methods", "call of an async method waits", "calls of async methods wait", ", and retain {}.", "method",
     "mostly in"},
    {"closures", "closure of lambdas retains", "closures of lambdas retain", " {}.", "lambdas", "mostly in"},
    {"finalizers", "object has a finalizer to run", "objects have a finalizer to run",
     ", {}, as nothing else refers to them: they wait for a collection, or for the finalizer's thread.", "type", ""},
    {"pinned", "object is pinned", "objects are pinned", " by handles: {} that a collection cannot move.", "type",
     "generations"},
};

const QuestionWords& words_of(const Finding& finding) { return kWords[static_cast<size_t>(finding.question)]; }

// Of equal ones, those that could be saved.
uint64_t objects_of(const Finding& finding) {
  const bool is_one_needed = finding.question == Question::kStrings || finding.question == Question::kArrays;
  return finding.members.size() - (is_one_needed ? finding.rows.size() : 0);
}

std::string finding_sentence(const Finding& finding) {
  const QuestionWords& words = words_of(finding);
  return counted(objects_of(finding), words.one, words.many) +
         fmt::format(fmt::runtime(words.says), bytes(finding.bytes));
}

std::string name_of_type(const HeapData& data, uint32_t type) { return data.types[data.loaded->names[type]].name; }

std::string made_of(const HeapData& data, uint32_t type) {
  const Graph& graph = data.loaded->graph;
  const uint32_t details = graph.details_of[type];
  const std::string made = details == Graph::kNoDetails ? "" : clean(graph.details.types[details].made_of);
  return made.empty() ? name_of_type(data, type) : made;
}

// What is the program's own tells more: the target, unless that is the runtime's; else the state.
std::string timer_text(const HeapData& data, const heap::TimerKey& key) {
  const std::string target = key.target == heap::TimerKey::kNone ? "" : made_of(data, key.target);
  const std::string state = key.state == heap::TimerKey::kNone ? "" : made_of(data, key.state);
  const bool is_own = !target.empty() && !target.starts_with("System.");
  return is_own || state.empty() ? (target.empty() ? "a static method" : target) : state;
}

std::string event_text(const HeapData& data, const heap::HandlerKey& key, const Profile& profile) {
  const Graph& graph = data.loaded->graph;
  if (key.root != heap::HandlerKey::kNoRoot) return root_text(data, key.root, profile);
  if (key.type >= graph.snapshot.types.size()) return "several places";
  return with_place(name_of_type(data, key.type), clean(heap::place_name(graph.snapshot.types[key.type], key.place)));
}

std::string row_text(const HeapData& data, const Finding& finding, const FindingRow& row, const Profile& profile) {
  const Graph& graph = data.loaded->graph;
  const std::string size = bytes(graph.bytes(finding.of(row).front()));
  switch (finding.question) {
    case Question::kStrings: {
      const std::string text = clean(heap::text_of(graph, finding.of(row)));
      return text.empty() ? "a string of " + size : '"' + text + '"';
    }
    case Question::kArrays:
      return name_of_type(data, row.type) + " of " + size;
    case Question::kHandlers:
      return event_text(data, heap::HandlerKey::of(row.key), profile);
    case Question::kTimers:
      return timer_text(data, heap::TimerKey::of(row.key));
    case Question::kAsync: {
      const uint32_t await = heap::AsyncKey::of(row.key).await;
      return made_of(data, row.type) + (await == 0 ? "" : fmt::format(" at await {}", await));
    }
    case Question::kClosures:
      return made_of(data, row.type);
    default:
      return name_of_type(data, row.type);
  }
}

const char* generation_text(uint8_t generation) {
  constexpr const char* kNames[] = {"younger than the last collection", "0", "1", "2", "large", "pinned", "frozen"};
  return kNames[generation < std::size(kNames) ? generation : 0];
}

std::string generations_text(const Graph& graph, std::span<const uint32_t> objects) {
  std::string text;
  if (graph.snapshot.spaces.empty()) return "not known";
  for (uint8_t generation = 0; generation <= static_cast<uint8_t>(log::HeapGeneration::kFrozen); ++generation) {
    const auto in = std::ranges::count(objects, generation, [&](uint32_t object) { return graph.generations[object]; });
    if (in != 0) text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", generation_text(generation), in);
  }
  return text;
}

std::string period_text(const Graph& graph, std::span<const uint32_t> timers) {
  const auto period_of = [&](uint32_t timer) { return graph.value(timer, log::HeapValueKind::kPeriod); };
  const int64_t first = period_of(timers.front());
  if (std::ranges::any_of(timers, [&](uint32_t timer) { return period_of(timer) != first; })) return "several";
  constexpr int64_t kNanoseconds = 1'000'000;
  return first <= 0 ? "once" : duration(first * kNanoseconds);
}

bool has_main_place(Question question) {
  return question != Question::kHandlers && question != Question::kTimers && question != Question::kFinalizers &&
         question != Question::kPinned;
}

std::string main_place_text(const HeapData& data, const heap::MainPlace& main) {
  if (main.references * 2 < main.all || main.all == 0) return main.all == 0 ? "" : "several places";
  return with_place(name_of_type(data, main.type),
                    clean(heap::place_name(data.loaded->graph.snapshot.types[main.type], main.place)));
}

std::string last_text(const HeapData& data, const Finding& finding, const FindingRow& row,
                      const heap::MainPlace& main) {
  switch (finding.question) {
    case Question::kHandlers:
      return made_of(data, row.type);
    case Question::kTimers:
      return period_text(data.loaded->graph, finding.of(row));
    case Question::kPinned:
      return generations_text(data.loaded->graph, finding.of(row));
    default:
      return has_main_place(finding.question) ? main_place_text(data, main) : "";
  }
}

// Of the rows that are shown; equal objects may be in several findings, so each finding asks by itself.
std::vector<heap::MainPlace> places_of_rows(const HeapData& data, const Finding& finding, size_t shown) {
  std::vector<std::span<const uint32_t>> groups;
  for (size_t i = 0; i < shown; ++i) groups.push_back(finding.of(finding.rows[i]));
  if (!has_main_place(finding.question)) return std::vector<heap::MainPlace>(shown);
  return heap::main_places(data.loaded->graph, data.loaded->tree, groups);
}

// Generations whose free space a collection could not give back: "generation 2".
struct FreeOf {
  const char* text;
  log::HeapGeneration generation;
};
constexpr FreeOf kFreeOf[] = {{"Generation 2", log::HeapGeneration::kGen2},
                              {"The heap of large objects", log::HeapGeneration::kLarge},
                              {"The heap of pinned objects", log::HeapGeneration::kPinned}};

std::string free_sentence(const FreeOf& of, const heap::FreeSpace& free) {
  return fmt::format("{} has {} of {} free between objects, in {}; the largest has {}.", of.text, bytes(free.free),
                     bytes(free.all), counted(free.places, "place", "places"), bytes(free.largest));
}

bool is_worth_it(const Finding& finding, uint64_t whole) {
  constexpr uint64_t kLeastBytes = 1'000'000, kPart = 20, kFewest = 100;
  return finding.question != Question::kZeros && finding.bytes >= kLeastBytes && finding.bytes * kPart >= whole &&
         objects_of(finding) >= kFewest;
}

std::string owner_text(const HeapData& data, const Finding& finding, const Profile& profile) {
  std::string text;
  if (finding.question == Question::kHandlers) {
    const FindingRow& row = finding.rows.front();
    return fmt::format(" The most, {}, handle {}: {}.", count(row.objects),
                       event_text(data, heap::HandlerKey::of(row.key), profile), made_of(data, row.type));
  }
  if (finding.question == Question::kStrings) {
    const FindingRow& row = finding.rows.front();
    text += fmt::format(" The most is {}, {} times.", row_text(data, finding, row, profile), count(row.objects));
  }
  const std::span<const uint32_t> all = finding.members;
  const heap::MainPlace main = heap::main_places(data.loaded->graph, data.loaded->tree, {{all}}).front();
  if (main.all != 0 && main.references * 2 >= main.all)
    text += fmt::format(" {} references to them are in {}.",
                        main.references == main.all ? "All" : percent(main.references, main.all) + " of the",
                        main_place_text(data, main));
  return text +
         holder_sentence(holder_text(data, heap::main_holder(data.loaded->graph, data.loaded->tree, all), profile));
}

Json finding_json(const HeapData& data, const Finding& finding, const Profile& profile, size_t most) {
  Json json = {{"question", words_of(finding).key},
               {"objects", objects_of(finding)},
               {"bytes", finding.bytes},
               {"text", finding_sentence(finding)},
               {"rows", Json::array()}};
  const size_t shown = std::min(finding.rows.size(), most);
  const std::vector<heap::MainPlace> places = places_of_rows(data, finding, shown);
  for (size_t i = 0; i < shown; ++i) {
    const FindingRow& row = finding.rows[i];
    json["rows"].push_back({{"name", row_text(data, finding, row, profile)},
                            {"type", name_of_type(data, row.type)},
                            {"objects", row.objects},
                            {"bytes", row.bytes},
                            {"in", last_text(data, finding, row, places[i])}});
  }
  return json;
}

void write_finding_rows(const HeapData& data, const Finding& finding, const Profile& profile, const Options& options,
                        std::ostream& out) {
  constexpr size_t kNameWidth = 50;
  const QuestionWords& words = words_of(finding);
  const size_t shown = std::min(finding.rows.size(), rows(options, kFindingRows));
  const std::vector<heap::MainPlace> places = places_of_rows(data, finding, shown);
  Table table({{"bytes"}, {"objects"}, {words.what, Table::Align::kLeft}}, words.last);
  for (size_t i = 0; i < shown; ++i) {
    const FindingRow& row = finding.rows[i];
    std::string last = last_text(data, finding, row, places[i]);
    table.add({bytes(row.bytes), count(row.objects), fit_name(row_text(data, finding, row, profile), kNameWidth)},
              [last = std::move(last)](size_t width) { return fit_name(last, width); });
  }
  table.write(out, options.width, 2, Style(options.color));
  if (const std::string rest = rest_of_rows(shown, finding.rows.size()); !rest.empty()) out << "  " << rest;
}

}  // namespace

std::vector<std::string> waste_sentences(const HeapData& data, const Profile& profile) {
  constexpr uint64_t kLeastFree = 10'000'000, kFreePart = 3;
  std::vector<std::string> sentences;
  if (!data.loaded) return sentences;
  const Graph& graph = data.loaded->graph;
  for (const Finding& finding : heap::findings_of(graph, data.loaded->tree, heap::Asked::kWaste))
    if (is_worth_it(finding, data.loaded->tree.retained[0]))
      sentences.push_back(finding_sentence(finding) + owner_text(data, finding, profile));
  for (const FreeOf& of : kFreeOf) {
    const heap::FreeSpace& free = graph.free[static_cast<size_t>(of.generation)];
    if (free.free >= kLeastFree && free.free * kFreePart >= free.all) sentences.push_back(free_sentence(of, free));
  }
  return sentences;
}

void write_heap_findings(const HeapData& data, const Profile& profile, const HeapOptions& options, std::ostream& out) {
  if (!data.problem.empty()) write_note(clean(data.problem), options, out);
  if (!data.loaded) return;
  const Graph& graph = data.loaded->graph;
  write_note(fmt::format("What snapshot {} shows beside who holds what. None of it needs to be a fault.",
                         data.last(profile).number),
             options, out);
  if (graph.details.types.empty())
    write_note("The snapshot has no values of objects: an older version of Oriel took it, or an assembly was unloaded.",
               options, out);
  for (const Finding& finding : heap::findings_of(graph, data.loaded->tree, heap::Asked::kAll)) {
    out << '\n';
    write_note(finding_sentence(finding), options, out);
    write_finding_rows(data, finding, profile, options, out);
  }
  out << '\n';
  for (const FreeOf& of : kFreeOf)
    if (const heap::FreeSpace& free = graph.free[static_cast<size_t>(of.generation)]; free.free != 0)
      write_note(free_sentence(of, free), options, out);
}

Json heap_findings_json(const HeapData& data, const Profile& profile, const HeapOptions& options) {
  Json json = {{"answers", Json::array()}, {"free", Json::array()}};
  if (!data.loaded) return json;
  for (const Finding& finding : heap::findings_of(data.loaded->graph, data.loaded->tree, heap::Asked::kAll))
    json["answers"].push_back(finding_json(data, finding, profile, rows(options, 100)));
  for (size_t i = 1; i < data.loaded->graph.free.size(); ++i) {
    const heap::FreeSpace& free = data.loaded->graph.free[i];
    if (free.all == 0) continue;
    json["free"].push_back({{"generation", generation_text(static_cast<uint8_t>(i))},
                            {"bytes", free.all},
                            {"free", free.free},
                            {"places", free.places},
                            {"largest", free.largest}});
  }
  return json;
}

}  // namespace oriel::report
