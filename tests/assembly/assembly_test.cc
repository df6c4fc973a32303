#include "assembly/assembly.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "assembly/names.h"
#include "il/decode.h"
#include "paths.h"

namespace oriel::assembly {
namespace {

namespace fs = std::filesystem;

const fs::path kLines = fs::path(test_paths::targets) / "lines/lines.dll";

std::vector<uint8_t> bytes_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Beside the command, whatever their version.
fs::path framework_assembly(const std::string& name) {
  const fs::path shared = fs::canonical(test_paths::dotnet).parent_path() / "shared/Microsoft.NETCore.App";
  for (const auto& version : fs::directory_iterator(shared))
    if (fs::exists(version.path() / name)) return version.path() / name;
  return {};
}

struct OfCompiler : testing::Test {
  void SetUp() override {
    if (!fs::exists(kLines)) GTEST_SKIP() << "dotnet is not installed";
  }
};

std::set<std::string> written_methods(const Assembly& assembly) {
  std::set<std::string> names;
  for (uint32_t row = 1; row <= assembly.method_count(); ++row) {
    const SourceMethod method = source_method(assembly, row);
    names.insert(source_type(assembly, method.type) + "." + method.name + method.parameters);
  }
  return names;
}

TEST_F(OfCompiler, TellsItselfItsTypesAndItsMethods) {
  const Result<Assembly> assembly = Assembly::open(kLines);
  ASSERT_TRUE(assembly) << assembly.message();
  EXPECT_EQ(assembly->name(), "lines");
  EXPECT_EQ(assembly->mvid().size(), 32u);
  EXPECT_TRUE(std::ranges::count(assembly->references(), "System.Runtime"));
  ASSERT_TRUE(assembly->debug_directory());
  EXPECT_EQ(fs::path(assembly->debug_directory()->pdb_path).filename(), "lines.pdb");
  EXPECT_TRUE(assembly->type(0).name.empty());
  EXPECT_TRUE(assembly->type(1u << 20).name.empty());
  EXPECT_TRUE(assembly->method(1u << 20).name.empty());
}

TEST_F(OfCompiler, MethodsAreNamedAsPeopleWroteThem) {
  const Result<Assembly> assembly = Assembly::open(kLines);
  ASSERT_TRUE(assembly);
  const std::set<std::string> names = written_methods(*assembly);
  const auto has = [&](std::string_view part) {
    return std::ranges::any_of(names, [&](const std::string& name) { return name.find(part) != std::string::npos; });
  };
  EXPECT_TRUE(has(".lambda#"));
  EXPECT_FALSE(has("MoveNext"));
  EXPECT_FALSE(has("<>c__DisplayClass"));
}

TEST_F(OfCompiler, AttributesOfTheWholeAndOfMethods) {
  const Result<Assembly> assembly = Assembly::open(kLines);
  ASSERT_TRUE(assembly);
  std::set<std::string> of_all;
  for (const Attribute& attribute : assembly->attributes(Assembly::kWholeAssembly)) of_all.insert(attribute.type);
  EXPECT_TRUE(of_all.contains("System.Runtime.Versioning.TargetFrameworkAttribute"));
  EXPECT_TRUE(assembly->attributes(0).empty());
}

TEST_F(OfCompiler, BodiesAreDecodedWithTheEffectOfTheirCalls) {
  const Result<Assembly> assembly = Assembly::open(kLines);
  ASSERT_TRUE(assembly);
  size_t bodies = 0;
  for (uint32_t row = 1; row <= assembly->method_count(); ++row) {
    if (!assembly->method(row).has_il) continue;
    Result<il::Body> body = il::decode(assembly->body(row));
    ASSERT_TRUE(body) << body.message();
    const il::StackDepths depths = il::compute_stack(*body, assembly->facts(row, body->locals_token));
    EXPECT_TRUE(depths.problem) << depths.problem.message();
    EXPECT_TRUE(depths.exact);
    ++bodies;
  }
  EXPECT_GT(bodies, 5u);
}

// Forty thousand methods, generic and nested types, tables of every width.
TEST_F(OfCompiler, TheFrameworkIsReadWhole) {
  const fs::path path = framework_assembly("System.Private.CoreLib.dll");
  ASSERT_FALSE(path.empty());
  const Result<Assembly> assembly = Assembly::open(path);
  ASSERT_TRUE(assembly) << assembly.message();
  const std::set<std::string> names = written_methods(*assembly);
  EXPECT_GT(assembly->method_count(), 30'000u);
  for (const char* name :
       {"string.Join(string, string[])", "System.Collections.Generic.Dictionary<TKey, TValue>.Add(TKey, TValue)",
        "System.Threading.Monitor.Exit(object)", "System.IO.Stream.CopyToAsync(Stream, int, CancellationToken)"})
    EXPECT_TRUE(names.contains(name)) << name;
  uint32_t accessors = 0;
  for (uint32_t row = 1; row <= assembly->method_count(); ++row)
    if (assembly->method(row).name == "get_Length" && assembly->accessed_by(row) >> 24 == 0x17) ++accessors;
  EXPECT_GT(accessors, 20u);
}

TEST_F(OfCompiler, CutShortOrDamagedAnywhereItIsRefusedOrRead) {
  const std::vector<uint8_t> whole = bytes_of(kLines);
  for (size_t at = 0; at < whole.size(); at += 61) {
    std::vector<uint8_t> damaged = whole;
    damaged[at] ^= 0xff;
    for (const auto& bytes :
         {damaged, std::vector<uint8_t>(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(at))}) {
      const Result<Assembly> assembly = Assembly::parse(bytes);
      if (assembly) written_methods(*assembly);
      EXPECT_TRUE(assembly || !assembly.message().empty());
    }
  }
}

TEST(NoAssembly, IsSaid) {
  EXPECT_EQ(Assembly::open("/nowhere/Shop.dll").message(), "it is not on this machine");
  EXPECT_EQ(Assembly::open("/proc/self/exe").message(), "it is not an assembly");
  EXPECT_EQ(Assembly::parse({}).message(), "it is not an assembly");
}

}  // namespace
}  // namespace oriel::assembly
