#include "locate.h"

#include <gtest/gtest.h>

#include "temp_folder.h"

namespace oriel::cli {
namespace {

TEST(FindEngine, BesideTheProgramAsBuiltAndAsInstalled) {
  TempFolder folder;
  std::filesystem::create_directory(folder.path() + "/bin");
  const auto missing = find_engine_from(folder.path() + "/bin");
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.message().find(folder.path() + "/lib/liboriel.so."), std::string::npos);
  const std::string engine = folder.write("lib/liboriel.so." ORIEL_SOVERSION, "");
  const auto found = find_engine_from(folder.path() + "/bin");
  ASSERT_TRUE(found);
  EXPECT_EQ(*found, engine);
}

TEST(FindModule, AsTheEngineWillFindIt) {
  TempFolder folder;
  const std::string engine = folder.path() + "/lib/liboriel.so";
  const std::string file = folder.write("mods/liboriel-mine.so", "");
  const auto found = find_module("mine:a,b:c", engine, "/nowhere:" + folder.path() + "/mods");
  ASSERT_TRUE(found) << found.message();
  EXPECT_EQ(found->description, "mine:a,b:c");
  EXPECT_EQ(found->name, "mine");
  EXPECT_EQ(found->args, "a,b:c");
  EXPECT_EQ(found->file, file);
  const std::string inside = folder.write("lib/oriel/liboriel-mine.so", "");
  EXPECT_EQ(find_module("mine", engine, folder.path() + "/mods")->file, inside);
  const std::string beside = folder.write("lib/liboriel-mine.so", "");
  EXPECT_EQ(find_module("mine", engine, folder.path() + "/mods")->file, beside);
}

TEST(FindModule, ByPathWithColonsInIt) {
  TempFolder folder;
  const std::string file = folder.write("a:b/liboriel-mine.so", "");
  const auto found = find_module(file + ":x:y", "", "");
  ASSERT_TRUE(found) << found.message();
  EXPECT_EQ(found->name, "mine");
  EXPECT_EQ(found->file, file);
  EXPECT_EQ(found->description, file + ":x:y");
}

TEST(FindModule, SaysWhereItLooked) {
  TempFolder folder;
  const auto missing = find_module("none", folder.path() + "/liboriel.so", "/first:/second");
  ASSERT_FALSE(missing);
  for (const std::string& part :
       {std::string("liboriel-none.so"), folder.path(), std::string("/first"), std::string("/second")}) {
    EXPECT_NE(missing.message().find(part), std::string::npos) << part;
  }
  for (const char* wrong : {"", ":x", "a b", "./mine.so", "./liboriel-none.so", "a;b"}) {
    EXPECT_FALSE(find_module(wrong, "/liboriel.so", "")) << wrong;
  }
}

TEST(TryModule, RefusesWhatIsNoLibrary) {
  TempFolder folder;
  const std::string file = folder.write("liboriel-text.so", "no library");
  const Status status = try_module({file, "text", "text", "", file}, "libc.so.6");
  ASSERT_FALSE(status);
  EXPECT_NE(status.message().find("text"), std::string::npos);
  const Status no_module = try_module({"libm.so.6", "m", "m", "", "libm.so.6"}, "libc.so.6");
  ASSERT_FALSE(no_module);
  EXPECT_NE(no_module.message().find("oriel_api_version_m"), std::string::npos);
}

}  // namespace
}  // namespace oriel::cli
