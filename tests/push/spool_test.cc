#include "push/spool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace oriel::push {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Then = Spool::Then;

class SpoolTest : public ::testing::Test {
 protected:
  SpoolTest() {
    std::string pattern = (fs::temp_directory_path() / "oriel-spool-XXXXXX").string();
    base_ = mkdtemp(pattern.data());
    folder_ = base_ + "/spool";
  }
  ~SpoolTest() override { fs::remove_all(base_); }

  Spool spool(uint64_t limit = 1'000'000) {
    Result<Spool> opened = Spool::open(folder_, limit);
    EXPECT_TRUE(opened) << opened.message();
    return std::move(*opened);
  }
  static Parcel parcel(const std::string& body, const std::string& url = "http://host/ingest") {
    return {url, "name=shop&from=1", "application/octet-stream", "gzip", body};
  }
  // The bodies that are delivered, each of which meets that fate.
  static std::vector<std::string> deliver(const Spool& from, Then then, const std::string& url = "http://host/ingest") {
    std::vector<std::string> bodies;
    from.deliver(url, [&](const Parcel& it) {
      bodies.push_back(it.body);
      return then;
    });
    return bodies;
  }
  std::vector<fs::path> files() {
    std::vector<fs::path> all;
    for (const auto& entry : fs::directory_iterator(folder_)) all.push_back(entry.path());
    return all;
  }

  std::string base_, folder_;
};

TEST_F(SpoolTest, KeepsAParcelWhole) {
  const std::string body("a\0b\n\ncd", 7);
  ASSERT_TRUE(spool().keep(parcel(body)));
  spool().deliver("http://host/ingest", [&](const Parcel& it) {
    EXPECT_EQ(it.body, body);
    EXPECT_EQ(it.url, "http://host/ingest");
    EXPECT_EQ(it.query, "name=shop&from=1");
    EXPECT_EQ(it.content_type, "application/octet-stream");
    EXPECT_EQ(it.content_encoding, "gzip");
    return Then::kRemove;
  });
  EXPECT_TRUE(files().empty());
}

TEST_F(SpoolTest, OnlyItsOwnerMayReadIt) {
  const mode_t before = umask(0);
  ASSERT_TRUE(spool().keep(parcel("x")));
  umask(before);
  struct stat state {};
  ASSERT_EQ(stat(files().at(0).c_str(), &state), 0);
  EXPECT_EQ(state.st_mode & 0777, 0600u);
  ASSERT_EQ(stat(folder_.c_str(), &state), 0);
  EXPECT_EQ(state.st_mode & 0777, 0700u);
}

TEST_F(SpoolTest, DeliversTheOldestFirstAndStops) {
  for (const char* body : {"first", "second", "third"}) ASSERT_TRUE(spool().keep(parcel(body)));
  EXPECT_THAT(deliver(spool(), Then::kStop), ElementsAre("first"));
  EXPECT_THAT(deliver(spool(), Then::kLeave), ElementsAre("first", "second", "third"));
  EXPECT_THAT(deliver(spool(), Then::kRemove), ElementsAre("first", "second", "third"));
  EXPECT_THAT(deliver(spool(), Then::kRemove), ElementsAre());
}

TEST_F(SpoolTest, DeliversToThatServerOnly) {
  ASSERT_TRUE(spool().keep(parcel("theirs", "http://other/ingest")));
  ASSERT_TRUE(spool().keep(parcel("ours")));
  EXPECT_THAT(deliver(spool(), Then::kRemove), ElementsAre("ours"));
  EXPECT_EQ(files().size(), 1u);
}

TEST_F(SpoolTest, DropsTheOldestAtItsLimit) {
  const std::string body(300, 'x');
  const uint64_t size = internal::text_of_parcel(parcel(body)).size();
  const Spool small = spool(3 * size);
  for (int i = 0; i < 3; ++i) {
    const auto kept = small.keep(parcel(std::to_string(i) + body.substr(1)));
    ASSERT_TRUE(kept);
    EXPECT_EQ(kept->parcels, 0u);
  }
  const auto kept = small.keep(parcel("3" + body.substr(1)));
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->parcels, 1u);
  EXPECT_EQ(kept->bytes, size);
  std::string first;
  for (const std::string& each : deliver(small, Then::kLeave)) first += each[0];
  EXPECT_EQ(first, "123");
}

TEST_F(SpoolTest, WhatIsLargerThanTheLimitIsNotKept) {
  const Spool small = spool(500);
  ASSERT_TRUE(small.keep(parcel("x")));
  const auto kept = small.keep(parcel(std::string(600, 'x')));
  ASSERT_FALSE(kept);
  EXPECT_THAT(kept.message(), HasSubstr("larger than --spool-limit"));
  EXPECT_EQ(files().size(), 1u);
}

TEST_F(SpoolTest, DamagedFilesGo) {
  ASSERT_TRUE(spool().keep(parcel("whole")));
  fs::resize_file(files().at(0), fs::file_size(files().at(0)) - 1);
  std::ofstream(folder_ + "/00000000000000000001-1-0.push") << "garbage";
  std::ofstream(folder_ + "/notes.txt") << "not ours";
  size_t seen = 0;
  EXPECT_EQ(spool().deliver("http://host/ingest", [&](const Parcel&) { return ++seen, Then::kLeave; }), 2u);
  EXPECT_EQ(seen, 0u);
  EXPECT_THAT(files(), ElementsAre(fs::path(folder_ + "/notes.txt")));
}

TEST_F(SpoolTest, WhatAnotherProcessSendsIsLeftToIt) {
  ASSERT_TRUE(spool().keep(parcel("x")));
  std::vector<std::string> inner{"not looked at"};
  spool().deliver("http://host/ingest", [&](const Parcel&) {
    inner = deliver(spool(), Then::kRemove);
    return Then::kRemove;
  });
  EXPECT_THAT(inner, ElementsAre());
}

TEST_F(SpoolTest, AFolderOfOthersIsRefused) {
  fs::create_directory(folder_);
  ASSERT_EQ(chmod(folder_.c_str(), 0777), 0);
  EXPECT_THAT(Spool::open(folder_, 1000).message(), HasSubstr("others may change it"));
  fs::create_directory_symlink(base_, base_ + "/link");
  EXPECT_THAT(Spool::open(base_ + "/link", 1000).message(), HasSubstr("no folder"));
  EXPECT_THAT(Spool::open(base_ + "/no/such", 1000).message(), HasSubstr("it cannot be made"));
}

TEST(SpoolFormat, WhatIsNotWholeIsNone) {
  const std::string text = internal::text_of_parcel({"http://h/ingest", "", "t", "", "body"});
  ASSERT_TRUE(internal::read_parcel(text));
  for (size_t size = 0; size < text.size(); ++size)
    EXPECT_FALSE(internal::read_parcel(std::string_view(text).substr(0, size))) << size;
  EXPECT_FALSE(internal::read_parcel(text + "x"));
}

}  // namespace
}  // namespace oriel::push
