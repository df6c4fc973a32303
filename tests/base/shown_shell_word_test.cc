#include "base/text/shown_shell_word.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

TEST(ShownShellWord, OrdinaryOnesStayAsTheyAre) {
  EXPECT_EQ(shown_shell_word("logs/Shop-4711.oriel"), "logs/Shop-4711.oriel");
  EXPECT_EQ(shown_shell_word("Größe.oriel"), "Größe.oriel");
  EXPECT_EQ(shown_shell_word("with space.oriel"), "'with space.oriel'");
  EXPECT_EQ(shown_shell_word("it's.oriel"), "'it'\\''s.oriel'");
}

TEST(ShownShellWord, WhatATerminalWouldActOnIsEscaped) {
  EXPECT_EQ(shown_shell_word("esc\x1b[31mred.oriel"), "$'esc\\e[31mred.oriel'");
  EXPECT_EQ(shown_shell_word("new\nline\t.oriel\r"), "$'new\\nline\\t.oriel\\r'");
  EXPECT_EQ(shown_shell_word("bad\xff\xfeutf"), "$'bad\\xff\\xfeutf'");
  EXPECT_EQ(shown_shell_word("\x7f'\\ö"), "$'\\x7f\\'\\\\ö'");
  EXPECT_EQ(shown_shell_word("a\u202Eb"), "$'a\\xe2\\x80\\xaeb'");
}

}  // namespace
}  // namespace oriel
