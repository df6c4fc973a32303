// Coverage where the runtime counts itself: its numbers reach what profilers read.
#include "engine/hits/runtime_counts.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/engine.h"
#include "engine/running_engine.h"

namespace oriel::hits {
namespace {

using oriel::test::running_engine;

std::string seen;

void add_to_seen(oriel_profiler*, const oriel_coverage_data* data) {
  seen += (seen.empty() ? "" : " ") + std::to_string(data->il_offset) + ":" + (data->count != 0 ? "ran" : "not");
}

std::string data_of(oriel_profiler_handle handle, oriel_method* method) {
  seen.clear();
  oriel_get_coverage_data(handle, method, add_to_seen);
  return seen;
}

TEST(RuntimeCounts, BodiesOfOneMethodMayHaveUnlikeBlocks) {
  running_engine();
  const oriel_profiler_handle handle = oriel_profiler_create(nullptr);
  ASSERT_TRUE(oriel_enable_coverage(handle, ORIEL_COVERAGE_HIT));
  oriel_image* const image = intern_image(0x77770);
  oriel_method* const first = intern_method(0x77771, image, 0x06000077);
  oriel_method* const other = intern_method(0x77772, image, 0x06000077);
  EXPECT_EQ(data_of(handle, first), "");
  add_runs(*first, *image, 0x06000077, std::vector<RunsAt>{{0, 3}, {8, 0}, {20, 1}});
  EXPECT_EQ(data_of(handle, first), "0:ran 8:not 20:ran");
  add_runs(*other, *image, 0x06000077, std::vector<RunsAt>{{0, 1}, {5, 1}, {8, 2}});
  EXPECT_EQ(data_of(handle, first), "0:ran 5:ran 8:ran 20:ran");
  EXPECT_EQ(data_of(handle, other), data_of(handle, first)) << "counts are for all instantiations";

  ASSERT_TRUE(oriel_coverage_reset(handle, nullptr));
  EXPECT_EQ(data_of(handle, first), "0:not 5:not 8:not 20:not");
  add_runs(*other, *image, 0x06000077, std::vector<RunsAt>{{0, 0}, {5, 1}, {8, 0}});
  EXPECT_EQ(data_of(handle, first), "0:not 5:ran 8:not 20:not");
}

}  // namespace
}  // namespace oriel::hits
