// The callgraph and the coverage module, started and stopped while the program's threads call. Also run under TSan.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "lifecycle/running_program.h"

namespace oriel::scripted {
namespace {

std::string start_graph(const std::string& options) { return said(oriel_module_start_callgraph, options.c_str()); }
std::string apply_graph(const std::string& options) { return said(oriel_module_apply_callgraph, options.c_str()); }
std::string stop_graph() { return said(oriel_module_stop_callgraph); }

const std::string kAdded = "Add()", kPaid = "Pay()", kOpened = "Open()";

TEST(CallgraphModule, CountsAnewWhereverThreadsStoodBefore) {
  oriel_method* const add = method_named("Add");
  oriel_method* const pay = method_named("Pay");
  const std::string first = fresh_path("first.oriel"), second = fresh_path("second.oriel");
  ASSERT_EQ(start_graph("calls=Shop.*,out=" + first), "");
  ask_all_filters();
  for (int i = 0; i < 7; ++i) call(pay);
  enter(add);  // and stays in it
  call(pay);
  ASSERT_EQ(stop_graph(), "");
  call(pay);
  ASSERT_EQ(start_graph("calls=Shop.*,out=" + second), "");
  ask_all_filters();
  for (int i = 0; i < 3; ++i) call(pay);
  leave(add);
  call(pay);
  ASSERT_EQ(stop_graph(), "");
  const Contents before = read_log(first), after = read_log(second);
  EXPECT_EQ(before.calls.at(kPaid), 8u);
  EXPECT_EQ(before.callers.at(kAdded + ">" + kPaid), 1u);
  EXPECT_EQ(after.calls.at(kPaid), 4u);
  EXPECT_FALSE(after.calls.contains(kAdded));
  EXPECT_TRUE(after.callers.empty());
}

TEST(CallgraphModule, OfOtherMethodsIsAnotherFile) {
  oriel_method* const add = method_named("Add");
  oriel_method* const open = method_named("Open");
  const std::string path = fresh_path("methods.oriel");
  ASSERT_EQ(start_graph("calls=Shop.*,out=" + path), "");
  ASSERT_EQ(apply_graph("calls=Shop.*"), "") << "which changes nothing";
  EXPECT_FALSE(std::filesystem::exists(fresh_path("methods-2.oriel")));
  ask_all_filters();
  call(add), call(open);
  ASSERT_EQ(apply_graph("calls=Other.*,alloc"), "");
  ask_all_filters();
  call(add), call(open);
  ASSERT_EQ(stop_graph(), "");
  const Contents before = read_log(path), after = read_log(fresh_path("methods-2.oriel"));
  EXPECT_EQ(before.calls, (std::map<std::string, uint64_t>{{kAdded, 1}}));
  EXPECT_EQ(after.calls.at(kOpened), 1u);
  EXPECT_FALSE(after.calls.contains(kAdded));
}

TEST(CallgraphModule, MayBeStoppedAndStartedWhileThreadsCall) {
  oriel_method* const add = method_named("Add");
  oriel_method* const open = method_named("Open");
  Threads threads(4, [&] {
    enter(add);
    call(open);
    leave(add);
    allocate_in(open);
  });
  Threads asker(1, ask_all_filters);
  Threads short_lived(1, [&] { std::thread([&] { call(add); }).join(); });
  for (int round = 0; round < 10; ++round) {
    const std::string path = fresh_path("graph-" + std::to_string(round) + ".oriel");
    const bool shop = round % 2 == 0;
    ASSERT_EQ(start_graph(std::string(shop ? "calls=Shop.*" : "calls=Other.*,alloc") + ",out=" + path), "");
    ask_all_filters();
    call(add), call(open);
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    ASSERT_EQ(stop_graph(), "");
    const Contents contents = read_log(path);
    EXPECT_EQ(contents.calls.contains(kAdded), shop) << path;
    EXPECT_EQ(contents.calls.contains(kOpened), !shop) << path;
  }
}

TEST(CoverageModule, IsStartedAndStoppedAnyNumberOfTimes) {
  method_named("Add");
  const auto start = [](const std::string& options) { return said(oriel_module_start_coverage, options.c_str()); };
  Threads asker(1, ask_all_filters);
  for (int round = 0; round < 6; ++round) {
    const std::string path = fresh_path("covered-" + std::to_string(round) + ".oriel");
    ASSERT_EQ(start("include=Shop.*,output=" + path), "");
    EXPECT_EQ(said(oriel_module_apply_coverage, "include=Shop.*,mode=count"),
              "coverage: mode cannot change while it runs; stop it, and start it so");
    ASSERT_EQ(said(oriel_module_apply_coverage, "include=Other.*"), "");
    ASSERT_EQ(said(oriel_module_stop_coverage), "");
    EXPECT_EQ(read_log(path).properties["coverage.methods"], "Shop.*");
    EXPECT_EQ(read_log(fresh_path("covered-" + std::to_string(round) + "-2.oriel")).properties["coverage.methods"],
              "Other.*");
    EXPECT_FALSE(std::filesystem::exists(path + ".counters"));
  }
  EXPECT_EQ(start("per-test,output=" + fresh_path("late.oriel")),
            "coverage: tests are told apart from the program's start on only; leave out per-test");
}

}  // namespace
}  // namespace oriel::scripted
