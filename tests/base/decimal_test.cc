#include "base/text/decimal.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

TEST(Decimal, IsReadAsFarAsItGoes) {
  const struct {
    std::string_view text;
    double value;
    size_t length;
  } cases[] = {{"1.5s", 1.5, 3},
               {"0.1%", 0.1, 3},
               {"-2.25", -2.25, 5},
               {"7", 7, 1},
               {".5", 0.5, 2},
               {"1.2.3", 1.2, 3},
               {"123456789.012345", 123456789.012345, 16},
               {"1e3", 1, 1},
               {"", 0, 0},
               {"ms", 0, 0},
               {"-", 0, 0},
               {".", 0, 0},
               {"inf", 0, 0},
               {" 1", 0, 0}};
  for (const auto& [text, value, length] : cases) {
    EXPECT_EQ(leading_decimal(text).value, value) << text;
    EXPECT_EQ(leading_decimal(text).length, length) << text;
  }
}

TEST(Decimal, OfAWholeTextMayHaveAnExponent) {
  EXPECT_EQ(whole_decimal("0.1"), 0.1);
  EXPECT_EQ(whole_decimal("1.7976931348623157E+308"), 1.7976931348623157e308);
  EXPECT_EQ(whole_decimal("-1E-05"), -1e-5);
  for (const char* none : {"", "1 ", "1e", "1e+", "1e5.", "0x10", "NaN", "1E+309", "1,5"})
    EXPECT_EQ(whole_decimal(none), std::nullopt) << none;
}

}  // namespace
}  // namespace oriel
