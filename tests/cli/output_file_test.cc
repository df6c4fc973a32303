#include "output_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <iterator>

#include "temp_folder.h"

namespace oriel::cli {
namespace {

namespace fs = std::filesystem;

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

Status put(const std::string& path, const std::string& text) {
  return write_output(path, [&](const std::string& place) {
    std::ofstream(place) << text;
    return Status::ok();
  });
}

TEST(OutputFile, OfTwoThatWriteItAtOnceEachIsWhole) {
  TempFolder folder;
  const std::string path = folder.path() + "/out.json";
  const Status outer = write_output(path, [&](const std::string& place) {
    std::ofstream file(place);
    file << "begun, " << std::flush;
    EXPECT_TRUE(put(path, "the other's"));
    EXPECT_EQ(text_of(path), "the other's");
    file << "ended";
    return Status::ok();
  });
  EXPECT_TRUE(outer);
  EXPECT_EQ(text_of(path), "begun, ended");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1);
}

TEST(OutputFile, WhatFailsLeavesWhatWasThere) {
  TempFolder folder;
  const std::string path = folder.write("out.json", "before");
  const Status failed = write_output(path, [](const std::string& place) {
    std::ofstream(place) << "half";
    return Status::error("no more room");
  });
  EXPECT_FALSE(failed);
  EXPECT_EQ(text_of(path), "before");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1);
}

// While the place is checked, another process may create its file there.
TEST(OutputFile, ToAskWhetherItCanBeWrittenRemovesNothing) {
  TempFolder folder;
  const std::string path = folder.path() + "/out.json";
  EXPECT_TRUE(check_writable(path));
  EXPECT_TRUE(fs::is_empty(folder.path()));
  ASSERT_TRUE(put(path, "mine"));
  EXPECT_TRUE(check_writable(path));
  EXPECT_EQ(text_of(path), "mine");
  EXPECT_EQ(check_writable(folder.path()).message(), "'" + folder.path() + "' is a folder; name a file in it");
}

TEST(OutputFile, IsNoneOfTheFilesThatAreRead) {
  TempFolder folder;
  const std::string log = folder.path() + "/log", link = folder.path() + "/link", other = folder.path() + "/other";
  ASSERT_TRUE(put(log, "recorded"));
  ASSERT_TRUE(put(other, "recorded"));
  fs::create_symlink("log", link);
  for (const std::string& output : {log, link, folder.path() + "/./log"})
    EXPECT_FALSE(check_not_read(output, {other, log})) << output;
  for (const std::string& output : {folder.path() + "/new", std::string("-"), std::string()})
    EXPECT_TRUE(check_not_read(output, {other, log})) << output;
  EXPECT_TRUE(check_not_read(other, {log, folder.path() + "/gone"}));
}

TEST(OutputFile, KeepsItsPermissionsAndLinks) {
  TempFolder folder;
  const std::string path = folder.write("real.json", "before");
  ASSERT_EQ(chmod(path.c_str(), 0640), 0);
  fs::create_symlink("real.json", folder.path() + "/link.json");
  ASSERT_TRUE(put(folder.path() + "/link.json", "after"));
  EXPECT_TRUE(fs::is_symlink(folder.path() + "/link.json"));
  EXPECT_EQ(text_of(path), "after");
  struct stat about {};
  ASSERT_EQ(stat(path.c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777, 0640u);
  EXPECT_TRUE(put("/dev/null", "nothing"));
}

}  // namespace
}  // namespace oriel::cli
