#include "runtimes/coreclr/callbacks/event_pipe.h"

#include <pthread.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <functional>
#include <iterator>
#include <utility>

#include "base/followed_part.h"
#include "base/kept_errno.h"
#include "base/own_thread.h"
#include "engine/engine.h"
#include "engine/lifecycle.h"
#include "metadata/utf16.h"
#include "runtimes/coreclr/callbacks/callback.h"
#include "runtimes/coreclr/callbacks/contention.h"
#include "runtimes/coreclr/callbacks/event_fields.h"
#include "runtimes/coreclr/callbacks/gc_told.h"
#include "runtimes/coreclr/callbacks/told_by_name.h"
#include "runtimes/coreclr/com/com_text.h"
#include "runtimes/coreclr/quiet_ends.h"

namespace oriel::coreclr {
namespace {

constexpr uint32_t kInformational = 4;
// Each byte allocated is a sample with this chance, so that the gaps are of random length around it.
constexpr auto kMeanBytes = static_cast<double>(kBytesToSample);

using Providers = std::vector<RuntimeEvents::Provider>;

template <uint64_t keywords>
Providers of_runtime(const Watched&) {
  return {{kRuntimeSource, keywords, kInformational, u""}};
}

Providers of_meters(const Watched& watched) {
  constexpr uint64_t kValues = 0x2;
  // Event counters come whatever the keywords and the level are; nothing else shall.
  constexpr uint32_t kCritical = 1;
  if (watched.meters.empty()) return {};
  Providers providers{{kMetersSource, kValues, kInformational, meters_filter(watched.meters)}};
  for (const std::string& source : event_counter_sources(watched.meters))
    providers.push_back({metadata::utf16_of(source), 0, kCritical, u"EventCounterIntervalSec=1"});
  return providers;
}

Providers of_activities(const Watched& watched) {
  constexpr uint64_t kEvents = 0x2;
  if (watched.activities.empty()) return {};
  return {{kActivitiesSource, kEvents, kInformational, activities_filter(watched.activities)}};
}

const RuntimeEvents::Row kRows[] = {
    {of_runtime<0x80000000000>,
     {oriel_event_gc_allocation_sampled, oriel_event_gc_allocation_followed},
     "sampled allocations",
     10,
     "; ask for exact ones"},
    {of_runtime<0x1>,
     {oriel_event_gc_marked, oriel_event_gc_phases, oriel_event_gc_triggered, oriel_event_gc_survived,
      oriel_event_gc_free, oriel_event_gc_finalizing, oriel_event_gc_finalized},
     "the phases of collections",
     5},
    {of_runtime<0x4000>, {oriel_event_monitor_contention, oriel_event_monitor_acquired}, "waits for locks", 5},
    {of_runtime<0x10000>, {oriel_event_pool_adjusted}, "its thread pool", 5},
    {of_meters, {oriel_event_counter_value}, "counters", 8},
    {of_activities, {oriel_event_activity_stopped}, "activities", 6},
};
static_assert(std::size(kRows) == RuntimeEvents::kSessions);

// By the runtime's numbers.
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

// By the runtime's numbers: warming up, beginning, at random, climbing, changing, settling, starving, timed out,
// blocking.
constexpr oriel_pool_reason kPoolReasons[] = {
    ORIEL_POOL_REASON_THROUGHPUT, ORIEL_POOL_REASON_OTHER,      ORIEL_POOL_REASON_THROUGHPUT,
    ORIEL_POOL_REASON_THROUGHPUT, ORIEL_POOL_REASON_THROUGHPUT, ORIEL_POOL_REASON_THROUGHPUT,
    ORIEL_POOL_REASON_STARVATION, ORIEL_POOL_REASON_IDLE,       ORIEL_POOL_REASON_BLOCKING,
};

std::string too_old_text(const RuntimeEvents::Row& row) {
  return std::string("this runtime does not tell of ") + row.what + " (.NET " + std::to_string(row.since) +
         " and later do)" + row.instead;
}

std::string refused_text(const RuntimeEvents::Row& row, HResult answer) {
  return std::string("the runtime refused to tell of ") + row.what + " (" + hresult_text(answer) +
         "); they are missing";
}

// The runtime takes no new sessions once it has begun to end, and tells that somewhat later.
bool ends_now() {
  constexpr timespec kNap{0, 1'000'000};
  constexpr int kNaps = 1000;
  for (int i = 0; i < kNaps && !is_ending(); ++i) nanosleep(&kNap, nullptr);
  return is_ending();
}

struct Question {
  const std::function<HResult()>& ask;
  HResult answer = kFail;
};

void* ask_and_end(void* argument) {
  pthread_setname_np(pthread_self(), "oriel-session");
  oriel_thread_attach_tools();
  auto& question = *static_cast<Question*>(argument);
  question.answer = question.ask();
  return nullptr;
}

// The runtime makes the thread that begins or ends a session one of its own, and takes no requests to compile methods
// anew from such (CORPROF_E_UNSUPPORTED_CALL_SEQUENCE). The engine's thread, which makes these, stays none: another
// asks in its place, and ends.
HResult ask_apart(bool running, const std::function<HResult()>& ask) {
  Question question{ask};
  pthread_t thread;
  if (!running || start_own_thread(thread, ask_and_end, &question) != 0) return ask();
  pthread_join(thread, nullptr);
  return question.answer;
}

}  // namespace

RuntimeEvents::RuntimeEvents(ProfilerInfo& info, uint16_t major, std::function<void()> before_managed)
    : info_(info), major_(major), before_managed_(std::move(before_managed)) {}

void RuntimeEvents::apply(const std::bitset<oriel_event_number_end>& wanted, const Watched& watched, bool running) {
  for (size_t i = 0; i < std::size(kRows); ++i) {
    const bool on = std::ranges::any_of(kRows[i].events, [&](uint32_t number) { return wanted[number]; });
    turn(kRows[i], sessions_[i], on ? kRows[i].providers(watched) : Providers(), running);
  }
}

void RuntimeEvents::turn(const Row& row, Session& session, std::vector<Provider> providers, bool running) {
  if (providers == session.providers) return;
  if (!session.providers.empty()) ask_apart(running, [&] { return info_.EventPipeStopSession(session.id); });
  session.providers.clear();
  if (providers.empty()) return;
  const bool too_old = major_ != 0 && major_ < row.since;
  const HResult answer = too_old ? kFail : start(providers, session.id, running);
  if (succeeded(answer)) {
    session.providers = std::move(providers);
  } else if (!session.said_refused && (too_old || !running || !ends_now())) {
    session.said_refused = true;
    warn((too_old ? too_old_text(row) : refused_text(row, answer)).c_str());
  }
}

HResult RuntimeEvents::start(const std::vector<Provider>& providers, uint64_t& session, bool running) {
  std::vector<EventPipeProviderConfig> configs;
  for (const Provider& provider : providers) {
    const char16_t* const filter = provider.filter.empty() ? nullptr : provider.filter.c_str();
    configs.push_back({provider.name.c_str(), provider.keywords, provider.level, filter});
  }
  if (std::ranges::any_of(configs, [](const auto& one) { return is_managed_source(one.name); })) before_managed_();
  return ask_apart(running, [&] {
    return info_.EventPipeStartSession(static_cast<uint32_t>(configs.size()), configs.data(), 0, &session);
  });
}

// AllocationSampled: kind (32 bits), runtime's number (16), class, its name, address, size (64), sampled byte (64).
std::optional<SampledAllocation> read_sampled_allocation(std::span<const uint8_t> fields) {
  uint32_t kind = 0;
  uint16_t runtime = 0;
  uint64_t klass = 0, address = 0, size = 0;
  if (!read(fields, kind) || !read(fields, runtime) || !read(fields, klass) || !skip_text(fields) ||
      !read(fields, address) || !read(fields, size) || klass == 0 || size == 0) {
    return std::nullopt;
  }
  // An object of so many bytes is in the sample with the chance that any of them is.
  const double chance = -std::expm1(-static_cast<double>(size) / kMeanBytes);
  return SampledAllocation{klass, address, size,
                           static_cast<uint64_t>(std::llround(static_cast<double>(size) / chance))};
}

// GCMarkWithType: heap (32 bits), runtime's number (16), kind (32), bytes (64).
std::optional<Marked> read_marked(std::span<const uint8_t> fields) {
  uint16_t runtime = 0;
  uint32_t heap = 0, kind = 0;
  uint64_t promoted = 0;
  if (!read(fields, heap) || !read(fields, runtime) || !read(fields, kind) || !read(fields, promoted)) {
    return std::nullopt;
  }
  return Marked{heap, kind < std::size(kRoots) ? kRoots[kind] : ORIEL_GC_ROOTS_OTHER, promoted};
}

// ThreadPoolWorkerThreadAdjustmentAdjustment: throughput (a double), threads, reason (32 bits each).
std::optional<PoolAdjusted> read_pool_adjusted(std::span<const uint8_t> fields) {
  double throughput = 0;
  uint32_t threads = 0, reason = 0;
  if (!read(fields, throughput) || !read(fields, threads) || !read(fields, reason)) return std::nullopt;
  return PoolAdjusted{threads, reason < std::size(kPoolReasons) ? kPoolReasons[reason] : ORIEL_POOL_REASON_OTHER};
}

// GCGlobalHeapHistory, version 4: budget (64 bits), heaps, generation, tuning, reason, mechanisms (32 each), runtime's
// number (16), pause mode, memory load, two of conditions (32 each), a count and so many times in microseconds (32
// each): marking from sized references, from other roots, short weak references, finalization, long weak references,
// and, but for a background collection, planning, and sweeping, or relocating and compacting.
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

namespace {

// On the thread that allocates, before it has the object. The class is asked about later: the thread runs managed code.
void allocation_sampled(std::span<const uint8_t> fields, FollowedObjects& followed) {
  const bool follows = is_wanted(oriel_event_gc_allocation_followed);
  if (!follows && !is_wanted(oriel_event_gc_allocation_sampled)) return;
  const auto allocation = read_sampled_allocation(fields);
  if (!allocation) return;
  // Before anybody else does anything: after that the address may be another's.
  const uint32_t number = follows ? followed.follow(allocation->object, allocation->size) : 0;
  oriel_class* const klass = intern_class(allocation->klass);
  raise_gc_allocation_sampled(klass, allocation->size, allocation->represented);
  if (follows) raise_gc_allocation_followed(klass, allocation->size, allocation->represented, number);
}

// On a thread that collects.
void marked(std::span<const uint8_t> fields) {
  if (const auto done = read_marked(fields)) raise_gc_marked(done->heap, done->roots, done->promoted);
}

// On the finalizer thread. GCFinalizersEnd: count (32 bits).
void finalized(std::span<const uint8_t> fields) {
  uint32_t count = 0;
  if (read(fields, count)) raise_gc_finalized(count);
}

void started(std::span<const uint8_t> fields) {
  if (const auto gc = read_gc_started(fields)) raise_gc_triggered(gc->number, gc->trigger, gc->background);
}

void survived(std::span<const uint8_t> fields) {
  const auto found = read_heap_stats(fields);
  if (!found) return;
  raise_gc_survived(found->generations[0], found->generations[1], found->generations[2], found->large, found->pinned,
                    found->finalizable, found->pinned_objects, found->handles);
}

void left_free(std::span<const uint8_t> fields) {
  const auto found = read_heap_history(fields);
  if (!found) return;
  const uint64_t(&of)[5] = found->parts;
  raise_gc_free(found->heap, of[0], of[1], of[2], of[3], of[4]);
}

void collected(std::span<const uint8_t> fields) {
  const auto took = read_phase_times(fields);
  if (!took) return;
  raise_gc_phases(took->background, took->roots, took->weak, took->finalization, took->plan, took->relocate,
                  took->compact, took->sweep);
}

void pool_adjusted(std::span<const uint8_t> fields) {
  if (const auto adjusted = read_pool_adjusted(fields)) raise_pool_adjusted(adjusted->threads, adjusted->reason);
}

void of_runtime_delivered(uint32_t event, uint32_t version, std::span<const uint8_t> fields,
                          FollowedObjects& followed) {
  constexpr uint32_t kWithKind = 1, kWithParts = 3, kWithTimes = 4, kWithOwner = 2;
  if (event == kGcStarted && version >= kWithKind) started(fields);
  if (event == kHeapStats) survived(fields);
  if (event == kHeapHistory && version == kWithParts) left_free(fields);
  if (event == kAllocationSampled) allocation_sampled(fields, followed);
  if (event == kFinalizersBegin) raise_gc_finalizing();
  if (event == kFinalizersEnd) finalized(fields);
  if (event == kContentionStart && version >= kWithOwner) contention_started(fields);
  if (event == kContentionStop) contention_stopped(fields);
  if (event == kPoolAdjusted) pool_adjusted(fields);
  if (event == kMarkWithType) marked(fields);
  if (event == kGlobalHeapHistory && version >= kWithTimes) collected(fields);
}

}  // namespace

HResult Callback::EventPipeEventDelivered(uintptr_t provider, uint32_t event, uint32_t version, uint32_t metadata_size,
                                          const uint8_t* metadata, uint32_t size, const uint8_t* fields, const Guid*,
                                          const Guid*, ThreadID, uint32_t, uintptr_t*) {
  const KeptErrno kept;
  return guarded([&] {
    if (fields == nullptr) return;
    switch (event_sources_.of(provider, info())) {
      case EventSource::kRuntime:
        return of_runtime_delivered(event, version, {fields, size}, adapter_->followed());
      case EventSource::kMeters:
        return meter_told(event, {fields, size});
      case EventSource::kActivities:
        return activity_told({metadata, metadata_size}, {fields, size});
      case EventSource::kOther:
        return event_counter_told(name_of_source(provider, info()), {metadata, metadata_size}, {fields, size});
    }
  });
}

}  // namespace oriel::coreclr
