#include "run/program.h"

#include <gtest/gtest.h>

#include "exit_codes.h"
#include "temp_folder.h"

namespace oriel::cli {
namespace {

TEST(SdkVerb, OnlyVerbsThatStartOtherProcesses) {
  EXPECT_EQ(sdk_verb({"dotnet", "run"}), "run");
  EXPECT_EQ(sdk_verb({"dotnet", "help"}), "");
  EXPECT_EQ(sdk_verb({"dotnet", "new", "console"}), "");
  EXPECT_EQ(sdk_verb({"dotnet", "--info"}), "");
  EXPECT_EQ(sdk_verb({"dotnet", "run.dll"}), "");
  EXPECT_EQ(sdk_verb({"dotnet", "/opt/shop/shop"}), "");
  EXPECT_EQ(sdk_verb({"dotnet", "ef", "migrations"}), "ef") << "a tool of its own";
  EXPECT_EQ(sdk_verb({"dotnet", "./shop.cs"}), "./shop.cs") << "is built and run";
  EXPECT_EQ(sdk_verb({"make", "build"}), "");
}

TEST(FindExecutable, FollowsTheSearchPath) {
  TempFolder folder;
  folder.write("one/tool", "");
  const std::string second = folder.write("two/tool", "#!/bin/sh\n", true);
  const std::string path = folder.path() + "/none:" + folder.path() + "/one:" + folder.path() + "/two";
  EXPECT_EQ(find_executable("tool", path).path, second);
  EXPECT_EQ(find_executable("tool", path).exit_code, 0);
  EXPECT_TRUE(is_script(second));
}

TEST(Launcher, IsWhatStartsOtherPrograms) {
  TempFolder folder;
  EXPECT_TRUE(is_launcher(folder.write("start", "#!/bin/sh\n", true)));
  EXPECT_TRUE(is_launcher("/usr/bin/make"));
  EXPECT_FALSE(is_launcher(folder.write("shop",
                                        "\x7f"
                                        "ELF",
                                        true)));
  EXPECT_FALSE(is_launcher("/usr/bin/dotnet"));
}

TEST(FindExecutable, TellsMissingFromNotExecutable) {
  TempFolder folder;
  const std::string plain = folder.write("plain", "");
  const std::string assembly = folder.write("Shop.dll", "");
  EXPECT_EQ(find_executable("plain", folder.path()).exit_code, kNotExecutable);
  EXPECT_EQ(find_executable(plain, "").exit_code, kNotExecutable);
  EXPECT_EQ(find_executable(folder.path(), "").exit_code, kNotExecutable);
  EXPECT_NE(find_executable(assembly, "").message.find("oriel run -- dotnet"), std::string::npos);
  const Executable missing = find_executable("no-such-tool", folder.path());
  EXPECT_EQ(missing.exit_code, kNotFound);
  EXPECT_NE(missing.message.find("no-such-tool"), std::string::npos);
  EXPECT_EQ(find_executable("", folder.path()).exit_code, kNotFound);
}

}  // namespace
}  // namespace oriel::cli
