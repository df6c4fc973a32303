#include "report/memory/gc_detail.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "log/event.h"
#include "profile/build/process.h"
#include "report/words/heap_text.h"
#include "report/words/notes.h"
#include "report/words/table.h"
#include "report/words/text.h"
#include "report/words/units.h"

namespace oriel::report {

using profile::Collection;
using profile::GcDetail;
using profile::HeapSizes;
using profile::Profile;

std::string gc_trigger_text(uint64_t trigger) {
  std::string text(log::enumerator_name(log::FieldKind::kGcTrigger, trigger));
  if (text.empty() || text == "other") return "another reason";
  std::ranges::replace(text, '-', ' ');
  return text;
}

namespace {

// "Why: 12 for small objects, 3 induced; 2 ran beside the program."
std::string reasons_of(const Profile& profile) {
  std::map<uint64_t, uint64_t> by_trigger;
  uint64_t background = 0;
  for (const Collection& collection : profile.collections) {
    if (!collection.detail || collection.detail->trigger == GcDetail::kNotReported) continue;
    ++by_trigger[collection.detail->trigger];
    background += collection.background;
  }
  if (by_trigger.empty()) return "";
  std::vector<std::pair<uint64_t, uint64_t>> sorted(by_trigger.begin(), by_trigger.end());
  std::ranges::stable_sort(sorted, std::greater(), &std::pair<uint64_t, uint64_t>::second);
  std::vector<std::string> parts;
  for (const auto& [trigger, times] : sorted) {
    const std::string why = gc_trigger_text(trigger);
    parts.push_back(fmt::format("{} {}{}", count(times), why == "induced" ? "" : "for ", why));
  }
  const std::string beside = background == 0 ? "" : fmt::format("; {} ran in the background", count(background));
  return fmt::format("Why: {}{}.", fmt::join(parts, ", "), beside);
}

// What survived the last full collection with details, by part of the heap.
void write_survivors(const Collection& last, const Options& options, std::ostream& out) {
  Table table({{"live"}, {"size"}, {"fragmentation"}, {"share"}},
              fmt::format("collection {} (the last full one)", count(last.number)));
  const GcDetail& detail = *last.detail;
  for (size_t i = 0; i < HeapSizes::kFrozen; ++i) {
    const uint64_t size = last.heap ? last.heap->bytes[i] : 0, free = detail.free.bytes[i];
    if (size == 0 && detail.survived.bytes[i] == 0) continue;
    table.add({bytes(detail.survived.bytes[i]), bytes(size), bytes(free),
               size == 0 ? "–" : percent(std::min(free, size), size)},
              [i](size_t) { return std::string(heap_part_name(i)); });
  }
  out << '\n';
  table.write(out, options.width, 0, Style(options.color));
}

// "At most 12 pinned objects at a collection, 4 objects kept for their finalizers; 61 handles at first, 64 at last."
std::string counts_of(const Profile& profile) {
  uint32_t pinned = 0, finalizable = 0;
  const GcDetail* first = nullptr;
  const GcDetail* last = nullptr;
  for (const Collection& collection : profile.collections) {
    if (!collection.detail || !collection.detail->has_heap_counts) continue;
    last = &*collection.detail;
    if (first == nullptr) first = last;
    pinned = std::max(pinned, last->pinned_objects);
    finalizable = std::max(finalizable, last->finalizable);
  }
  if (last == nullptr) return "";
  const std::string most = fmt::format(
      "At most {} at a collection, {} alive only for {}", counted(pinned, "pinned object", "pinned objects"),
      counted(finalizable, "object", "objects"), finalizable == 1 ? "its finalizer" : "their finalizers");
  if (profile.processes.size() > 1) return most + ".";
  return fmt::format("{}; {} at the first, {} at the last.", most, counted(first->handles, "handle", "handles"),
                     count(last->handles));
}

// With several heaps (server GC), each has its own thread; one with much more to mark delays the others.
void write_heaps_of(uint32_t process, const Profile& profile, const Options& options, std::ostream& out) {
  std::vector<profile::GcHeap> heaps = profile.gc_heaps;
  std::erase_if(heaps, [&](const profile::GcHeap& heap) { return heap.process != process; });
  if (heaps.size() < 2) return;
  uint64_t sum = 0;
  for (const profile::GcHeap& heap : heaps) sum += heap.marked;
  const bool is_alone = profile.processes.size() < 2;
  Table table({{"marked"}, {"of all"}},
              is_alone ? "heap" : "heap of " + clean(process_label(profile.processes.at(process))));
  for (const profile::GcHeap& heap : heaps)
    table.add({bytes(heap.marked), percent(heap.marked, std::max<uint64_t>(1, sum))},
              [&heap](size_t) { return std::to_string(heap.number); });
  out << '\n';
  table.write(out, options.width, 0, Style(options.color));
}

void write_heaps(const Profile& profile, const Options& options, std::ostream& out) {
  std::set<uint32_t> processes;
  for (const profile::GcHeap& heap : profile.gc_heaps) processes.insert(heap.process);
  for (const uint32_t process : processes) write_heaps_of(process, profile, options, out);
}

}  // namespace

void write_gc_detail(const Profile& profile, const Options& options, std::ostream& out) {
  const Collection* last = nullptr;
  for (const Collection& collection : profile.collections) {
    constexpr uint32_t kFull = 2;
    if (collection.generation == kFull && collection.detail && collection.detail->has_heap_counts) last = &collection;
  }
  // With several processes there is no single last collection.
  if (last != nullptr && profile.processes.size() < 2) write_survivors(*last, options, out);
  write_heaps(profile, options, out);
  for (const std::string& sentence : {reasons_of(profile), counts_of(profile)})
    if (!sentence.empty()) write_note(sentence, options, out);
}

Json gc_detail_json(const GcDetail& detail) {
  Json json = Json::object();
  if (detail.trigger != GcDetail::kNotReported) json["trigger"] = detail.trigger_name();
  if (!detail.has_heap_counts) return json;
  json["survived"] = heap_json(detail.survived);
  json["free"] = heap_json(detail.free);
  json["finalizable"] = detail.finalizable;
  json["pinned_objects"] = detail.pinned_objects;
  json["handles"] = detail.handles;
  return json;
}

Json gc_heaps_json(const Profile& profile) {
  Json heaps = Json::array();
  for (const profile::GcHeap& heap : profile.gc_heaps)
    heaps.push_back({{"number", heap.number}, {"process", heap.process}, {"marked", heap.marked}});
  return heaps;
}

}  // namespace oriel::report
