#include "runtimes/coreclr/callbacks/gc_told.h"

#include <iterator>

#include "runtimes/coreclr/callbacks/event_fields.h"

namespace oriel::coreclr {
namespace {

// By the runtime's numbers.
constexpr oriel_gc_trigger kTriggers[] = {
    ORIEL_GC_TRIGGER_SMALL_OBJECTS, ORIEL_GC_TRIGGER_INDUCED,       ORIEL_GC_TRIGGER_LOW_MEMORY,
    ORIEL_GC_TRIGGER_OTHER,         ORIEL_GC_TRIGGER_LARGE_OBJECTS, ORIEL_GC_TRIGGER_OUT_OF_SPACE,
    ORIEL_GC_TRIGGER_OUT_OF_SPACE,  ORIEL_GC_TRIGGER_INDUCED,       ORIEL_GC_TRIGGER_OTHER,
    ORIEL_GC_TRIGGER_LOW_MEMORY,    ORIEL_GC_TRIGGER_INDUCED,       ORIEL_GC_TRIGGER_LOW_MEMORY,
    ORIEL_GC_TRIGGER_LOW_MEMORY,    ORIEL_GC_TRIGGER_LOW_MEMORY,    ORIEL_GC_TRIGGER_SMALL_OBJECTS,
    ORIEL_GC_TRIGGER_LARGE_OBJECTS, ORIEL_GC_TRIGGER_OTHER,         ORIEL_GC_TRIGGER_INDUCED,
};

template <typename... Numbers>
bool read_all(std::span<const uint8_t>& fields, Numbers&... numbers) {
  return (read(fields, numbers) && ...);
}

}  // namespace

// GCStart, version 1 and later: number, generation, reason, kind (32 bits each).
std::optional<GcStarted> read_gc_started(std::span<const uint8_t> fields) {
  constexpr uint32_t kBackground = 1;
  uint32_t number = 0, generation = 0, reason = 0, kind = 0;
  if (!read_all(fields, number, generation, reason, kind)) return std::nullopt;
  return GcStarted{number, reason < std::size(kTriggers) ? kTriggers[reason] : ORIEL_GC_TRIGGER_OTHER,
                   kind == kBackground};
}

// GCHeapStats: of the generations and large objects size and what survived, what finalizers keep in bytes and number
// (64 bits each), pinned objects, sync blocks, handles (32 each), runtime's number (16), and from version 2 on size and
// survivors of what is allocated as pinned.
std::optional<GcSurvived> read_heap_stats(std::span<const uint8_t> fields) {
  GcSurvived found;
  uint64_t size = 0, kept_bytes = 0, kept = 0;
  uint32_t sync_blocks = 0;
  uint16_t runtime = 0;
  for (uint64_t& survived : found.generations) {
    if (!read_all(fields, size, survived)) return std::nullopt;
  }
  if (!read_all(fields, size, found.large, kept_bytes, kept, found.pinned_objects, sync_blocks, found.handles))
    return std::nullopt;
  found.finalizable = static_cast<uint32_t>(kept);
  if (read(fields, runtime) && read(fields, size)) read(fields, found.pinned);
  return found;
}

// GCPerHeapHistory, version 3: runtime's number (16 bits), six numbers of allocation (64), efficiency, two of reasons,
// two of mechanisms, the heap's number (32), room taken ahead (64), a count (32) and so often ten numbers (64) of a
// generation: size, free lists and free objects before and after, what came in, pinned and other survivors, budget.
std::optional<GcFree> read_heap_history(std::span<const uint8_t> fields) {
  constexpr size_t kBeforeHeap = 2 + 6 * 8 + 5 * 4, kBetween = 8;
  constexpr size_t kNumbers = 10, kFreeLists = 4, kFreeObjects = 5;
  GcFree found;
  uint32_t count = 0;
  if (fields.size() < kBeforeHeap) return std::nullopt;
  fields = fields.subspan(kBeforeHeap);
  if (!read(fields, found.heap) || fields.size() < kBetween) return std::nullopt;
  fields = fields.subspan(kBetween);
  if (!read(fields, count) || count > std::size(found.parts)) return std::nullopt;
  for (uint32_t part = 0; part < count; ++part) {
    uint64_t numbers[kNumbers] = {};
    for (uint64_t& number : numbers) {
      if (!read(fields, number)) return std::nullopt;
    }
    found.parts[part] = numbers[kFreeLists] + numbers[kFreeObjects];
  }
  return found;
}

}  // namespace oriel::coreclr
