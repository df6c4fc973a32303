// The contract between the engine and every runtime adapter about what is on: an event that gets its first listener
// while the program runs is turned on, soon; when its last listener goes it is turned off. Asked of each adapter by its
// own tests, with a probe that says what is on in that runtime at the moment.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <thread>

#include "oriel/oriel.h"

namespace oriel::contract {

// Whether the runtime would raise this event now.
using Probe = std::function<bool(uint32_t event_number)>;

inline bool soon(const std::function<bool()>& condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

// One event that nobody else listens to. `set` installs a callback of the handle, or takes it away.
inline void expect_mask_follows(uint32_t number, const char* name, const Probe& is_on,
                                const std::function<void(oriel_profiler_handle, bool)>& set) {
  const oriel_profiler_handle first = oriel_profiler_create(nullptr), second = oriel_profiler_create(nullptr);
  ASSERT_TRUE(soon([&] { return !is_on(number); })) << name << " is on before anyone listens";
  set(first, true);
  EXPECT_TRUE(soon([&] { return is_on(number); })) << name << " stays off although there is a listener";
  set(second, true);
  set(first, false);
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  EXPECT_TRUE(is_on(number)) << name << " went off while there is still a listener";
  set(second, false);
  EXPECT_TRUE(soon([&] { return !is_on(number); })) << name << " stays on although nobody listens";
}

// The same for each event of events.def that the probe's runtime can turn on and off (`can`).
inline void expect_masks_follow(const Probe& is_on, const std::function<bool(uint32_t)>& can) {
#define ORIEL_UNNAMED_A(kind, name) , ORIEL_TYPE_##kind ORIEL_UNNAMED_B
#define ORIEL_UNNAMED_B(kind, name) , ORIEL_TYPE_##kind ORIEL_UNNAMED_A
#define ORIEL_UNNAMED_A_END
#define ORIEL_UNNAMED_B_END
#define ORIEL_EVENT(number, name, since, context, group, stack, fields, doc)                      \
  if (can(number)) {                                                                              \
    expect_mask_follows(number, #name, is_on, [](oriel_profiler_handle handle, bool wanted) {     \
      const oriel_##name##_cb callback = [](oriel_profiler* ORIEL_SEQ(ORIEL_UNNAMED, fields)) {}; \
      oriel_profiler_set_##name##_callback(handle, wanted ? callback : nullptr);                  \
    });                                                                                           \
  }
#include "oriel/events.def"
#undef ORIEL_EVENT
#undef ORIEL_UNNAMED_A
#undef ORIEL_UNNAMED_B
#undef ORIEL_UNNAMED_A_END
#undef ORIEL_UNNAMED_B_END
}

}  // namespace oriel::contract
