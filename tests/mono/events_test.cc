// Each event of the engine comes on Mono, or it is said why not.
#include <gtest/gtest.h>

#include <set>

#include "oriel/oriel.h"
#include "runtimes/mono/callbacks.h"
#include "runtimes/mono/unavailable_events.h"

namespace oriel::mono {
namespace {

// Those that the engine raises itself, or the adapter without a callback.
constexpr uint32_t kOfEngine[] = {oriel_event_process_abort, oriel_event_mark, oriel_event_sampling_paced,
                                  oriel_event_sample_hit};

std::set<uint32_t> events_of_callbacks() {
  std::set<uint32_t> events(std::begin(kOfEngine), std::end(kOfEngine));
  for (const Callback& callback : all_callbacks())
    for (const uint32_t event : callback.events)
      if (event != 0) events.insert(event);
  return events;
}

TEST(MonoEvents, EachComesOrHasAReason) {
  const std::set<uint32_t> come = events_of_callbacks();
#define ORIEL_EVENT(number, name, ...) EXPECT_NE(come.contains(number), why_unavailable(number) != nullptr) << #name;
#include "oriel/events.def"
#undef ORIEL_EVENT
}

TEST(MonoEvents, ACallbackIsSetWhileSomethingNeedsIt) {
  RuntimeNeeds gc;
  gc.events.set(oriel_event_gc_end);
  RuntimeNeeds code;
  code.code_map = true;
  const auto needed = [](const char* name, const RuntimeNeeds& needs) {
    for (const Callback& callback : all_callbacks())
      if (std::string_view(callback.name) == name) return is_needed(callback, needs);
    return false;
  };
  EXPECT_FALSE(needed("gc_event", {}));
  EXPECT_TRUE(needed("gc_event", gc));
  EXPECT_FALSE(needed("jit_done", gc));
  EXPECT_TRUE(needed("jit_done", code));
  EXPECT_TRUE(needed("image_unloaded", {}));
}

}  // namespace
}  // namespace oriel::mono
