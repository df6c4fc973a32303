// Garbage collections.
#pragma once

#include <array>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string_view>

#include "log/event.h"
#include "profile/table/field.h"
#include "profile/tables/gc_stretches.h"

namespace oriel::profile {

// Bytes, free room between objects included.
struct HeapSizes {
  enum Part { kGeneration0, kGeneration1, kGeneration2, kLarge, kPinned, kFrozen, kParts };
  std::array<uint64_t, kParts> bytes = {};
  uint64_t total() const { return std::accumulate(bytes.begin(), bytes.end(), uint64_t{0}); }
};

// What the runtime tells of a collection besides, where it is asked to.
struct GcDetail {
  static constexpr uint64_t kNotReported = UINT64_MAX;
  uint64_t trigger = kNotReported;  // oriel_gc_trigger
  bool has_heap_counts = false;     // whether what follows was told
  HeapSizes survived = {};          // by the part of the heap in which it was
  HeapSizes free = {};              // room between objects that it left
  uint32_t finalizable = 0;         // objects that live only for their finalizers
  uint32_t pinned_objects = 0;
  uint32_t handles = 0;
  // "" if it was not told.
  std::string_view trigger_name() const { return log::enumerator_name(log::FieldKind::kGcTrigger, trigger); }
};

inline constexpr uint32_t kOldestGeneration = 2;

struct Collection {
  uint32_t number = 0;
  uint32_t generation = 0;
  bool induced = false;
  int64_t start_ns = 0;
  int64_t end_ns = -1;  // of a background one its last pause's, at least
  int64_t pause_ns = 0;
  GcPhaseTimes phases = {};            // those of pauses add up to pause_ns, where the log tells
  std::optional<HeapSizes> heap = {};  // as it ended; or the next one, if that is not told
  std::optional<GcDetail> detail = {};
  bool background = false;
  uint32_t process = 0;

  // Nothing where the log does not tell.
  template <HeapSizes::Part Part>
  std::optional<uint64_t> heap_part() const {
    return heap ? std::optional(heap->bytes[Part]) : std::nullopt;
  }
  template <typename Value>
  std::optional<Value> told(Value GcDetail::*value) const {
    return detail && detail->has_heap_counts ? std::optional((*detail).*value) : std::nullopt;
  }

  static constexpr auto described() {
    using namespace table;
    using Row = Collection;
    constexpr auto kHeap = []<HeapSizes::Part Part>(const char* name, const char* help) {
      return derived<Kind::kBytes>(
          name, [](const Row& row) { return row.heap_part<Part>(); }, help);
    };
    return describe(
        Order::kByTime, Part::kRows, field<Kind::kTime>("start", &Row::start_ns, "when it began"),
        field<Kind::kEnd>("end", &Row::end_ns, "when it ended"),
        field<Kind::kNumber>("number", &Row::number, "the runtime's number of the collection"),
        field<Kind::kNumber>("generation", &Row::generation, "the oldest generation that was collected"),
        field<Kind::kFlag>("induced", &Row::induced, "it was induced"),
        field<Kind::kFlag>("background", &Row::background, "it was a background collection"),
        field<Kind::kDuration>("paused", &Row::pause_ns, "how long all managed threads were stopped for it"),
        derived<Kind::kWord>(
            "trigger", [](const Row& row) { return row.detail ? row.detail->trigger_name() : std::string_view(); },
            "why it began"),
        kHeap.template operator()<HeapSizes::kGeneration0>("generation0",
                                                           "size of this part of the heap when it ended"),
        kHeap.template operator()<HeapSizes::kGeneration1>("generation1", "likewise"),
        kHeap.template operator()<HeapSizes::kGeneration2>("generation2", "likewise"),
        kHeap.template operator()<HeapSizes::kLarge>("large", "likewise, for large objects"),
        kHeap.template operator()<HeapSizes::kPinned>("pinned", "likewise, for pinned objects"),
        kHeap.template operator()<HeapSizes::kFrozen>("frozen", "likewise, for objects that are never collected"),
        derived<Kind::kCount>(
            "finalizable", [](const Row& row) { return row.told(&GcDetail::finalizable); },
            "objects kept alive only for their finalizers"),
        derived<Kind::kCount>(
            "pinned_objects", [](const Row& row) { return row.told(&GcDetail::pinned_objects); },
            "how many there were when it ended"),
        derived<Kind::kCount>(
            "handles", [](const Row& row) { return row.told(&GcDetail::handles); },
            "how many there were when it ended"),
        field<Kind::kProcess>("process", &Row::process, "whose heap it collected"));
  }
};

}  // namespace oriel::profile
