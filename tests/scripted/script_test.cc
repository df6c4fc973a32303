#include "runtimes/scripted/script.h"

#include <gtest/gtest.h>

namespace oriel::scripted {
namespace {

std::string error_of(const std::string& text) {
  const auto script = parse_script(text);
  return script ? "" : script.message();
}

TEST(Script, HasActionsWithWordsOptionsAndBlocks) {
  const auto script =
      parse_script("# a comment\nimage A.dll assembly=A fail  # loads badly\n\nparallel 3\n  gc induced\nend\n");
  ASSERT_TRUE(script.is_ok()) << script.message();
  ASSERT_EQ(script->size(), 2u);
  EXPECT_EQ((*script)[0].verb, "image");
  EXPECT_EQ((*script)[0].line, 2u);
  EXPECT_EQ((*script)[0].words, std::vector<std::string>{"A.dll"});
  EXPECT_EQ((*script)[0].options.at("assembly"), "A");
  EXPECT_TRUE((*script)[0].options.contains("fail"));
  ASSERT_EQ((*script)[1].block.size(), 1u);
  EXPECT_TRUE((*script)[1].block[0].options.contains("induced"));
}

TEST(Script, ErrorsNameTheLine) {
  EXPECT_EQ(error_of("domain a\nfly b\n"), "line 2: no such action: fly");
  EXPECT_EQ(error_of("end"), "line 1: end without a block");
  EXPECT_EQ(error_of("domain a\nrepeat 3\ngc\n"), "line 2: repeat has no end");
  EXPECT_NE(error_of("domain"), "");
  EXPECT_NE(error_of("gc now please"), "");
}

}  // namespace
}  // namespace oriel::scripted
