// Times that people write: one reader of them for every option.
#include "base/text/time_text.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

using namespace std::chrono_literals;

TEST(TimeText, HasAUnitOrIsInSeconds) {
  const std::pair<const char*, std::chrono::nanoseconds> times[] = {
      {"20us", 20us}, {"300ms", 300ms}, {"1.5s", 1500ms}, {"1.5", 1500ms}, {"0", 0s},
      {"2m", 2min},   {"2min", 2min},   {"1h", 1h},       {"7d", 168h},    {"0.25h", 15min}};
  for (const auto& [text, time] : times) {
    const auto read = parse_time(text);
    ASSERT_TRUE(read) << text;
    EXPECT_EQ(*read, time) << text;
  }
}

TEST(TimeText, IsNothingElse) {
  for (const char* text : {"", "s", "-1s", "1 s", "1S", "1e3s", "0x10s", "inf", "nan", "nans", "1,5s", "soon", "1s2"})
    EXPECT_EQ(parse_time(text).message(), not_a_time().message()) << text;
}

TEST(TimeText, IsNotLongerThanNanosecondsCanTell) {
  EXPECT_TRUE(parse_time("100000d"));
  for (const char* text : {"300000d", "99999999999999999999", "18446744074s"})
    EXPECT_EQ(parse_time(text).message(), "that is too long: a time is less than 285 years") << text;
}

}  // namespace
}  // namespace oriel
