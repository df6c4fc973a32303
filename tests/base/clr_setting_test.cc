#include "base/process/clr_setting.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

TEST(ClrSwitch, IsOnAsTheRuntimeReadsIt) {
  for (const char* on :
       {"1", "01", "0x1", "0X2", "10", "e", "enabled", " 1", "\t1", "-1", "+1", "FFFFFFFF", "1x", "1 "})
    EXPECT_TRUE(is_clr_switch_on(on)) << on;
  for (const char* off : {"", "0", "0x0", "0x", "0xg", "yes", "true", "on", "- 1", "100000000", "-100000000"})
    EXPECT_FALSE(is_clr_switch_on(off)) << off;
}

}  // namespace
}  // namespace oriel
