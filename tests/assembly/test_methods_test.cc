// Tests as attributes tell them, of tests/targets/origins/Facts.cs.
#include "assembly/test_methods.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "paths.h"

namespace oriel::assembly {
namespace {

const std::filesystem::path kOrigins = std::filesystem::path(test_paths::targets) / "origins/origins.dll";

TEST(TestMethods, AreThoseWithAttributesOfFrameworksAndWhatDerivesFromThem) {
  if (!std::filesystem::exists(kOrigins)) GTEST_SKIP() << "dotnet is not installed";
  const Result<Assembly> origins = Assembly::open(kOrigins.string());
  ASSERT_TRUE(origins) << origins.message();
  const auto name_of = [&](uint32_t row) {
    return origins->full_name(uint32_t{0x02} << 24 | origins->method(row).type) + "." + origins->method(row).name;
  };
  std::map<TestRole, std::set<std::string>> found;
  std::string later, body_of;
  for (const TestMethod& method : test_methods(*origins, [](const std::string&) { return nullptr; })) {
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
  EXPECT_FALSE(is_of_tests(*origins)) << "it refers to no framework";
}

}  // namespace
}  // namespace oriel::assembly
