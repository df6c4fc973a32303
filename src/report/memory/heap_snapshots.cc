#include "report/memory/heap_snapshots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <span>

#include "report/memory/heap_findings.h"
#include "report/memory/staying.h"
#include "report/words/function_name.h"
#include "report/words/holder_text.h"
#include "report/words/notes.h"
#include "report/words/table.h"
#include "report/words/text.h"
#include "report/words/units.h"

namespace oriel::report {

using profile::Profile;

namespace {

constexpr size_t kTypeRows = 20, kRootRows = 5;
constexpr size_t kStepWidth = 60;

void write_head(const HeapData& data, const Profile& profile, const Options& options, std::ostream& out) {
  const size_t at = data.snapshots.rows.size() - 1;
  const profile::HeapSnapshot& last = data.last(profile);
  std::string text = fmt::format("The heap in {}: {} in {}.", snapshot_text(data, at, profile), bytes(last.bytes),
                                 counted(last.objects, "object", "objects"));
  if (last.frozen_ns > 0)
    text += fmt::format(" The program was stopped for {}{}.", duration(last.frozen_ns),
                        last.not_copied.empty() ? "" : ", as no copy of it could be made: " + clean(last.not_copied));
  if (last.cause == "exit")
    text += " It was taken as the program ended, when a server has let go of much" +
            (at == 0 ? "." : fmt::format("; --snapshot {} is the one before.", data.snapshot(profile, at - 1).number));
  uint64_t garbage = 0, objects = 0;
  for (const TypeOverTime& type : data.types) {
    garbage += type.last.unreachable_bytes;
    objects += type.last.unreachable;
  }
  if (objects != 0)
    text += fmt::format(" Nothing refers to {} of it in {}: garbage that is not collected yet.", bytes(garbage),
                        counted(objects, "object", "objects"));
  write_note(text, options, out);
  if (!last.missing.empty()) write_note("Not in the snapshot: " + clean(last.missing), options, out);
  if (!data.problem.empty()) write_note(clean(data.problem), options, out);
  out << '\n';
}

std::string steps_text(const HolderText& holder) {
  constexpr size_t kMostSteps = 6, kFirst = 3;
  std::string text;
  for (size_t i = 0; i < holder.steps.size(); ++i) {
    const bool hidden = holder.steps.size() > kMostSteps && i >= kFirst && i + kFirst - 1 < holder.steps.size();
    if (hidden && i > kFirst) continue;
    text += (i == 0 ? "" : " → ") + (hidden ? "…" : fit_name(holder.steps[i], kStepWidth));
  }
  return text;
}

// Where own code puts the objects in, as far as sampled allocations tell.
std::string put_in_sentence(const TypeOverTime& type, const HolderText& holder, const Profile& profile) {
  for (const ShownObjectHolder& keeper : shown_object_holders(profile, Options()))
    if (std::ranges::find(holder.types, clean(keeper.figures.name)) != holder.types.end())
      return " " + keeper_sentence(keeper, profile);
  for (const ShownStaying& staying : shown_staying(profile, Options()))
    if (staying.type == type.name && staying.at.function != 0)
      return fmt::format(" They are allocated in {}.", place_text(staying.at, profile));
  return "";
}

// "from 10 to 1,000 objects, +990 and +19.8 MB a minute, 20.0 MB in all". An array that is replaced by a larger one is
// still one object: "from 1.00 MB to 4.00 MB, +3.00 MB a minute".
std::string growth_text(const TypeOverTime& type, uint64_t held, int64_t ns) {
  constexpr int64_t kFewObjects = 3;
  if (type.grown_objects() < kFewObjects)
    return fmt::format("from {} to {}{}", bytes(type.bytes.front()), bytes(type.last.bytes),
                       ns > 0 ? ", " + signed_bytes(per_minute(type.grown_bytes(), ns)) + " a minute" : "");
  const double part = static_cast<double>(type.grown_objects()) / static_cast<double>(type.last.objects);
  const double pace = per_minute(static_cast<int64_t>(part * static_cast<double>(held)), ns);
  const std::string paces =
      fmt::format(", {} and {} a minute", signed_count(per_minute(type.grown_objects(), ns)), signed_bytes(pace));
  return fmt::format("from {} to {} objects{}, {} in all", count(type.objects.front()), count(type.last.objects),
                     ns > 0 ? paces : "", bytes(held));
}

std::string trend_text(const HeapVerdict& verdict, const HeapData& data, const Profile& profile) {
  const TypeOverTime& type = *verdict.type;
  const std::string name = fit_name(type.name, kStepWidth);
  const uint64_t held = std::max(type.last.retained, type.last.bytes);
  if (verdict.trend == HeapTrend::kOne)
    return fmt::format("{} {} {}.", counted(type.last.objects, "object", "objects"), fmt::format("of {}", name),
                       type.last.retained != 0 ? "retain " + bytes(held) : "take " + bytes(held));
  const std::string grown = growth_text(type, held, time_between(data, profile));
  if (verdict.trend == HeapTrend::kGoesOn)
    return fmt::format("{} grew {}, and kept growing over {} snapshots: is all of it still needed?", name, grown,
                       data.snapshots.rows.size());
  if (verdict.trend == HeapTrend::kStarts)
    return fmt::format("{} grew {}. Whether that goes on, a longer run shows.", name, grown);
  return fmt::format("{} grew {}.{}", name, grown,
                     data.snapshots.rows.size() == 2 ? " Whether that goes on, a third snapshot shows."
                                                     : " It did not grow all the time.");
}

// With what holds them and who puts them in, where the references were read.
std::string verdict_text(const HeapVerdict& verdict, const HolderText* holder, const HeapData& data,
                         const Profile& profile) {
  const std::string text = trend_text(verdict, data, profile);
  return holder == nullptr ? text : text + holder_sentence(*holder) + put_in_sentence(*verdict.type, *holder, profile);
}

// So many that a row has room for them: of several snapshots the last.
std::vector<double> bars_of(const std::vector<uint64_t>& values) {
  constexpr size_t kMost = 20;
  const size_t count = std::min(values.size(), kMost);
  std::vector<double> heights;
  for (size_t i = 1; i <= count; ++i) heights.push_back(static_cast<double>(values[values.size() * i / count - 1]));
  return heights;
}

// What shares are of: what is alive.
uint64_t whole_of(const HeapData& data, const Profile& profile) {
  return data.loaded ? data.loaded->tree.retained[0] : data.last(profile).bytes;
}

void write_types(const HeapData& data, const Profile& profile, const Options& options, std::ostream& out) {
  const bool several = data.snapshots.rows.size() > 1, loaded = data.loaded.has_value();
  const int64_t ns = time_between(data, profile);
  std::vector<Table::Column> columns;
  if (loaded) columns.insert(columns.end(), {{"retains"}, {""}});
  columns.insert(columns.end(), {{"bytes"}, {"objects"}});
  if (several) columns.insert(columns.end(), {{"a minute"}, {"bytes then", Table::Align::kLeft}});
  Table table(columns, "type");
  const uint64_t whole = whole_of(data, profile);
  size_t all = 0;
  for (const TypeOverTime& type : data.types) {
    if (type.last.objects == 0 && !several) continue;
    if (++all > rows(options, kTypeRows)) continue;
    std::vector<std::string> cells;
    if (loaded) cells = {percent(type.last.retained, whole), bytes(type.last.retained)};
    cells.push_back(bytes(type.last.bytes));
    cells.push_back(count(type.last.objects));
    if (several) {
      const double pace = per_minute(type.grown_bytes(), ns);
      cells.push_back(std::abs(pace) < 1 ? "" : signed_bytes(pace));
      cells.push_back(bars(bars_of(type.bytes)));
    }
    table.add(
        std::move(cells), [&](size_t width) { return fit_name(type.name, width); },
        share(loaded ? type.last.retained : type.last.bytes, whole));
  }
  table.write(out, options.width, 0, Style(options.color));
  out << rest_of_rows(std::min(all, rows(options, kTypeRows)), all) << '\n';
  if (loaded) write_note("retains: what would be free without the type's objects, these included.", options, out);
}

// Children of a node in the tree that are roots or objects, by what they retain.
std::vector<uint32_t> children_of(const heap::Dominators& tree, uint32_t number, uint64_t least) {
  std::vector<uint32_t> children;
  for (uint32_t child = tree.first_child[number]; child != 0; child = tree.next_child[child])
    if (tree.retained[child] >= least) children.push_back(child);
  std::ranges::stable_sort(children, std::greater<>(), [&](uint32_t child) { return tree.retained[child]; });
  return children;
}

void write_roots(const HeapData& data, const Profile& profile, const Options& options, std::ostream& out) {
  const heap::Dominators& tree = data.loaded->tree;
  const uint64_t whole = whole_of(data, profile);
  std::map<std::string, uint64_t> by_text;  // threads of one name have several
  for (const uint32_t child : children_of(tree, 0, 1))
    if (tree.is_root(child)) by_text[node_text(data, child, profile)] += tree.retained[child];
  std::vector<std::pair<std::string, uint64_t>> roots(by_text.begin(), by_text.end());
  std::ranges::stable_sort(roots, std::greater<>(), &std::pair<std::string, uint64_t>::second);
  Table table({{"retains"}, {""}}, "roots");
  for (const auto& [text, retained] : std::span(roots).first(std::min(roots.size(), rows(options, kRootRows)))) {
    if (retained * 100 < whole) break;
    table.add(
        {percent(retained, whole), bytes(retained)}, [&text = text](size_t width) { return cut_middle(text, width); },
        share(retained, whole));
  }
  if (table.empty()) return;
  out << '\n';
  table.write(out, options.width, 0, Style(options.color));
}

}  // namespace

std::string heap_sentence(const HeapData& data, const Profile& profile) {
  const HeapVerdict verdict = verdict_of(data, profile);
  const size_t snapshots = data.snapshots.rows.size();
  if (verdict.type == nullptr && snapshots == 1) return "";
  if (verdict.type == nullptr && !data.loaded)
    return "Garbage that is not collected yet is counted too, so growth may be garbage.";
  if (verdict.type == nullptr)
    return fmt::format("No type {} by {} or more between {} and {}.", snapshots == 2 ? "grew" : "kept growing",
                       bytes(notable_growth(data, profile)), snapshot_name(data, 0, profile),
                       snapshot_name(data, snapshots - 1, profile));
  std::optional<HolderText> holder;
  if (data.loaded) holder = holder_text(data, verdict.holder, profile);
  return verdict_text(verdict, holder ? &*holder : nullptr, data, profile);
}

std::string holder_sentence(const HolderText& holder) {
  if (holder.steps.empty()) {
    std::string text = " No single object or field holds most of them";
    for (size_t i = 0; i < holder.shares.size(); ++i)
      text += fmt::format("{} {} {}{}", i == 0 ? ";" : ",", holder.shares[i].first, i == 0 ? "holds " : "",
                          percent(holder.shares[i].second, holder.all));
    return text + ".";
  }
  return fmt::format(" {} holds {}, and retains {}.", steps_text(holder),
                     holder.bytes == holder.all ? "all of them" : percent(holder.bytes, holder.all) + " of their bytes",
                     bytes(holder.retained));
}

void write_heap_types(const HeapData& data, const Profile& profile, const HeapOptions& options, std::ostream& out) {
  if (const std::string others = other_heaps_sentence(data, profile); !others.empty()) write_note(others, options, out);
  write_head(data, profile, options, out);
  std::vector<std::string> sentences = waste_sentences(data, profile);
  sentences.insert(sentences.begin(), heap_sentence(data, profile));
  for (const std::string& sentence : sentences) {
    if (sentence.empty()) continue;
    write_note(sentence, options, out);
    out << '\n';
  }
  write_types(data, profile, options, out);
  if (data.loaded) write_roots(data, profile, options, out);
}

namespace {

Json holder_json(const HolderText& holder) {
  Json json = {
      {"steps", holder.steps}, {"retained", holder.retained}, {"bytes", holder.bytes}, {"of_bytes", holder.all}};
  for (const auto& [name, part] : holder.shares) json["shares"].push_back({{"name", name}, {"bytes", part}});
  return json;
}

const char* trend_key(HeapTrend trend) {
  constexpr const char* kKeys[] = {"held", "grew", "grows", "starts", "none"};
  return kKeys[static_cast<size_t>(trend)];
}

Json type_row_json(const HeapData& data, const TypeOverTime& type, const Profile& profile) {
  Json json = {{"type", type.name}, {"objects", type.last.objects}, {"bytes", type.last.bytes}};
  if (data.loaded) {
    json["retained"] = type.last.retained;
    json["garbage_objects"] = type.last.unreachable;
    json["garbage_bytes"] = type.last.unreachable_bytes;
  }
  json["snapshots"] = {{"objects", type.objects}, {"bytes", type.bytes}};
  if (data.snapshots.rows.size() > 1)
    json["bytes_per_minute"] = per_minute(type.grown_bytes(), time_between(data, profile));
  return json;
}

Json verdict_json(const HeapData& data, const Profile& profile) {
  const HeapVerdict verdict = verdict_of(data, profile);
  Json json = {{"trend", trend_key(verdict.trend)}};
  if (verdict.type == nullptr) return json;
  json["type"] = verdict.type->name;
  if (data.loaded) {
    const HolderText holder = holder_text(data, verdict.holder, profile);
    json["holder"] = holder_json(holder);
    json["text"] = verdict_text(verdict, &holder, data, profile);
  }
  return json;
}

}  // namespace

Json heap_snapshots_json(const HeapData& data, const Profile& profile, const HeapOptions& options) {
  Json json = {{"snapshots", Json::array()}, {"verdict", verdict_json(data, profile)}, {"types", Json::array()}};
  for (size_t i = 0; i < data.snapshots.rows.size(); ++i) {
    const profile::HeapSnapshot& snapshot = data.snapshot(profile, i);
    json["snapshots"].push_back({{"number", snapshot.number},
                                 {"file", file_of_snapshot(data.snapshots.rows[i], profile)},
                                 {"at_ns", snapshot.ns},
                                 {"cause", snapshot.cause},
                                 {"objects", snapshot.objects},
                                 {"bytes", snapshot.bytes},
                                 {"frozen_ns", snapshot.frozen_ns},
                                 {"missing", snapshot.missing},
                                 {"not_copied", snapshot.not_copied}});
  }
  if (!data.problem.empty()) json["problem"] = data.problem;
  for (const TypeOverTime& type : data.types) {
    if (json["types"].size() == rows(options, SIZE_MAX)) break;
    json["types"].push_back(type_row_json(data, type, profile));
  }
  if (!data.loaded) return json;
  const heap::Dominators& tree = data.loaded->tree;
  json["roots"] = Json::array();
  for (const uint32_t child : children_of(tree, 0, 1))
    if (tree.is_root(child))
      json["roots"].push_back({{"root", node_text(data, child, profile)},
                               {"kind", log::heap_root_kind_name(tree.roots[tree.root(child)].kind)},
                               {"retained", tree.retained[child]}});
  return json;
}

}  // namespace oriel::report
