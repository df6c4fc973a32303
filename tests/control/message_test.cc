#include "control/message.h"

#include <gtest/gtest.h>

namespace oriel::control {
namespace {

TEST(Message, AnyWordComesBack) {
  for (const Words& words :
       {Words{"status"}, Words{"mark", "a\tb\nc\\d"}, Words{"set", "", ""}, Words{""}, Words{"mark", "Größe – ok"}}) {
    std::string line = line_of(words);
    ASSERT_EQ(line.find('\n'), line.size() - 1);
    line.pop_back();
    const Result<Words> back = words_of(line);
    ASSERT_TRUE(back) << back.message();
    EXPECT_EQ(*back, words);
  }
}

TEST(Message, WhatIsNoRequestIsRefused) {
  for (const char* line : {"a\\", "a\\x", "\x01", "a\rb", "\xff\xfe", "\xc3"}) EXPECT_FALSE(words_of(line)) << line;
}

TEST(Message, AnswersComeBack) {
  Answer answer;
  answer.lines = {{"module", "log", "hz=250"}, {"pid", "7"}};
  const std::string text = text_of(answer);
  EXPECT_TRUE(is_whole_answer(text));
  EXPECT_FALSE(is_whole_answer(std::string_view(text).substr(0, text.size() - 1)));
  const Result<Answer> back = read_answer(text);
  ASSERT_TRUE(back) << back.message();
  EXPECT_TRUE(back->status);
  EXPECT_EQ(back->lines, answer.lines);
}

TEST(Message, ErrorsComeBack) {
  const Result<Answer> back = read_answer(text_of({Status::error("log: does not run; start it"), {}}));
  ASSERT_TRUE(back);
  ASSERT_FALSE(back->status);
  EXPECT_EQ(back->status.message(), "log: does not run; start it");
}

TEST(Message, WhatIsNoAnswerIsSaid) {
  for (const char* text : {"", "ok", "ok\n", "\n\n", "HTTP/1.1 400 Bad Request\r\n\r\n", "error\n\n", "ok\tmore\n\n"})
    EXPECT_FALSE(read_answer(text)) << text;
}

}  // namespace
}  // namespace oriel::control
