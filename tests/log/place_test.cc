// A log's file: a new one each time, its writer's alone.
#include "log/place.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "log/sample_log.h"

namespace oriel::log {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

struct stat status_of(const std::string& path) {
  struct stat status {};
  EXPECT_EQ(lstat(path.c_str(), &status), 0) << path;
  return status;
}

class Place : public testing::Test {
 protected:
  Place() { fs::create_directories(folder_); }
  ~Place() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  const fs::path folder_ = fs::path(testing::TempDir()) / ("place-" + std::to_string(getpid()));
};

TEST_F(Place, OnlyItsOwnerReadsIt) {
  const auto file = create_log(path("x.oriel"));
  ASSERT_TRUE(file) << file.message();
  EXPECT_EQ(status_of(path("x.oriel")).st_mode & 0777u, 0600u);
  close(*file);
}

TEST_F(Place, AFinishedLogGivesWayToANewFile) {
  const ByteVector log = sample_log();
  const int old = open(path("x.oriel").c_str(), O_RDWR | O_CREAT, 0666);
  ASSERT_EQ(write(old, log.data(), log.size()), static_cast<ssize_t>(log.size()));
  const auto file = create_log(path("x.oriel"));
  ASSERT_TRUE(file) << file.message();
  struct stat before {};
  ASSERT_EQ(fstat(old, &before), 0);
  EXPECT_EQ(before.st_nlink, 0u);
  EXPECT_EQ(before.st_size, static_cast<off_t>(log.size())) << "who reads it still can";
  EXPECT_EQ(status_of(path("x.oriel")).st_size, 0);
  close(old);
  close(*file);
}

TEST_F(Place, NoTwoWriteOneLog) {
  const auto first = create_log(path("x.oriel"));
  ASSERT_TRUE(first) << first.message();
  const auto second = create_log(path("x.oriel"));
  ASSERT_FALSE(second);
  EXPECT_THAT(second.message(), HasSubstr("x.oriel' is being written by another process"));
  EXPECT_THAT(may_hold_log(path("x.oriel")).message(), HasSubstr("is being written"));
  close(*first);
  EXPECT_TRUE(may_hold_log(path("x.oriel")));
  const auto third = create_log(path("x.oriel"));
  EXPECT_TRUE(third) << third.message();
  if (third) close(*third);
}

struct Pipe {
  Pipe() { EXPECT_EQ(pipe(ends), 0); }
  void wait_for_close() {
    close(ends[1]);
    char none = 0;
    while (read(ends[0], &none, 1) > 0) continue;
  }
  int ends[2];
};

TEST_F(Place, OfManyAtOnceOneGetsIt) {
  constexpr int kProcesses = 20;
  for (int round = 0; round < 20; ++round) {
    Pipe start, results, end;
    for (int i = 0; i < kProcesses; ++i) {
      if (fork() != 0) continue;
      close(end.ends[1]);
      start.wait_for_close();
      const char got_it = create_log(path("x.oriel")) ? 1 : 0;
      if (write(results.ends[1], &got_it, 1) != 1) _exit(1);
      end.wait_for_close();  // so long it is being written
      _exit(0);
    }
    close(start.ends[1]);
    int winners = 0;
    for (int i = 0; i < kProcesses; ++i) {
      char got_it = 0;
      ASSERT_EQ(read(results.ends[0], &got_it, 1), 1);
      winners += got_it;
    }
    EXPECT_EQ(winners, 1);
    close(end.ends[1]);
    while (waitpid(-1, nullptr, 0) > 0) continue;
    for (const int file : {start.ends[0], results.ends[0], results.ends[1], end.ends[0]}) close(file);
  }
}

TEST_F(Place, ALinkIsNotFollowed) {
  fs::create_symlink("victim", path("x.oriel"));
  EXPECT_THAT(create_log(path("x.oriel")).message(), HasSubstr("x.oriel' is a link"));
  EXPECT_THAT(may_hold_log(path("x.oriel")).message(), HasSubstr("x.oriel' is a link"));
  EXPECT_FALSE(fs::exists(path("victim")));
}

TEST_F(Place, UnlessTheUserNamesItAndItIsTheUsersOwn) {
  fs::create_directory(folder_ / "there");
  fs::create_symlink("second", path("first"));
  fs::create_symlink("there/log.oriel", path("second"));
  EXPECT_EQ(*log_place(path("first")), fs::canonical(folder_ / "there").string() + "/log.oriel");
  EXPECT_EQ(*log_place(path("no-link")), path("no-link"));
  fs::create_symlink("round", path("round"));
  EXPECT_THAT(log_place(path("round")).message(), HasSubstr("lead nowhere"));
  fs::create_symlink("/dev/null", path("device"));
  EXPECT_THAT(log_place(path("device")).message(), HasSubstr("device' is not a file"));
  if (lchown(path("second").c_str(), 12345, 12345) != 0) GTEST_SKIP() << "only root gives files away";
  EXPECT_THAT(log_place(path("first")).message(), HasSubstr("first': it is another user's link"));
}

}  // namespace
}  // namespace oriel::log
