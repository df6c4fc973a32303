#include "runtimes/coreclr/callbacks/gc_payloads.h"

#include <iterator>

#include "runtimes/coreclr/callbacks/event_fields.h"
#include "runtimes/coreclr/callbacks/event_numbers.h"

namespace oriel::coreclr {
// GCStart, version 1 and later: number, generation, reason, kind (32 bits each).
std::optional<GcStarted> read_gc_started(std::span<const uint8_t> fields) {
  constexpr uint32_t kBackground = 1;
  uint32_t number = 0, generation = 0, reason = 0, kind = 0;
  if (!read_all(fields, number, generation, reason, kind)) return std::nullopt;
  return GcStarted{number, gc_trigger(reason), kind == kBackground};
}

// GCHeapStats: for each generation and for large objects their size and the surviving bytes, then the bytes and number
// of objects kept by finalizers (64 bits each), pinned objects, sync blocks, handles (32 each), runtime's number (16);
// from version 2 on, size and survivors of the pinned object heap.
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

// GCPerHeapHistory, version 3: runtime's number (16 bits), six numbers about allocation (64), efficiency, two about
// reasons, two about mechanisms, the heap's number (32), extra commit (64), a count (32), and as many times ten
// numbers (64) about a generation: size, free lists and free objects before and after, incoming bytes, pinned and other
// survivors, budget.
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

// GCGlobalHeapHistory, version 4: budget (64 bits), heaps, generation, tuning, reason, mechanisms (32 each), runtime's
// number (16), pause mode, memory load, two about conditions (32 each), a count, and as many times in microseconds (32
// each): marking from sized references, from other roots, short weak references, finalization, long weak references
// and, except for a background collection, planning, then either sweeping, or relocating and compacting.
std::optional<PhaseTimes> read_phase_times(std::span<const uint8_t> fields) {
  constexpr uint32_t kConcurrent = 1;
  constexpr uint32_t kOfBackground = 5, kOfSweeping = 7, kOfCompacting = 8;
  constexpr size_t kBeforeMechanisms = 8 + 4 * 4, kBetween = 2 + 4 * 4;
  uint32_t mechanisms = 0, count = 0;
  uint32_t times[kOfCompacting] = {};
  if (fields.size() < kBeforeMechanisms) return std::nullopt;
  fields = fields.subspan(kBeforeMechanisms);
  if (!read(fields, mechanisms) || fields.size() < kBetween) return std::nullopt;
  fields = fields.subspan(kBetween);
  if (!read(fields, count) || (count != kOfBackground && count != kOfSweeping && count != kOfCompacting)) {
    return std::nullopt;
  }
  for (uint32_t i = 0; i < count; ++i) {
    if (!read(fields, times[i])) return std::nullopt;
  }
  const auto ns = [&](size_t index) { return uint64_t{times[index]} * 1000; };
  PhaseTimes result{(mechanisms & kConcurrent) != 0, ns(0) + ns(1), ns(2) + ns(4), ns(3), ns(5)};
  if (count == kOfSweeping) result.sweep = ns(6);
  if (count == kOfCompacting) result.relocate = ns(6), result.compact = ns(7);
  return result;
}

}  // namespace oriel::coreclr
