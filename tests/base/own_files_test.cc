#include "base/files/own_files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <future>
#include <thread>

namespace oriel {
namespace {

struct Way {
  const char* name;
  bool (*take)(int keep);
};

class OwnFiles : public testing::TestWithParam<Way> {
 protected:
  // On a thread that has taken files of its own.
  void there(const std::function<void()>& body, int keep = -1) {
    std::thread([&] {
      ASSERT_TRUE(GetParam().take(keep));
      body();
    }).join();
  }
};

TEST_P(OwnFiles, AreNone) {
  there([] {
    for (int file = 0; file < 256; ++file) EXPECT_EQ(fcntl(file, F_GETFD), -1) << file;
  });
}

TEST_P(OwnFiles, TakeNoNumberOfThePrograms) {
  there([] {
    const int file = open("/dev/null", O_RDONLY);
    EXPECT_EQ(file, 0);
    std::thread([&] { EXPECT_EQ(fcntl(file, F_GETFD), 0) << "threads share their starter's"; }).join();
  });
  EXPECT_EQ(fcntl(STDERR_FILENO, F_GETFD), 0);
}

TEST_P(OwnFiles, KeepWhatIsAskedFor) {
  const int file = open("/dev/zero", O_RDONLY);
  struct stat here {
  }, kept{};
  ASSERT_EQ(fstat(file, &here), 0);
  there(
      [&] {
        EXPECT_EQ(fstat(file, &kept), 0);
        EXPECT_EQ(kept.st_rdev, here.st_rdev);
        for (int other = 0; other < 256; ++other) EXPECT_EQ(fcntl(other, F_GETFD) < 0, other != file) << other;
      },
      file);
  EXPECT_EQ(close(file), 0);
}

// A copy of an end would keep who reads the other one waiting.
TEST_P(OwnFiles, AreNoneOfTheProgramsPipes) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  std::promise<void> taken, closed;
  std::thread closer([&] {
    taken.get_future().wait();
    EXPECT_EQ(close(ends[1]), 0);
    char none = 0;
    EXPECT_EQ(read(ends[0], &none, 1), 0);
    closed.set_value();
  });
  there([&] {
    taken.set_value();
    EXPECT_EQ(closed.get_future().wait_for(std::chrono::seconds(30)), std::future_status::ready);
  });
  closer.join();
  close(ends[0]);
}

INSTANTIATE_TEST_SUITE_P(, OwnFiles,
                         testing::Values(Way{"AtOnce", unshare_descriptors},
                                         Way{"OneByOne", internal::take_own_files_one_by_one}),
                         [](const auto& way) { return way.param.name; });

}  // namespace
}  // namespace oriel
