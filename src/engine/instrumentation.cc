#include "engine/instrumentation.h"

#include <atomic>
#include <optional>

#include "engine/control.h"
#include "engine/engine.h"
#include "engine/profilers.h"

namespace oriel {
namespace {

constinit std::atomic<uint32_t> call_filters{0};
constinit std::atomic<uint32_t> allocation_filters{0};
constinit std::atomic<uint32_t> generation{0};
constinit std::atomic<bool> possible{false};
constinit std::atomic<uint64_t> outcomes[ORIEL_INSTRUMENTATION_OUTCOMES];

constexpr uint32_t kKnownCalls = ORIEL_CALLS_ALL | ORIEL_CALLS_ENTER_CONTEXT | ORIEL_CALLS_LEAVE_CONTEXT |
                                 ORIEL_CALLS_FULL | ORIEL_CALLS_BLOCK_INLINING;

template <typename Filter>
void install(std::atomic<Filter>& slot, Filter filter, std::atomic<uint32_t>& count) {
  if (filter) count.fetch_add(1, std::memory_order_acq_rel);
  if (slot.exchange(filter, std::memory_order_acq_rel)) count.fetch_sub(1, std::memory_order_acq_rel);
  generation.fetch_add(1, std::memory_order_acq_rel);
  control::wake();
}

void warn_once(std::atomic<bool>& said, const char* message) {
  if (!said.exchange(true)) warn(message);
}
constinit std::atomic<bool> said_throw{false};
constinit std::atomic<bool> said_nonsense{false};

// A filter's answer; nothing if it threw.
template <typename Filter>
std::optional<uint32_t> answer_of(Filter filter, oriel_profiler* profiler, oriel_method* method) {
  try {
    return static_cast<uint32_t>(filter(profiler, method));
  } catch (...) {
    warn_once(said_throw, "an instrumentation filter threw an exception, which counts as no; it must not throw");
    return std::nullopt;
  }
}

// Probes that cannot be had without others bring them.
uint32_t completed(uint32_t calls) {
  if (calls & ~kKnownCalls) {
    warn_once(said_nonsense, "an instrumentation filter answered with bits that mean nothing; they are ignored");
    calls &= kKnownCalls;
  }
  if (calls & ORIEL_CALLS_ENTER_CONTEXT) calls |= ORIEL_CALLS_ENTER;
  if (calls & ORIEL_CALLS_LEAVE_CONTEXT) calls |= ORIEL_CALLS_LEAVE;
  return (calls & ORIEL_CALLS_ALL) ? calls : uint32_t{ORIEL_CALLS_NONE};
}

}  // namespace

bool has_filters() {
  return call_filters.load(std::memory_order_acquire) != 0 || allocation_filters.load(std::memory_order_acquire) != 0;
}
bool has_allocation_filters() { return allocation_filters.load(std::memory_order_acquire) != 0; }
uint32_t filter_generation() { return generation.load(std::memory_order_acquire); }

WantedProbes ask_filters(oriel_method* method) {
  WantedProbes wanted;
  for (oriel_profiler_desc* it = first_profiler(); it; it = it->next.load(std::memory_order_acquire)) {
    if (const auto filter = it->call_filter.load(std::memory_order_acquire)) {
      wanted.calls |= completed(answer_of(filter, it->profiler, method).value_or(0));
    }
    const auto filter = it->allocation_filter.load(std::memory_order_acquire);
    if (filter && !wanted.allocations) wanted.allocations = answer_of(filter, it->profiler, method).value_or(0) != 0;
  }
  return wanted;
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
