#include "modules/control_group.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

namespace oriel::modules {
namespace {

constexpr const char* kFirstVersion = "33 31 0:30 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n";
constexpr const char* kSecondVersion = "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw\n";

// A folder with the system's files, as far as there are any.
class ControlGroup : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string folder = ::testing::TempDir() + "cpu-group-XXXXXX";
    ASSERT_NE(mkdtemp(folder.data()), nullptr);
    root_ = folder;
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  void write(const std::string& path, const std::string& text) {
    std::filesystem::create_directories(std::filesystem::path(root_ + path).parent_path());
    std::ofstream(root_ + path) << text;
  }
  // Cores' ticks of steal.
  void write_stat(int stolen) {
    write("/proc/stat", "cpu  1 2 3 4 5 6 7 " + std::to_string(stolen) + " 0 0\ncpu0 1 2 3 4 5 6 7 8 0 0\n");
  }
  static std::map<std::string, uint64_t> counters_of(const CpuGroup& group) {
    std::map<std::string, uint64_t> counters;
    for (const log::Counter& counter : group.counters()) counters[counter.name] = counter.count;
    return counters;
  }

  std::string root_;
};

TEST_F(ControlGroup, OfTheSecondVersionHasTheLeastLimitAroundIt) {
  write("/proc/self/cgroup", "0::/shop/worker\n");
  write("/proc/self/mountinfo", kSecondVersion);
  write("/sys/fs/cgroup/shop/cpu.max", "50000 100000\n");
  write("/sys/fs/cgroup/shop/cpu.stat", "usage_usec 9\nnr_periods 10\nnr_throttled 5\nthrottled_usec 700\n");
  write("/sys/fs/cgroup/shop/worker/cpu.max", "max 100000\n");
  write("/sys/fs/cgroup/shop/worker/cpu.stat", "usage_usec 9\nnr_periods 0\nnr_throttled 0\nthrottled_usec 0\n");
  write_stat(100);
  const CpuGroup group(root_);
  EXPECT_EQ(group.limit(), 0.5);
  write("/sys/fs/cgroup/shop/cpu.stat", "usage_usec 9\nnr_periods 210\nnr_throttled 145\nthrottled_usec 1700\n");
  write_stat(150);
  const std::map<std::string, uint64_t> expected = {
      {"cpu.periods", 200}, {"cpu.throttled", 140}, {"cpu.throttled-ns", 1'000'000}, {"cpu.stolen-ns", 500'000'000}};
  EXPECT_EQ(counters_of(group), expected);
}

TEST_F(ControlGroup, OfTheFirstVersionIsTheProcessorsOne) {
  write("/proc/self/cgroup", "9:name=systemd:/\n4:memory:/other\n3:cpu,cpuacct:/docker/abc\n1:cpuset:/\n0::/\n");
  // A container's own part of the hierarchy is mounted.
  write("/proc/self/mountinfo",
        std::string("31 30 0:28 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n") +
            "33 31 0:30 /docker/abc /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n");
  write("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "150000\n");
  write("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  write("/sys/fs/cgroup/cpu,cpuacct/cpu.stat", "nr_periods 1\nnr_throttled 1\nthrottled_time 5\n");
  const CpuGroup group(root_);
  EXPECT_EQ(group.limit(), 1.5);
  write("/sys/fs/cgroup/cpu,cpuacct/cpu.stat", "nr_periods 4\nnr_throttled 3\nthrottled_time 105\n");
  const std::map<std::string, uint64_t> expected = {
      {"cpu.periods", 3}, {"cpu.throttled", 2}, {"cpu.throttled-ns", 100}};
  EXPECT_EQ(counters_of(group), expected);
}

TEST_F(ControlGroup, WithoutALimitCountsNothing) {
  write("/proc/self/cgroup", "3:cpu:/\n0::/../../elsewhere\n");
  write("/proc/self/mountinfo", std::string(kFirstVersion) + kSecondVersion);
  write("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
  write("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  write("/sys/fs/cgroup/cpu.max", "max 100000\n");
  const CpuGroup group(root_);
  EXPECT_EQ(group.limit(), 0);
  EXPECT_TRUE(group.counters().empty());
}

TEST_F(ControlGroup, OfMemoryHasTheLeastLimitAroundIt) {
  write("/proc/self/cgroup", "0::/shop/worker\n");
  write("/proc/self/mountinfo", kSecondVersion);
  write("/sys/fs/cgroup/shop/memory.max", "50000000\n");
  write("/sys/fs/cgroup/shop/worker/memory.max", "max\n");
  EXPECT_EQ(memory_limit(root_), 50'000'000u);
  write("/proc/self/cgroup", "4:memory:/x\n0::/\n");
  write("/proc/self/mountinfo", "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
  write("/sys/fs/cgroup/memory/x/memory.limit_in_bytes", "7000\n");
  write("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(memory_limit(root_), 7000u);
}

TEST_F(ControlGroup, IsNoneWhereTheSystemDoesNotTell) {
  for (const char* text : {"", ":", "0", "0::", "a:b:c\n::::\n", "1:cpu:/x"}) {
    write("/proc/self/cgroup", text);
    for (const char* mounts : {"", "1 2 3", "- - -\n", "1 2 3 / /x rw - cgroup2", "1 2 3 / /x rw - cgroup c cpu"}) {
      write("/proc/self/mountinfo", mounts);
      write("/x/cpu.max", "7");
      write("/proc/stat", "cpu 1 2");
      const CpuGroup group(root_);
      EXPECT_EQ(group.limit(), 0);
      EXPECT_EQ(memory_limit(root_), 0u);
      EXPECT_TRUE(group.counters().empty());
    }
  }
}

}  // namespace
}  // namespace oriel::modules
