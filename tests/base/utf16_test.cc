#include "base/text/utf16.h"

#include <gtest/gtest.h>

namespace oriel {
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

TEST(Utf16, AndBack) {
  for (const char* text : {"", "Cart", "ä€", "\xf0\x9f\x98\x80!"}) EXPECT_EQ(utf8_of(utf16_of(text)), text);
  EXPECT_EQ(utf16_of("\xf0\x9f\x98\x80"), u"\U0001F600");
  EXPECT_EQ(utf16_of("a\xffz"), u"a\ufffdz");
}

}  // namespace
}  // namespace oriel
