#include <gtest/gtest.h>

#include <sstream>

#include "exports/build_profile.h"
#include "exports/export.h"
#include "exports/hostile.h"

namespace oriel::exports {
namespace {

using testing::ProfileBuilder;

std::string collapsed(const profile::Profile& profile, bool per_thread = false) {
  std::ostringstream out;
  const Export& format = **find_export("collapsed");
  const std::unique_ptr<Options> options = format.own({});
  if (per_thread) {
    EXPECT_TRUE(set_own_option("format", all_exports(), format, *options, "--per-thread", ""));
  }
  const Status status = write_export(format, profile, out, *options);
  EXPECT_TRUE(status) << status.message();
  return out.str();
}

ProfileBuilder two_threads() {
  ProfileBuilder builder;
  const uint32_t first = builder.thread("Main", 100), second = builder.thread("", 101);
  const uint32_t add = builder.named_stack({"Main", "Cart.Add"}),
                 sum = builder.named_stack({"Main", "Cart.Add", "Sum"});
  builder.sample(first, sum);
  builder.sample(first, add, 2);
  builder.sample(second, sum, 3);
  builder.sample(first, builder.named_stack({"Main", "B"}));
  return builder;
}

TEST(Collapsed, MergesThreads) {
  EXPECT_EQ(collapsed(two_threads().profile()),
            "Main;B 1\n"
            "Main;Cart.Add 2\n"
            "Main;Cart.Add;Sum 4\n");
}

TEST(Collapsed, KeepsThreadsApartOnDemand) {
  EXPECT_EQ(collapsed(two_threads().profile(), true),
            "Main;Main;B 1\n"
            "Main;Main;Cart.Add 2\n"
            "Main;Main;Cart.Add;Sum 1\n"
            "Thread 101;Main;Cart.Add;Sum 3\n");
}

TEST(Collapsed, ThreadsWithOneNameStayApart) {
  ProfileBuilder builder;
  const uint32_t leaf = builder.named_stack({"A"});
  for (const uint64_t id : {7, 8, 8}) builder.sample(builder.thread("Worker", id), leaf);
  EXPECT_EQ(collapsed(builder.profile(), true),
            "Worker (7);A 1\n"
            "Worker (8);A 1\n"
            "Worker (8) #3;A 1\n");
}

TEST(Collapsed, SaysWhereCallersOrStacksAreMissing) {
  ProfileBuilder builder;
  const uint32_t thread = builder.thread("T", 1);
  builder.sample(thread, 0, 2);
  builder.sample(thread, builder.stack({builder.function("memcpy"), builder.function("x")}, true));
  builder.sample(thread, builder.named_stack({"memcpy"}));
  EXPECT_EQ(collapsed(builder.profile()),
            "[callers not known];memcpy;x 1\n"
            "[stack could not be read] 2\n"
            "memcpy 1\n");
}

TEST(Collapsed, OneNameOneFrame) {
  ProfileBuilder builder;
  const uint32_t thread = builder.thread("T", 1);
  builder.profile().functions.push_back({"Main", "", "", true});
  builder.profile().functions.push_back({"Main", "", "", true});
  builder.sample(thread, builder.stack({1}));
  builder.sample(thread, builder.stack({2}));
  EXPECT_EQ(collapsed(builder.profile()), "Main 2\n");
}

TEST(Collapsed, RecursionStaysDeep) {
  ProfileBuilder builder;
  std::vector<std::string> deep(5000, "F");
  builder.sample(builder.thread("T", 1), builder.named_stack(deep));
  const std::string line = collapsed(builder.profile());
  EXPECT_EQ(std::count(line.begin(), line.end(), 'F'), 5000);
}

TEST(Collapsed, HostileNamesStayOneLineAndOneFrame) {
  ProfileBuilder builder;
  const uint32_t thread = builder.thread("T", 1);
  for (const std::string& name : testing::hostile_names()) builder.sample(thread, builder.named_stack({"Main", name}));
  std::istringstream lines(collapsed(builder.profile()));
  size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    EXPECT_EQ(std::count(line.begin(), line.end(), ';'), 1) << line;
    EXPECT_TRUE(line.ends_with(" 1")) << line;
  }
  EXPECT_EQ(count, testing::hostile_names().size());
}

TEST(Collapsed, NothingSampledIsNothing) {
  EXPECT_EQ(collapsed(profile::Profile()), "");
  EXPECT_EQ(collapsed(ProfileBuilder().profile()), "");
}

}  // namespace
}  // namespace oriel::exports
