#include "engine/probes.h"

#include <string_view>

#include "engine/profilers.h"
#include "engine/raise.h"

namespace oriel {

constinit ProbeCell probe_cells[kProbes];

void removed_probe() {}

namespace {

// Instrumented code may raise only leaf events, including all of the group "calls", and those of the group "full".
constexpr bool is_leaf(std::string_view context) { return context == "LEAF"; }
constexpr bool is_of_calls(std::string_view group) { return group == "calls"; }
constexpr bool is_of_full(std::string_view group) { return group == "full"; }
#define ORIEL_EVENT(number, name, since, context, group, stack, fields, doc)                                   \
  static_assert(is_leaf(#context) || !is_probe(number) || is_full_probe(number), #name " cannot be a probe");  \
  static_assert(is_probe(number) || !(is_of_calls(#group) || is_of_full(#group)), #name " has no probe cell"); \
  static_assert(is_full_probe(number) == is_of_full(#group), #name " is not in its group");
#include "oriel/events.def"
#undef ORIEL_EVENT

constinit std::atomic<bool> closed{false};

// For each event with several listeners, and for full events with any: calls all of them. `profiler` is unused.
constinit ProbeTarget multi_listener_targets[kProbes];

#define ORIEL_EVENT(number, name, since, context, group, stack, fields, doc)                   \
  [[maybe_unused]] void call_everyone_##name(oriel_profiler* ORIEL_SEQ(ORIEL_PARAM, fields)) { \
    dispatch_##name(0 ORIEL_SEQ(ORIEL_ARG, fields));                                           \
  }
#include "oriel/events.def"
#undef ORIEL_EVENT

const void* call_all_listeners(uint32_t event_number) {
  switch (event_number) {
#define ORIEL_EVENT(number, name, since, context, group, stack, fields, doc) \
  case number:                                                               \
    return reinterpret_cast<const void*>(call_everyone_##name);
#include "oriel/events.def"
#undef ORIEL_EVENT
    default:
      return nullptr;
  }
}

const ProbeTarget* target_of(uint32_t probe) {
  const ProbeTarget* found = nullptr;
  for (oriel_profiler_desc* it = first_profiler(); it; it = it->next.load(std::memory_order_acquire)) {
    const ProbeTarget& own = it->probe_targets[probe];
    const void* code = own.code.load(std::memory_order_acquire);
    if (code == nullptr || code == reinterpret_cast<const void*>(removed_probe)) continue;
    if (found || is_full_probe(kFirstProbe + probe)) {
      multi_listener_targets[probe].code.store(call_all_listeners(kFirstProbe + probe), std::memory_order_release);
      return &multi_listener_targets[probe];
    }
    found = &own;
  }
  return found;
}

}  // namespace

void update_probe_cells() {
  for (uint32_t probe = 0; probe < kProbes; ++probe) {
    const bool listened = event_counters[kFirstProbe + probe].load(std::memory_order_acquire) != 0;
    probe_cells[probe].store(listened ? target_of(probe) : nullptr, std::memory_order_release);
  }
  if (closed.load()) close_probe_cells();
}

void open_probe_cells() { closed.store(false); }

void close_probe_cells() {
  closed.store(true);
  for (ProbeCell& cell : probe_cells) cell.store(nullptr);
}

}  // namespace oriel
