// Coverage read back, and beside what changed.
#include "coverage/compare.h"

#include <gtest/gtest.h>

namespace oriel::coverage::test {
namespace {

TEST(ReadStates, SaysWhatIsWrong) {
  for (const char* other : {"", "[]", "{\"format\": \"other\", \"files\": []}", "{\"format\": \"oriel coverage\"}"}) {
    const auto states = read_states(other);
    ASSERT_FALSE(states) << other;
    EXPECT_EQ(states.message(), "it is not coverage as 'oriel cover --format json' writes it");
  }
  EXPECT_FALSE(read_states(R"({"format": "oriel coverage", "files": [{"path": 3, "lines": []}]})"));
  EXPECT_FALSE(read_states(R"({"format": "oriel coverage", "files": [{"path": "a", "lines": [[1]]}]})"));
}

TEST(Changes, ComparesFilesOfDifferentFolders) {
  const LineStates before = {{"/old/src/A.cs", {{1, true}}}, {"/old/src/B.cs", {{1, true}, {2, true}}}};
  const LineStates now = {{"/new/src/A.cs", {{1, true}}}, {"/new/src/B.cs", {{1, true}, {2, false}}}};
  const std::vector<FileChange> changes = coverage::changes(before, now);
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].path, "/new/src/B.cs");
  EXPECT_EQ(changes[0].hit_before, 2u);
  EXPECT_EQ(changes[0].hit, 1u);
}

TEST(Touched, FindsFilesByTheEndOfTheirPaths) {
  const LineStates states = {{"/src/Shop/Cart.cs", {{2, true}, {3, false}}}, {"/src/OtherCart.cs", {{2, true}}}};
  const std::vector<TouchedFile> files = touched({{"Cart.cs", {1, 2, 3}}}, states);
  ASSERT_EQ(files.size(), 1u);
  EXPECT_EQ(files[0].covered, std::vector<uint32_t>{2});
  EXPECT_EQ(files[0].missed, std::vector<uint32_t>{3});
}

}  // namespace
}  // namespace oriel::coverage::test
