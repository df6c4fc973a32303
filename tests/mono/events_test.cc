// Each event of the engine comes on Mono, or it is said why not (docs/API.md has all).
#include <gtest/gtest.h>

#include <string_view>

#include "oriel/oriel.h"
#include "runtimes/mono/callbacks.h"
#include "runtimes/mono/unavailable_events.h"

namespace oriel::mono {
namespace {

TEST(MonoEvents, WhatACallbackRaisesHasNoReasonAndTheRestHasOne) {
  for (const Callback& callback : all_callbacks()) {
    for (const uint32_t event : callback.events) {
      if (event == 0) break;
      EXPECT_EQ(why_unavailable(event), nullptr) << callback.name;
    }
  }
  for (const uint32_t event : {oriel_event_sample_hit, oriel_event_mark, oriel_event_process_abort})
    EXPECT_EQ(why_unavailable(event), nullptr) << event;
  EXPECT_STREQ(why_unavailable(oriel_event_gc_triggered), "Mono does not tell why it collects: listen to gc_begin");
  EXPECT_STREQ(why_unavailable(255), "Oriel does not raise this event on Mono");
}

TEST(MonoEvents, ACallbackIsSetWhileSomethingNeedsIt) {
  RuntimeNeeds gc;
  gc.events.set(oriel_event_gc_end);
  const auto needed = [](const char* name, const RuntimeNeeds& needs) {
    for (const Callback& callback : all_callbacks())
      if (std::string_view(callback.name) == name) return is_needed(callback, needs);
    return false;
  };
  EXPECT_FALSE(needed("gc_event", {}));
  EXPECT_TRUE(needed("gc_event", gc));
  EXPECT_TRUE(needed("jit_done", {}));
  EXPECT_TRUE(needed("image_unloaded", {}));
}

}  // namespace
}  // namespace oriel::mono
