#include "engine/filters.h"

#include <atomic>

#include "base/process/foreign_call.h"
#include "engine/code/requests.h"
#include "engine/engine.h"
#include "engine/engine_thread.h"
#include "engine/hits/covered.h"
#include "engine/profilers.h"

namespace oriel {
namespace {

constinit std::atomic<uint32_t> call_filters{0};
constinit std::atomic<uint32_t> allocation_filters{0};
constinit std::atomic<uint32_t> coverage_filters{0};
constinit std::atomic<uint32_t> rewriters{0};
constinit std::atomic<uint32_t> rewriter_generation{0};
constinit std::atomic<uint32_t> filter_changes{0};
constinit std::atomic<bool> possible{false};
constinit std::atomic<uint64_t> outcomes[ORIEL_INSTRUMENTATION_OUTCOMES];

constexpr uint32_t kFullCalls = ORIEL_CALLS_ENTER_FULL | ORIEL_CALLS_LEAVE_FULL;
constexpr uint32_t kKnownCalls = ORIEL_CALLS_ALL | ORIEL_CALLS_ENTER_CONTEXT | ORIEL_CALLS_LEAVE_CONTEXT |
                                 ORIEL_CALLS_FULL | ORIEL_CALLS_BLOCK_INLINING | ORIEL_CALLS_ASYNC | kFullCalls;

template <typename Filter>
void install(std::atomic<Filter>& slot, Filter filter, std::atomic<uint32_t>& count) {
  if (filter) count.fetch_add(1, std::memory_order_acq_rel);
  if (slot.exchange(filter, std::memory_order_acq_rel)) count.fetch_sub(1, std::memory_order_acq_rel);
  filters_changed();
}

void warn_once(std::atomic<bool>& said, const char* message) {
  if (!said.exchange(true)) warn(message);
}
constinit std::atomic<bool> said_throw{false};
constinit std::atomic<bool> said_nonsense{false};

// A filter's answer; 0 if it threw, or there is none.
template <typename Filter, typename Thing>
uint32_t answer_of(const std::atomic<Filter>& slot, oriel_profiler* profiler, Thing* asked_of) {
  const Filter filter = slot.load(std::memory_order_acquire);
  if (!filter) return 0;
  try {
    return static_cast<uint32_t>(foreign_call([&] { return filter(profiler, asked_of); }));
  } catch (...) {
    warn_once(said_throw, "an instrumentation filter threw an exception, which counts as no; it must not throw");
    return 0;
  }
}

bool may_choose_in(const oriel_profiler_desc& profiler, oriel_image* image) {
  if (!profiler.image_filter.load(std::memory_order_acquire)) return true;
  return answer_of(profiler.image_filter, profiler.profiler, image) != 0;
}

uint16_t number_of_rewriters() {
  const auto number = static_cast<uint16_t>(rewriter_generation.load(std::memory_order_acquire));
  return number == 0 ? 1 : number;
}

bool chooses_to_rewrite(const oriel_profiler_desc& profiler, oriel_method* method) {
  return answer_of(profiler.rewrite_filter, profiler.profiler, method) != 0 && !is_reverted(profiler, method);
}

// Adds the probes that the selected ones imply.
uint32_t completed(uint32_t calls) {
  if (calls & ~kKnownCalls) {
    warn_once(said_nonsense, "an instrumentation filter answered with bits that mean nothing; they are ignored");
    calls &= kKnownCalls;
  }
  if (calls & ORIEL_CALLS_ENTER_CONTEXT) calls |= ORIEL_CALLS_ENTER;
  if (calls & ORIEL_CALLS_LEAVE_CONTEXT) calls |= ORIEL_CALLS_LEAVE;
  return (calls & (ORIEL_CALLS_ALL | ORIEL_CALLS_ASYNC | kFullCalls)) ? calls : uint32_t{ORIEL_CALLS_NONE};
}

}  // namespace

void filters_changed() {
  filter_changes.fetch_add(1, std::memory_order_acq_rel);
  engine_thread::wake();
}

bool has_filters() {
  return has_call_filters() || has_allocation_filters() || has_rewriters() || has_coverage_filters();
}
bool has_call_filters() { return call_filters.load(std::memory_order_acquire) != 0; }
bool has_coverage_filters() { return coverage_filters.load(std::memory_order_acquire) != 0; }
bool has_allocation_filters() { return allocation_filters.load(std::memory_order_acquire) != 0; }
bool has_rewriters() { return rewriters.load(std::memory_order_acquire) != 0; }
uint32_t filter_generation() { return filter_changes.load(std::memory_order_acquire); }

WantedChanges ask_filters(oriel_method* method, oriel_image* image) {
  WantedChanges wanted;
  bool covered = false;
  for (oriel_profiler_desc* it = first_profiler(); it; it = it->next.load(std::memory_order_acquire)) {
    if (!may_choose_in(*it, image)) continue;
    wanted.calls |= completed(answer_of(it->call_filter, it->profiler, method));
    // Each is asked, even if another said yes: a profiler skips methods that its own filter did not select.
    if (answer_of(it->allocation_filter, it->profiler, method) != 0) wanted.allocations = true;
    if (answer_of(it->full_allocation_filter, it->profiler, method) != 0) wanted.full_allocations = true;
    covered |= answer_of(it->coverage_filter, it->profiler, method) != 0;
    if (chooses_to_rewrite(*it, method)) wanted.rewriters = number_of_rewriters();
  }
  if (covered && hits::is_enabled()) wanted.coverage = hits::number_of_probes(method);
  return wanted;
}

bool rewrites(const oriel_profiler_desc& profiler, oriel_method* method, oriel_image* image) {
  return profiler.rewrite_filter.load(std::memory_order_acquire) && may_choose_in(profiler, image) &&
         chooses_to_rewrite(profiler, method);
}

bool ask_image_filters(oriel_image* image) {
  for (oriel_profiler_desc* it = first_profiler(); it; it = it->next.load(std::memory_order_acquire)) {
    const bool chooses =
        it->call_filter.load(std::memory_order_acquire) || it->allocation_filter.load(std::memory_order_acquire) ||
        it->full_allocation_filter.load(std::memory_order_acquire) ||
        it->coverage_filter.load(std::memory_order_acquire) || it->rewrite_filter.load(std::memory_order_acquire);
    if (chooses && may_choose_in(*it, image)) return true;
  }
  return false;
}

void count_outcome(oriel_instrumentation_outcome outcome) { outcomes[outcome].fetch_add(1, std::memory_order_relaxed); }

void set_instrumentation_possible() { possible.store(true, std::memory_order_release); }

}  // namespace oriel

void oriel_profiler_set_call_instrumentation_filter_callback(oriel_profiler_handle handle,
                                                             oriel_call_instrumentation_filter_cb callback) {
  if (handle) oriel::install(handle->call_filter, callback, oriel::call_filters);
}

void oriel_profiler_set_allocation_filter_callback(oriel_profiler_handle handle, oriel_allocation_filter_cb callback) {
  if (handle) oriel::install(handle->allocation_filter, callback, oriel::allocation_filters);
}

void oriel_profiler_set_full_allocation_filter_callback(oriel_profiler_handle handle,
                                                        oriel_allocation_filter_cb callback) {
  if (handle) oriel::install(handle->full_allocation_filter, callback, oriel::allocation_filters);
}

void oriel_profiler_set_coverage_filter_callback(oriel_profiler_handle handle, oriel_coverage_filter_cb callback) {
  if (handle) oriel::install(handle->coverage_filter, callback, oriel::coverage_filters);
}

void oriel_profiler_set_image_filter_callback(oriel_profiler_handle handle, oriel_image_filter_cb callback) {
  if (!handle) return;
  handle->image_filter.store(callback, std::memory_order_release);
  oriel::filters_changed();
}

// The rewriter is set before the filter that selects methods for it, and removed after.
void oriel_profiler_set_rewriter_callbacks(oriel_profiler_handle handle, oriel_rewrite_filter_cb filter,
                                           oriel_rewriter_cb rewriter) {
  if (!handle) return;
  if (rewriter) handle->rewriter.store(rewriter, std::memory_order_release);
  oriel::rewriter_generation.fetch_add(1, std::memory_order_acq_rel);
  oriel::install(handle->rewrite_filter, filter, oriel::rewriters);
  if (!rewriter) handle->rewriter.store(nullptr, std::memory_order_release);
}

bool oriel_instrumentation_possible(void) { return oriel::possible.load(std::memory_order_acquire); }

void oriel_instrumentation_counts(uint64_t counts[ORIEL_INSTRUMENTATION_OUTCOMES]) {
  for (uint32_t i = 0; i < ORIEL_INSTRUMENTATION_OUTCOMES; ++i) {
    counts[i] = oriel::outcomes[i].load(std::memory_order_relaxed);
  }
}

const char* oriel_instrumentation_outcome_name(uint32_t outcome) {
  static constexpr const char* kNames[ORIEL_INSTRUMENTATION_OUTCOMES] = {
      "instrumented", "no IL", "the runtime's own", "not supported", "refused by Oriel", "refused by the runtime"};
  return outcome < ORIEL_INSTRUMENTATION_OUTCOMES ? kNames[outcome] : "unknown";
}
