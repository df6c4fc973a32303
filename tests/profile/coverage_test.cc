// Merging of coverage: blocks of a log, and logs of several processes.
#include <gtest/gtest.h>

#include <sstream>
#include <utility>
#include <vector>

#include "profile/build/builder.h"
#include "profile/build/coverage_blocks.h"
#include "profile/merge.h"

namespace oriel::profile {
namespace {

const std::string kShop(32, 'a'), kTests(32, 'b');

void write(const std::vector<CoverageHit>& hits, std::ostream& out) {
  for (const CoverageHit& hit : hits) {
    out << ' ' << hit.il;
    if (hit.is_outcome) out << ':' << hit.outcome;
    out << 'x' << hit.count;
  }
  out << ';';
}

std::string text(const std::vector<CoveredMethod>& methods) {
  std::ostringstream out;
  for (const CoveredMethod& method : methods) {
    out << method.image << '/' << method.row << method.name << ':';
    write(method.hits, out);
  }
  return out.str();
}

// "First 0/7: …"
std::string text_of_tests(const Tables& tables) {
  std::ostringstream out;
  for (const CoveredByTest& part : tables.covered_by_tests) {
    const CoveredMethod& method = tables.covered_methods[part.method];
    out << tables.covered_tests[part.test].name << ' ' << method.image << '/' << method.row << ':';
    write(part.hits, out);
  }
  return out.str();
}

Profile loaded(const std::vector<log::Coverage>& blocks) {
  Builder builder;
  for (const log::Coverage& block : blocks) builder.on_coverage(block);
  return builder.finish({});
}

log::Coverage block(std::string label, bool counts, uint64_t times) {
  log::Coverage made{std::move(label), 0, counts, {}, {}};
  made.images = {{1, "Shop.dll", "/srv/Shop.dll", kShop, "", ""}};
  made.methods = {{1, 7, "", {{false, 0, 0, times}, {true, 4, 0, 0}, {true, 4, 1, times}}}};
  return made;
}

// The hits of a program's code compress to a hundredth, and all of them are kept.
TEST(Coverage, OfALargeProgramIsWholeHoweverSmallItsLog) {
  log::Coverage large = block("Test", true, 1);
  large.methods.clear();
  for (uint32_t row = 1; row <= 5'000; ++row)
    large.methods.push_back({1, row, "", std::vector<CoverageHit>(50, {false, row, 0, 1})});
  for (log::MethodHits& method : large.methods)
    for (uint32_t i = 0; i < method.points.size(); ++i) method.points[i].il = 5 * i;
  MemoryLimit limit;
  limit.open(1);
  CoverageBlocks blocks;
  Tables tables;
  blocks.add(std::move(large), limit, tables);
  EXPECT_EQ(limit.left_out(), 0u);
  EXPECT_EQ(tables.covered_by_tests.size(), 5'000u);
}

TEST(Coverage, OfBlocksAddsUp) {
  const Profile profile =
      loaded({block("", true, 2), block("Second", true, 4), block("First", true, 3), block("First", true, 5)});
  EXPECT_TRUE(has_counts(profile.covered_images));
  ASSERT_EQ(profile.covered_images.size(), 1u);
  EXPECT_EQ(profile.covered_images[0].path, "/srv/Shop.dll");
  EXPECT_EQ(text(profile.covered_methods), "0/7: 0x14 4:0x0 4:1x14;");
  EXPECT_EQ(text_of_tests(profile), "First 0/7: 0x8 4:0x0 4:1x8;Second 0/7: 0x4 4:0x0 4:1x4;");
}

TEST(Coverage, HitsDoNotBecomeCounts) {
  const Profile profile = loaded({block("", true, 2), block("First", false, 1)});
  EXPECT_FALSE(has_counts(profile.covered_images));
  EXPECT_EQ(text(profile.covered_methods), "0/7: 0x1 4:0x0 4:1x1;");
  EXPECT_FALSE(has_counts({}));
  // Nor do counts of another assembly.
  log::Coverage tests = block("", true, 9);
  tests.images[0].mvid = kTests;
  std::vector<Profile> parts;
  parts.push_back(loaded({tests}));
  parts.push_back(loaded({block("First", false, 1)}));
  EXPECT_EQ(text(parts[0].covered_methods), "0/7: 0x9 4:0x0 4:1x9;");
  EXPECT_EQ(text(merge(std::move(parts)).covered_methods), "0/7: 0x1 4:0x0 4:1x1;1/7: 0x1 4:0x0 4:1x1;");
}

TEST(Coverage, CountsDoNotWrapAround) {
  const Profile profile = loaded({block("", true, UINT64_MAX - 1), block("", true, 7)});
  EXPECT_EQ(profile.covered_methods[0].hits[0].count, UINT64_MAX);
}

TEST(Coverage, OfMethodsThatWereCompiledAgainHasThePlacesOfAllCode) {
  log::Coverage again = block("", true, 1);
  again.methods[0].points = {{false, 9, 0, 3}, {false, 2, 0, 1}, {false, 0, 0, 4}, {false, 2, 0, 1}};
  EXPECT_EQ(text(loaded({again}).covered_methods), "0/7: 0x4 2x2 9x3;");
  EXPECT_EQ(text(loaded({block("", true, 1), again}).covered_methods), "0/7: 0x5 2x2 4:0x0 4:1x1 9x3;");
}

TEST(Coverage, OfProcessesMergesByVersionOfAssemblies) {
  std::vector<Profile> parts;
  for (uint64_t i = 0; i < 3; ++i) {
    log::Coverage one = block(i == 2 ? "Last" : "One", true, i + 1);
    if (i == 1) {
      // Another process, with other images before this one, which is loaded from memory.
      one.images = {{1, "Tests.dll", "/srv/Tests.dll", kTests, "", ""}, {2, "Shop.dll", "", kShop, "", ""}};
      one.methods[0].image = 2;
      one.methods.push_back({1, 1, "", {{false, 0, 0, 9}}});
    }
    if (i == 2) one.images[0].mvid = std::string(32, 'c');  // a new build
    parts.push_back(loaded({one}));
  }
  // Whichever of them is first: it has the image from memory, or from its file.
  std::swap(parts[0], parts[1]);
  const Profile merged = merge(std::move(parts));
  ASSERT_EQ(merged.covered_images.size(), 3u);
  EXPECT_EQ(merged.covered_images[1].path, "/srv/Shop.dll");
  EXPECT_EQ(text(merged.covered_methods), "0/1: 0x9;1/7: 0x3 4:0x0 4:1x3;2/7: 0x3 4:0x0 4:1x3;");
  EXPECT_EQ(text_of_tests(merged), "Last 2/7: 0x3 4:0x0 4:1x3;One 0/1: 0x9;One 1/7: 0x3 4:0x0 4:1x3;");
}

TEST(Coverage, OfWhatIsMadeUpIsLeftOut) {
  log::Coverage made_up = block("", true, 1);
  made_up.methods[0].image = 9;
  EXPECT_TRUE(loaded({made_up}).covered_methods.empty());
}

TEST(Coverage, AsBlocksAgainAddsUpToTheSame) {
  const Profile profile = loaded({block("", true, 2), block("Second", true, 4), block("First", true, 3)});
  const std::vector<log::Coverage> blocks = blocks_of(profile);
  ASSERT_EQ(blocks.size(), 3u);
  EXPECT_EQ(blocks[0].methods[0].points[0].count, 2u) << "without the tests'";
  EXPECT_EQ(blocks[1].label, "First");
  const Profile again = loaded(blocks);
  EXPECT_EQ(text(again.covered_methods), text(profile.covered_methods));
  EXPECT_EQ(text_of_tests(again), text_of_tests(profile));
}

}  // namespace
}  // namespace oriel::profile
