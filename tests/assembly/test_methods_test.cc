// Tests as attributes tell them, of tests/targets/lines/Facts.cs.
#include "assembly/test_methods.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace oriel::assembly {
namespace {

const std::filesystem::path kLines = std::filesystem::path(TARGETS) / "lines/lines.dll";

TEST(TestMethods, AreThoseWithAttributesOfFrameworksAndWhatDerivesFromThem) {
  if (!std::filesystem::exists(kLines)) GTEST_SKIP() << "dotnet is not installed";
  const Result<Assembly> lines = Assembly::open(kLines.string());
  ASSERT_TRUE(lines) << lines.message();
  const auto name_of = [&](uint32_t row) {
    return lines->full_name(uint32_t{0x02} << 24 | lines->method(row).type) + "." + lines->method(row).name;
  };
  std::map<TestRole, std::set<std::string>> found;
  std::string later, body_of;
  for (const TestMethod& method : test_methods(*lines, [](const std::string&) { return nullptr; })) {
    if (method.ends_later) later = name_of(method.row);
    if (method.role == TestRole::kTestsBody) body_of = name_of(method.test);
    found[method.role].insert(name_of(method.row));
  }
  EXPECT_EQ(found[TestRole::kTest],
            (std::set<std::string>{"Facts.OfXunit.Fact", "Facts.OfXunit.Slow", "Facts.OfXunit.Waits",
                                   "Facts.OfXunit+Nested.Inner", "Facts.OfNUnit.Case"}));
  EXPECT_EQ(found[TestRole::kBefore],
            (std::set<std::string>{"Facts.OfXunit..ctor", "Facts.OfXunit+Nested..ctor", "Facts.OfNUnit..ctor",
                                   "Facts.OfNUnit.Prepare", "Facts.Shelf..ctor"}));
  EXPECT_EQ(found[TestRole::kTestsBody].size(), 1u);
  EXPECT_EQ(later, "Facts.OfXunit.Waits");
  EXPECT_EQ(body_of, later);
  EXPECT_FALSE(is_of_tests(*lines)) << "it refers to no framework";
}

}  // namespace
}  // namespace oriel::assembly
