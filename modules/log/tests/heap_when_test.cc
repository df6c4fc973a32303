#include "modules/heap_when.h"

#include <gtest/gtest.h>

#include <csignal>

#include "options.h"

namespace oriel::log_module {
namespace {

TEST(HeapWhen, IsOneOrSeveral) {
  const auto none = modules::parse_heap_when("");
  ASSERT_TRUE(none);
  EXPECT_FALSE(none->any());
  const auto all = modules::parse_heap_when("on-exit+every=90s+on-growth=20%+on-signal=USR2");
  ASSERT_TRUE(all);
  EXPECT_TRUE(all->at_end);
  EXPECT_EQ(all->every_ns, 90'000'000'000u);
  EXPECT_EQ(all->growth_percent, 20u);
  EXPECT_EQ(all->signal, SIGUSR2);
}

TEST(HeapWhen, RefusesWhatIsNone) {
  for (const char* text : {"never", "every", "every=", "every=999ms", "on-growth=0%", "on-growth=x", "on-exit=1",
                           "on-exit,", "on-signal", "on-signal=SEGV"})
    EXPECT_FALSE(modules::parse_heap_when(text)) << text;
}

TEST(HeapWhen, IsAnOptionOfALog) {
  const auto bare = parse_options("heap");
  ASSERT_TRUE(bare) << bare.message();
  EXPECT_TRUE(bare->heap_when.at_end);
  const auto every = parse_options("heap=every=60s,hz=100");
  ASSERT_TRUE(every) << every.message();
  EXPECT_EQ(every->heap_when.every_ns, 60'000'000'000u);
  EXPECT_FALSE(parse_options("heap,recorder=60s"));
}

}  // namespace
}  // namespace oriel::log_module
