#include "base/files/descriptor.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <vector>

namespace oriel {
namespace {

int lowest_free() {
  const int file = dup(STDERR_FILENO);
  close(file);
  return file;
}

TEST(OpenOutOfTheWay, LeavesTheLowNumbersToTheProgram) {
  const int before = lowest_free();
  const int file = open_with_high_number("/dev/null", O_RDONLY);
  EXPECT_EQ(lowest_free(), before);
  EXPECT_GT(file, before + 8);
  EXPECT_EQ(fcntl(file, F_GETFD), FD_CLOEXEC);
  const int second = open_with_high_number("/dev/null", O_RDONLY);
  EXPECT_EQ(second, file - 1);
  close(file);
  close(second);
}

TEST(OpenOutOfTheWay, KeepsToTheLimit) {
  rlimit limit{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
  const rlimit few{40, limit.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
  const int file = open_with_high_number("/dev/null", O_RDONLY);
  EXPECT_EQ(file, 39);
  std::vector<int> files{file};
  for (int more; (more = open_with_high_number("/dev/null", O_RDONLY)) >= 0;) files.push_back(more);
  EXPECT_EQ(errno, EMFILE);
  EXPECT_GT(files.size(), 30u);
  for (const int open : files) close(open);
  setrlimit(RLIMIT_NOFILE, &limit);
}

TEST(OpenOutOfTheWay, FailsAsOpenDoes) {
  EXPECT_EQ(open_with_high_number("/no/such/file", O_RDONLY), -1);
  EXPECT_EQ(errno, ENOENT);
}

}  // namespace
}  // namespace oriel
