#include "base/process/maps_line.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

TEST(MapsLine, HasPlaceRightsAndName) {
  MapsLine line;
  ASSERT_TRUE(parse_maps_line("7f10a0000000-7f10a0021000 rw-p 00001000 fe:00 351016        /usr/lib/a b.so", line));
  EXPECT_EQ(line.start, 0x7f10a0000000u);
  EXPECT_EQ(line.end, 0x7f10a0021000u);
  EXPECT_TRUE(line.is_readable && line.is_writable && !line.is_executable && !line.is_shared);
  EXPECT_EQ(line.name, "/usr/lib/a b.so");
  ASSERT_TRUE(parse_maps_line("1000-2000 r-xs 00000000 00:01 12 /memfd:doublemapper (deleted)", line));
  EXPECT_TRUE(line.is_readable && !line.is_writable && line.is_executable && line.is_shared);
  EXPECT_EQ(line.name, "/memfd:doublemapper (deleted)");
}

TEST(MapsLine, MayHaveNoName) {
  MapsLine line;
  for (const char* text : {"1000-2000 ---p 00000000 00:00 0 ", "1000-2000 ---p 00000000 00:00 0", "1000-2000 ---p"}) {
    ASSERT_TRUE(parse_maps_line(text, line)) << text;
    EXPECT_EQ(line.name, "") << text;
  }
}

TEST(MapsLine, IsRefusedOtherwise) {
  MapsLine line;
  for (const char* text : {"", "-", "1000", "1000-", "1000-2000", "1000-2000 rw", "1000 2000 rw-p", "xyz"})
    EXPECT_FALSE(parse_maps_line(text, line)) << text;
}

}  // namespace
}  // namespace oriel
