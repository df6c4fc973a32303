// Merging of coverage: blocks of a log, and logs of several processes.
#include <gtest/gtest.h>

#include <sstream>

#include "profile/build/builder.h"
#include "profile/build/coverage_sums.h"
#include "profile/merge.h"

namespace oriel::profile {
namespace {

const std::string kShop(32, 'a'), kTests(32, 'b');

std::string text(const std::vector<CoveredMethod>& methods) {
  std::ostringstream out;
  for (const CoveredMethod& method : methods) {
    out << method.image << '/' << method.row << method.name << ':';
    for (const CoverageHit& point : method.points) {
      out << ' ' << point.il;
      if (point.is_outcome) out << ':' << point.outcome;
      out << 'x' << point.count;
    }
    out << ';';
  }
  return out.str();
}

log::Coverage block(std::string label, bool counts, uint64_t times) {
  log::Coverage made{std::move(label), 0, counts, {}, {}};
  made.images = {{1, "Shop.dll", "/srv/Shop.dll", kShop, "", ""}};
  made.methods = {{1, 7, "", {{false, 0, 0, times}, {true, 4, 0, 0}, {true, 4, 1, times}}}};
  return made;
}

TEST(Coverage, OfBlocksAddsUp) {
  Builder builder;
  builder.on_coverage(block("", true, 2));
  builder.on_coverage(block("First", true, 3));
  builder.on_coverage(block("Second", true, 4));
  builder.on_coverage(block("First", true, 5));
  const Coverage coverage = builder.finish({}).coverage;
  EXPECT_TRUE(coverage.counts);
  ASSERT_EQ(coverage.images.size(), 1u);
  EXPECT_EQ(coverage.images[0].path, "/srv/Shop.dll");
  EXPECT_EQ(text(coverage.methods), "0/7: 0x14 4:0x0 4:1x14;");
  ASSERT_EQ(coverage.tests.size(), 2u);
  EXPECT_EQ(coverage.tests[0].name, "First");
  EXPECT_EQ(text(coverage.tests[0].methods), "0/7: 0x8 4:0x0 4:1x8;");
  EXPECT_EQ(text(coverage.tests[1].methods), "0/7: 0x4 4:0x0 4:1x4;");
}

TEST(Coverage, HitsDoNotBecomeCounts) {
  CoverageSums sums;
  sums.add(block("", true, 2));
  sums.add(block("", false, 1));
  const Coverage sum = sums.finish();
  EXPECT_FALSE(sum.counts);
  EXPECT_EQ(text(sum.methods), "0/7: 0x1 4:0x0 4:1x1;");
  EXPECT_FALSE(CoverageSums().finish().counts);
}

TEST(Coverage, CountsDoNotWrapAround) {
  CoverageSums sums;
  sums.add(block("", true, UINT64_MAX - 1));
  sums.add(block("", true, 7));
  EXPECT_EQ(sums.finish().methods[0].points[0].count, UINT64_MAX);
}

TEST(Coverage, OfProcessesMergesByVersionOfAssemblies) {
  std::vector<Profile> parts(3);
  for (size_t i = 0; i < 3; ++i) {
    log::Coverage one = block("", true, i + 1);
    if (i == 1) {
      // Another process, with other images before this one, which is loaded from memory.
      one.images = {{1, "Tests.dll", "/srv/Tests.dll", kTests, "", ""}, {2, "Shop.dll", "", kShop, "", ""}};
      one.methods[0].image = 2;
      one.methods.push_back({1, 1, "", {{false, 0, 0, 9}}});
    }
    if (i == 2) one.images[0].mvid = std::string(32, 'c');  // a new build
    Builder builder;
    builder.on_coverage(one);
    parts[i] = builder.finish({});
  }
  const Coverage merged = merge(std::move(parts)).coverage;
  ASSERT_EQ(merged.images.size(), 3u);
  EXPECT_EQ(text(merged.methods), "0/7: 0x3 4:0x0 4:1x3;1/1: 0x9;2/7: 0x3 4:0x0 4:1x3;");
}

TEST(Coverage, OfWhatIsMadeUpIsLeftOut) {
  log::Coverage made_up = block("", true, 1);
  made_up.methods[0].image = 9;
  Builder builder;
  builder.on_coverage(made_up);
  EXPECT_TRUE(builder.finish({}).coverage.empty());
}

}  // namespace
}  // namespace oriel::profile
