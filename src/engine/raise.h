// Raising events costs one load and one unlikely branch while nobody listens. It ends at the process's end and in a
// forked child.
#pragma once

#include <atomic>
#include <cstdint>

#include "oriel/oriel.h"

namespace oriel {

// The number of callbacks installed, by event number: exact at every moment.
extern std::atomic<uint32_t> event_counters[oriel_event_number_end];

inline bool is_wanted(uint32_t event_number) {
  return __builtin_expect(event_counters[event_number].load(std::memory_order_relaxed) != 0, 0);
}

// Each NAME has raise_NAME(fields…), safe to call from any thread; sample_hit also from a signal handler.
#define ORIEL_EVENT(number, name, since, context, group, stack, fields, doc) \
  void dispatch_##name(int ORIEL_SEQ(ORIEL_PARAM, fields));                  \
  template <typename... Args>                                                \
  inline void raise_##name(Args... args) {                                   \
    if (is_wanted(number)) dispatch_##name(0, args...);                      \
  }
#include "oriel/events.def"
#undef ORIEL_EVENT

// No callback is called from now on. Async-safe.
void stop_raising();

// Callbacks are called again: the engine begins anew.
void resume_raising();

// After stop_raising: waits until no other thread is in a callback, up to 100 ms (one may itself be ending the
// process).
void wait_for_callbacks();

}  // namespace oriel
