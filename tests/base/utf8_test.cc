#include "base/text/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace oriel {
namespace {

void expect_character(std::string_view text, char32_t code) {
  const Utf8Character character = utf8_at(text);
  EXPECT_TRUE(character.valid) << text;
  EXPECT_EQ(character.size, text.size());
  EXPECT_EQ(character.code, code);
}

void expect_none(std::string_view text) {
  const Utf8Character character = utf8_at(text);
  EXPECT_FALSE(character.valid) << text;
  EXPECT_EQ(character.size, 1u);
}

TEST(Utf8, TheFirstAndLastOfEachLength) {
  expect_character(std::string_view("\0", 1), 0);
  expect_character("\x7F", 0x7F);
  expect_character("\xC2\x80", 0x80);
  expect_character("\xDF\xBF", 0x7FF);
  expect_character("\xE0\xA0\x80", 0x800);
  expect_character("\xED\x9F\xBF", 0xD7FF);
  expect_character("\xEE\x80\x80", 0xE000);
  expect_character("\xEF\xBF\xBF", 0xFFFF);
  expect_character("\xF0\x90\x80\x80", 0x10000);
  expect_character("\xF4\x8F\xBF\xBF", 0x10FFFF);
}

TEST(Utf8, WhatIsNone) {
  expect_none("\x80");              // no lead
  expect_none("\xC1\xBF");          // longer than it need be
  expect_none("\xE0\x9F\xBF");      // so too
  expect_none("\xF0\x8F\xBF\xBF");  // so too
  expect_none("\xED\xA0\x80");      // a surrogate
  expect_none("\xF4\x90\x80\x80");  // above U+10FFFF
  expect_none("\xFF");
  expect_none("\xE2\x82");      // the end is missing
  expect_none("\xE2\x28\xA1");  // something else in the middle
}

TEST(Utf8, InTheMiddleOfAText) {
  const std::string text = "a\xE2\x82\xACz";
  EXPECT_EQ(utf8_at(text, 1).code, char32_t{0x20AC});
  EXPECT_FALSE(utf8_at(text, 2).valid);
  EXPECT_EQ(utf8_at(text, 4).code, char32_t{'z'});
}

TEST(Utf8, IsCutBetweenCharacters) {
  const std::string_view text = "a\xE2\x82\xACz";
  EXPECT_EQ(utf8_end(text, 9), 5u);
  EXPECT_EQ(utf8_end(text, 4), 4u);
  EXPECT_EQ(utf8_end(text, 3), 1u);
  EXPECT_EQ(utf8_end(text, 2), 1u);
  EXPECT_EQ(utf8_end(text, 1), 1u);
  EXPECT_EQ(utf8_end("\x80\x80", 1), 0u);
}

}  // namespace
}  // namespace oriel
