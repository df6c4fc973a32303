#include "runtimes/coreclr/callbacks/runtime_source.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <optional>

#include "base/followed_part.h"
#include "base/random.h"
#include "engine/engine.h"
#include "engine/followed_objects.h"
#include "engine/profilers.h"
#include "runtimes/coreclr/callbacks/contention.h"
#include "runtimes/coreclr/callbacks/event_fields.h"
#include "runtimes/coreclr/callbacks/event_numbers.h"
#include "runtimes/coreclr/callbacks/gc_payloads.h"

namespace oriel::coreclr {
namespace {

// Each allocated byte is sampled with this probability, so the gaps between samples vary randomly around the mean.
constexpr auto kMeanBytes = static_cast<double>(kBytesToSample);

// Indexed by the runtime's numbers.
constexpr oriel_gc_roots kRoots[] = {
    ORIEL_GC_ROOTS_STACKS,
    ORIEL_GC_ROOTS_FINALIZER_QUEUE,
    ORIEL_GC_ROOTS_HANDLES,
    ORIEL_GC_ROOTS_OLDER_GENERATIONS,
    ORIEL_GC_ROOTS_SIZED_REFERENCES,
    ORIEL_GC_ROOTS_OVERFLOW,
    ORIEL_GC_ROOTS_DEPENDENT_HANDLES,
    ORIEL_GC_ROOTS_NEW_FINALIZABLE,
    ORIEL_GC_ROOTS_OTHER_HEAPS,
    ORIEL_GC_ROOTS_BACKGROUND,
};

struct Sampled {
  uint64_t class_id;
  uint64_t address;
  uint64_t size;
  uint64_t represented;
};

// At a slower pace it is as if fewer bytes were sampled: the probability that an object which was sampled would have
// been so. Large objects stay more often.
double chance_at_pace(uint64_t size) {
  const double pace = sampling_pace();
  const double samples = static_cast<double>(size) / kMeanBytes;
  return pace < 1 ? std::expm1(-samples * pace) / std::expm1(-samples) : 1;
}

// Whether an object of this size stays, which then also represents those that do not.
bool stays_at_pace(uint64_t size, uint64_t& represented) {
  // Not the clock's bits: where allocations come regularly, so do these.
  static constinit thread_local uint64_t random = 0;
  if (random == 0) random = oriel_clock() * 0x9e3779b97f4a7c15 | 1;
  const double chance = chance_at_pace(size);
  if (chance >= 1) return true;
  if (next_uniform(random) > chance) return false;
  represented = static_cast<uint64_t>(std::llround(static_cast<double>(represented) / chance));
  return true;
}

void raise_sampled(Sampled object, FollowedObjects& followed) {
  if (!stays_at_pace(object.size, object.represented)) return;
  const bool follows = is_wanted(oriel_event_gc_allocation_followed);
  // Before any other work, which may let a collection in: after that, the address may be another object's.
  const uint32_t number = follows ? followed.follow(object.address, object.size) : 0;
  oriel_class* const klass = intern_class(object.class_id);
  raise_gc_allocation_sampled(klass, object.size, object.represented);
  if (follows) raise_gc_allocation_followed(klass, object.size, object.represented, number);
}

// AllocationSampled: kind (32 bits), runtime's number (16), class, its name, address, size (64), sampled byte (64).
// Comes on the allocating thread before it has the object. The class is described later, because the thread runs
// managed code.
void allocation_sampled(SourceEvent event) {
  uint32_t kind = 0;
  uint16_t runtime = 0;
  uint64_t class_id = 0, address = 0, size = 0;
  if (!read_all(event.fields, kind, runtime, class_id) || !skip_text(event.fields) ||
      !read_all(event.fields, address, size) || class_id == 0 || size == 0) {
    return;
  }
  // An object is sampled if any of its bytes is.
  const double chance = -std::expm1(-static_cast<double>(size) / kMeanBytes);
  const auto represented = static_cast<uint64_t>(std::llround(static_cast<double>(size) / chance));
  raise_sampled({class_id, address, size, represented}, event.followed);
}

// GCAllocationTick: amount, kind (32 bits each), runtime's number (16), amount again (64), class, its name, heap (32),
// address, size (64). Comes when more than 100 KiB of a kind (small, large or pinned) were allocated from a heap since
// the last one; the amount is that total, for objects of any class. On the allocating thread, which holds no lock of
// the collector, before it has the object; see above.
void allocation_ticked(SourceEvent event) {
  uint32_t amount_then = 0, kind = 0, heap = 0;
  uint16_t runtime = 0;
  uint64_t amount = 0, class_id = 0, address = 0, size = 0;
  if (!read_all(event.fields, amount_then, kind, runtime, amount, class_id) || !skip_text(event.fields) ||
      !read_all(event.fields, heap, address, size) || class_id == 0 || size == 0) {
    return;
  }
  raise_sampled({class_id, address, size, std::max(amount, size)}, event.followed);
}

void started(SourceEvent event) {
  if (const auto gc = read_gc_started(event.fields)) raise_gc_triggered(gc->number, gc->trigger, gc->background);
}

// GCMarkWithType: heap (32 bits), runtime's number (16), kind (32), bytes (64). On a thread that collects.
void marked(SourceEvent event) {
  uint32_t heap = 0, kind = 0;
  uint16_t runtime = 0;
  uint64_t promoted = 0;
  if (read_all(event.fields, heap, runtime, kind, promoted))
    raise_gc_marked(heap, kind < std::size(kRoots) ? kRoots[kind] : ORIEL_GC_ROOTS_OTHER, promoted);
}

void survived(SourceEvent event) {
  const auto found = read_heap_stats(event.fields);
  if (!found) return;
  raise_gc_survived(found->generations[0], found->generations[1], found->generations[2], found->large, found->pinned,
                    found->finalizable, found->pinned_objects, found->handles);
}

void left_free(SourceEvent event) {
  const auto found = read_heap_history(event.fields);
  if (!found) return;
  const uint64_t(&of)[5] = found->parts;
  raise_gc_free(found->heap, of[0], of[1], of[2], of[3], of[4]);
}

void collected(SourceEvent event) {
  const auto took = read_phase_times(event.fields);
  if (!took) return;
  raise_gc_phases(took->background, took->roots, took->weak, took->finalization, took->plan, took->relocate,
                  took->compact, took->sweep);
}

// FinalizeObject: class, address (64 bits each), runtime's number (16). Meanwhile the runtime holds the object by its
// address alone, so nothing may let a collection in: the event is a LEAF event, and the object is not read. Its class,
// which stays valid, is described later.
void finalizing_object(SourceEvent event) {
  uint64_t class_id = 0;
  if (read(event.fields, class_id) && class_id != 0) raise_gc_finalizing_object(intern_class(class_id));
}

// GCFinalizersEnd: count (32 bits).
void finalized(SourceEvent event) {
  uint32_t count = 0;
  if (read(event.fields, count)) raise_gc_finalized(count);
}

// ThreadPoolWorkerThreadAdjustmentAdjustment: throughput (a double), threads, reason (32 bits each).
void pool_adjusted(SourceEvent event) {
  double throughput = 0;
  uint32_t threads = 0, reason = 0;
  if (!read_all(event.fields, throughput, threads, reason)) return;
  raise_pool_adjusted(threads, pool_reason(reason));
}

constexpr SourceKeyword kAllocations{0x80000000000, {"sampled allocations", 5}};
constexpr SourceKeyword kCollections{0x1, {"the phases of collections", 5}};
constexpr SourceKeyword kTicks{kCollections.bit, kAllocations.kind};
constexpr SourceKeyword kLocks{0x4000, {"waits for locks", 5}};
constexpr SourceKeyword kThreads{0x10000, {"its thread pool", 5}};

// The first runtime that samples allocations at random.
constexpr uint16_t kChoosesAtRandom = 10;

constexpr SourceRow kRows[] = {
    {kAllocations,
     kInformationalLevel,
     {303},
     allocation_sampled,
     {oriel_event_gc_allocation_sampled, oriel_event_gc_allocation_followed},
     {.first = kChoosesAtRandom}},
    {kTicks,
     kVerboseLevel,
     {10, 4},
     allocation_ticked,
     {oriel_event_gc_allocation_sampled, oriel_event_gc_allocation_followed},
     {.last = kChoosesAtRandom - 1}},
    {kCollections, kInformationalLevel, {1, 1}, started, {oriel_event_gc_triggered}},
    {kCollections, kInformationalLevel, {4}, survived, {oriel_event_gc_survived}},
    {kCollections, kInformationalLevel, {202}, marked, {oriel_event_gc_marked}},
    {kCollections, kInformationalLevel, {204, 3, 3}, left_free, {oriel_event_gc_free}},
    {kCollections, kInformationalLevel, {205, 4}, collected, {oriel_event_gc_phases}},
    {kCollections, kInformationalLevel, {14}, [](SourceEvent) { raise_gc_finalizing(); }, {oriel_event_gc_finalizing}},
    {kCollections, kVerboseLevel, {29}, finalizing_object, {oriel_event_gc_finalizing_object}},
    {kCollections, kInformationalLevel, {13}, finalized, {oriel_event_gc_finalized}},
    {kLocks,
     kInformationalLevel,
     {81, 2},
     [](SourceEvent event) { contention_started(event.fields); },
     {oriel_event_monitor_contention, oriel_event_monitor_acquired}},
    {kLocks,
     kInformationalLevel,
     {91},
     [](SourceEvent event) { contention_stopped(event.fields); },
     {oriel_event_monitor_acquired}},
    {kThreads, kInformationalLevel, {55}, pool_adjusted, {oriel_event_pool_adjusted}},
};

// An event with the keywords of several sessions would be delivered to each.
static_assert(std::ranges::all_of(kRows, [](const SourceRow& row) { return std::has_single_bit(row.keyword.bit); }));

}  // namespace

std::span<const SourceRow> source_rows() { return kRows; }

void deliver_source_event(uint16_t major, uint32_t number, uint32_t version, SourceEvent event) {
  for (const SourceRow& row : kRows) {
    if (!is_row_of(row, major) || row.event.number != number || version < row.event.first || version > row.event.last)
      continue;
    if (is_for(row, [](uint32_t ours) { return is_wanted(ours); })) row.tell(event);
  }
}

}  // namespace oriel::coreclr
