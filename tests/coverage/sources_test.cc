// Texts and addresses of covered files, as PDBs tell them: none of it is trusted.
#include "coverage/sources.h"

#include <gtest/gtest.h>

#include <string>

#include "coverage/source_links.h"

namespace oriel::coverage {
namespace {

TEST(SourceText, HasTheLinesOfWhatThePdbHas) {
  const File file{"/a.cs",
                  {},
                  "",
                  "\xef\xbb\xbf"
                  "one\r\n\ntwo",
                  {}};
  const SourceText source = source_of(file);
  ASSERT_EQ(source.lines.size(), 3u);
  EXPECT_EQ(source.lines[0], "one");
  EXPECT_EQ(source.lines[1], "");
  EXPECT_EQ(source.lines[2], "two");
}

// A line takes sixteen bytes, whatever is in it.
TEST(SourceText, HasNoMoreLinesThanASourceOfItsSize) {
  const File file{"/a.cs", {}, "", std::string(8'000'000, '\n'), {}};
  EXPECT_EQ(source_of(file).lines.size(), 600'000u);
}

TEST(SourceLinks, AreNoLongerThanAddressesMayBe) {
  const auto url_of = [](size_t size) {
    return SourceLinks(R"({"documents": {"/src/*": "https://)" + std::string(size, 'u') + R"(/*"}})")
        .url_of("/src/a.cs");
  };
  EXPECT_EQ(url_of(3), "https://uuu/a.cs");
  EXPECT_EQ(url_of(3000), "") << "all files of an assembly would have it";
  EXPECT_EQ(url_of(300'000), "");
}

}  // namespace
}  // namespace oriel::coverage
