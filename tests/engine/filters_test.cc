// Filters are asked of all profilers, whatever others said.
#include <gtest/gtest.h>

#include "engine/filters.h"
#include "engine/running_engine.h"

struct oriel_profiler {
  int calls = 0, allocations = 0, rewrites = 0;
};

namespace oriel {
namespace {

uint32_t call_filter(oriel_profiler* profiler, oriel_method*) { return ++profiler->calls, ORIEL_CALLS_ENTER; }
bool allocation_filter(oriel_profiler* profiler, oriel_method*) { return ++profiler->allocations; }
bool rewrite_filter(oriel_profiler* profiler, oriel_method*) { return ++profiler->rewrites; }

void set_filters(oriel_profiler_handle handle, bool on) {
  oriel_profiler_set_call_instrumentation_filter_callback(handle, on ? call_filter : nullptr);
  oriel_profiler_set_allocation_filter_callback(handle, on ? allocation_filter : nullptr);
  oriel_profiler_set_rewriter_callbacks(handle, on ? rewrite_filter : nullptr, nullptr);
}

TEST(Filters, OfAllProfilersAreAskedAlthoughTheFirstSaidYes) {
  test::running_engine();
  static oriel_profiler profilers[2];
  oriel_profiler_handle handles[2];
  for (int i = 0; i < 2; ++i) {
    handles[i] = oriel_profiler_create(&profilers[i]);
    set_filters(handles[i], true);
  }
  const WantedChanges wanted = ask_filters(nullptr, nullptr);
  EXPECT_TRUE(wanted.allocations);
  EXPECT_EQ(wanted.calls, uint32_t{ORIEL_CALLS_ENTER});
  EXPECT_NE(wanted.rewriters, 0);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(profilers[i].calls, 1);
    EXPECT_EQ(profilers[i].allocations, 1) << "a profiler leaves out what its own filter was not asked about";
    EXPECT_EQ(profilers[i].rewrites, 1);
    set_filters(handles[i], false);
  }
}

}  // namespace
}  // namespace oriel
