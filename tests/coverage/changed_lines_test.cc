// Paths and lines out of what `git diff` writes, as its settings have it.
#include "coverage/changed_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace oriel::coverage::test {
namespace {

using testing::ElementsAre;

// The one line that each diff here adds.
constexpr const char* kHunk = "@@ -2,0 +3 @@\n+new\n";

std::vector<std::string> paths_in(const std::string& diff) {
  std::vector<std::string> paths;
  for (const auto& [path, lines] : changed_lines(diff)) {
    paths.push_back(path);
    EXPECT_EQ(lines, std::set<uint32_t>{3}) << path;
  }
  return paths;
}

std::string with_header(const std::string& before, const std::string& now, const std::string& more = "") {
  return "diff --git " + before + " " + now + "\n" + more + "index 1..2 100644\n--- " + before + "\n+++ " + now + "\n" +
         kHunk;
}

TEST(ChangedLines, AreThoseOfHunks) {
  const auto changed = changed_lines(
      "--- a/A.cs\n+++ b/A.cs\n@@ -3 +3 @@\n-old\n+new\n@@ -9,2 +8,0 @@\n-gone\n-gone\n"
      "--- a/B.cs\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone\n");
  ASSERT_EQ(changed.size(), 1u);
  EXPECT_EQ(changed.at("A.cs"), (std::set<uint32_t>{3}));
  EXPECT_TRUE(changed_lines("hello\n").empty());
}

TEST(ChangedLines, OfLinesAroundChangesOnlyThoseThatAreNew) {
  const auto changed = changed_lines("--- a/A.cs\n+++ b/A.cs\n@@ -1,3 +1,4 @@\n one\n+two\n three\n four\n");
  EXPECT_EQ(changed.at("A.cs"), (std::set<uint32_t>{2}));
}

TEST(ChangedLines, PathsHaveTheirPrefixTakenAway) {
  EXPECT_THAT(paths_in(with_header("a/src/Cart.cs", "b/src/Cart.cs")), ElementsAre("src/Cart.cs"));
  // diff.mnemonicPrefix, of the index, the tree, a commit, an object; and prefixes that somebody chose.
  EXPECT_THAT(paths_in(with_header("i/src/Cart.cs", "w/src/Cart.cs")), ElementsAre("src/Cart.cs"));
  EXPECT_THAT(paths_in(with_header("c/src/Cart.cs", "i/src/Cart.cs")), ElementsAre("src/Cart.cs"));
  EXPECT_THAT(paths_in(with_header("o/src/Cart.cs", "w/src/Cart.cs")), ElementsAre("src/Cart.cs"));
  EXPECT_THAT(paths_in(with_header("old/src/Cart.cs", "new/src/Cart.cs")), ElementsAre("src/Cart.cs"));
  EXPECT_THAT(paths_in(with_header("old/Cart.cs", "Cart.cs")), ElementsAre("Cart.cs"));
}

TEST(ChangedLines, PathsWithoutAPrefixStayAsTheyAre) {
  EXPECT_THAT(paths_in(with_header("src/Cart.cs", "src/Cart.cs")), ElementsAre("src/Cart.cs"));
  EXPECT_THAT(paths_in(with_header("b/Cart.cs", "b/Cart.cs")), ElementsAre("b/Cart.cs"));
  EXPECT_THAT(paths_in(std::string("--- Cart.cs\n+++ Cart.cs\n") + kHunk), ElementsAre("Cart.cs"));
}

TEST(ChangedLines, QuotedPathsAreReadAsTheyWere) {
  EXPECT_THAT(paths_in(with_header(R"("a/\303\244.cs")", R"("b/\303\244.cs")")), ElementsAre("\xc3\xa4.cs"));
  EXPECT_THAT(paths_in(with_header(R"("i/\303\244.cs")", R"("w/\303\244.cs")")), ElementsAre("\xc3\xa4.cs"));
  EXPECT_THAT(paths_in(with_header(R"("\303\244.cs")", R"("\303\244.cs")")), ElementsAre("\xc3\xa4.cs"));
  EXPECT_THAT(paths_in(with_header(R"("a/x\"\\\t\n.cs")", R"("b/x\"\\\t\n.cs")")), ElementsAre("x\"\\\t\n.cs"));
  for (const char* torn : {R"("b/\)", R"("b/\3")", R"("b/\777")", R"(")"})
    changed_lines(std::string("+++ ") + torn + "\n" + kHunk);
}

TEST(ChangedLines, ATabEndsPathsWithBlanks) {
  EXPECT_THAT(
      paths_in(std::string("diff --git a/My Cart.cs b/My Cart.cs\n--- a/My Cart.cs\t\n+++ b/My Cart.cs\t\n") + kHunk),
      ElementsAre("My Cart.cs"));
}

TEST(ChangedLines, NewFilesHaveNoOtherSide) {
  const std::string none = "new file mode 100644\n--- /dev/null\n";
  EXPECT_THAT(paths_in("diff --git a/New.cs b/New.cs\n" + none + "+++ b/New.cs\n" + kHunk), ElementsAre("New.cs"));
  EXPECT_THAT(paths_in("diff --git w/New.cs w/New.cs\n" + none + "+++ w/New.cs\n" + kHunk), ElementsAre("w/New.cs"));
  EXPECT_THAT(paths_in("--- /dev/null\n+++ w/New.cs\n" + std::string(kHunk)), ElementsAre("New.cs"));
}

TEST(ChangedLines, RenamedFilesGoByTheirNewNames) {
  const std::string renamed = "similarity index 90%\nrename from src/Old.cs\nrename to src/Cart.cs\n";
  EXPECT_THAT(paths_in(with_header("a/src/Old.cs", "b/src/Cart.cs", renamed)), ElementsAre("src/Cart.cs"));
  EXPECT_THAT(
      paths_in(with_header("a/Old.cs", R"("b/\303\244.cs")", "rename from Old.cs\nrename to \"\\303\\244.cs\"\n")),
      ElementsAre("\xc3\xa4.cs"));
  // What was said of one file says nothing of the next.
  EXPECT_THAT(paths_in(with_header("a/src/Old.cs", "b/src/Cart.cs", renamed) + with_header("a/B.cs", "b/B.cs")),
              ElementsAre("B.cs", "src/Cart.cs"));
}

}  // namespace
}  // namespace oriel::coverage::test
