#include "metadata/utf16.h"

#include <gtest/gtest.h>

namespace oriel::metadata {
namespace {

TEST(Utf16, EveryLength) {
  EXPECT_EQ(utf8_of(u""), "");
  EXPECT_EQ(utf8_of(u"Cart"), "Cart");
  EXPECT_EQ(utf8_of(u"ä€"), "ä€");
  EXPECT_EQ(utf8_of(u"\U0001F600!"), "\xf0\x9f\x98\x80!");
}

TEST(Utf16, LoneSurrogatesAreReplaced) {
  const char16_t kHigh[] = {0xd83d, 'x', 0};
  const char16_t kLow[] = {'x', 0xde00, 0};
  EXPECT_EQ(utf8_of(kHigh), "\xef\xbf\xbdx");
  EXPECT_EQ(utf8_of(kLow), "x\xef\xbf\xbd");
}

}  // namespace
}  // namespace oriel::metadata
