// The events of tests/targets/events are raised, in order, and only while somebody listens.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "coreclr/run_target.h"
#include "paths.h"
#include "runtimes/coreclr/com/profiling.h"

namespace oriel::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

// Finds the lines that contain each of the texts, in this order; fails if one is missing after the previous one.
void expect_in_order(const std::vector<std::string>& lines, const std::vector<std::string>& texts) {
  size_t next = 0;
  for (const std::string& text : texts) {
    while (next < lines.size() && lines[next].find(text) == std::string::npos) ++next;
    ASSERT_LT(next, lines.size()) << "not heard, or not in this order: " << text << "\n"
                                  << testing::PrintToString(lines);
    ++next;
  }
}

TEST(Events, ThreadsComeWithTheirNames) {
  ORIEL_NEEDS_DOTNET();
  const TargetRun run = run_target("events", {.arguments = "threads", .events = "thread"});
  EXPECT_EQ(run.output, "threads\n");
  EXPECT_EQ(run.errors, "");
  expect_in_order(run.heard, {"thread_started", "name=\"worker-ä\"", "thread_stopped", "thread_started",
                              "name=\"named-late\"", "thread_stopped"});
  for (const std::string& line : heard_of(run, "thread_started")) EXPECT_NE(field(line, "os"), "0") << line;
}

TEST(Events, CollectionsComeWithGenerationReasonAndPause) {
  ORIEL_NEEDS_DOTNET();
  const TargetRun run = run_target("events", {.arguments = "gc", .events = "gc_begin+gc_end+suspend+resume"});
  EXPECT_EQ(run.output, "gc\n");
  expect_in_order(run.heard, {"suspend_begin", "suspend_end", "gc_begin number=1 generation=0 reason=1",
                              "gc_end number=1 generation=0", "resume_begin", "resume_end"});
  expect_in_order(run.heard, {"gc_begin number=2 generation=1 reason=1", "gc_begin number=3 generation=2 reason=1"});
  EXPECT_THAT(heard_of(run, "gc_begin"), Contains(HasSubstr("reason=0")));  // caused by the allocations
  EXPECT_EQ(heard_of(run, "gc_begin").size(), heard_of(run, "gc_end").size());
  ASSERT_THAT(heard_of(run, "resume_end"), Not(IsEmpty()));
  for (const std::string& line : heard_of(run, "resume_end")) {
    const uint64_t paused = std::stoull(field(line, "paused"));
    EXPECT_GT(paused, 1'000u) << line;
    EXPECT_LT(paused, 10'000'000'000u) << line;
  }
}

TEST(Events, PhasesOfACollectionAreInOrder) {
  ORIEL_NEEDS_DOTNET();
  const TargetRun run = run_target("events", {.arguments = "gc", .events = "gc_event"});
  const auto phase = [](int number, int generation) {
    return "phase=" + std::to_string(number) + " generation=" + std::to_string(generation) + " is_serial=1";
  };
  expect_in_order(run.heard, {phase(0, 0), phase(1, 0), phase(2, 1), phase(3, 1), phase(4, 1), phase(5, 1)});
}

TEST(Events, ExceptionsAreThrownUnwoundAndCaught) {
  ORIEL_NEEDS_DOTNET();
  const TargetRun run = run_target("events", {.arguments = "exceptions", .events = "exception"});
  EXPECT_EQ(run.output, "exceptions\n");
  std::vector<std::string> told;
  for (const std::string& line : run.heard) {
    const size_t name = line.find('"');
    if (!line.starts_with("exception") || line.starts_with("exception_message")) continue;
    told.push_back(line.substr(10, line.find(' ') - 10) + " " +
                   line.substr(name + 1, line.find('"', name + 1) - name - 1) +
                   (field(line, "clause").empty() ? "" : " " + field(line, "clause")));
  }
  EXPECT_THAT(told,
              ElementsAre("throw System.InvalidOperationException", "unwind Exceptions.Inner()",
                          "clause Exceptions.Outer() 2", "unwind Exceptions.Outer()", "clause Exceptions.Run() 0",
                          // a filter, which runs before anything is unwound
                          "throw System.ArgumentException", "clause Exceptions.Run() 1", "unwind Exceptions.Thrower()",
                          "clause Exceptions.Run() 0",
                          // one exception replaces another
                          "throw System.ArgumentException", "unwind Exceptions.Thrower()",
                          "clause Exceptions.Replaced() 2", "throw System.InvalidOperationException",
                          "unwind Exceptions.Inner()", "unwind Exceptions.Replaced()", "clause Exceptions.Run() 0"));
}

TEST(Events, LoadsComeBeforeWhatIsLoaded) {
  ORIEL_NEEDS_DOTNET();
  const TargetRun run = run_target("hello", {.events = "runtime+domain+assembly+image+class_loaded+jit"});
  EXPECT_EQ(run.output, "hello\n");
  expect_in_order(run.heard,
                  {"assembly_loading assembly=#1 \"System.Private.CoreLib\"",
                   "image_loaded image=#1 \"System.Private.CoreLib.dll\"", "assembly_loaded assembly=#1",
                   "domain_loaded", "runtime_initialized", "image_loaded image=#2 \"hello.dll\"",
                   "jit_begin method=", "jit_done method=", "runtime_shutdown_begin", "runtime_shutdown_end"});
  EXPECT_THAT(run.heard, Contains(StartsWith("class_loaded klass=")));
  EXPECT_EQ(run.heard.front().substr(0, 19), "runtime CoreCLR 10.");
}

// This includes methods with precompiled code that are compiled again: precompiled code is not reported as compiled.
TEST(Events, EachCompilationIsToldOnce) {
  ORIEL_NEEDS_DOTNET();
  const TargetRun run = run_target("zoo", {.events = "jit"});
  const size_t begun = heard_of(run, "jit_begin").size(), done = heard_of(run, "jit_done").size();
  EXPECT_GT(done, 100u);
  EXPECT_LE(done, begun);
  EXPECT_GE(done + 2, begun) << "more than the end of the program can have cut short";
}

TEST(Events, WhatIsUnloadedKeepsItsNames) {
  ORIEL_NEEDS_DOTNET();
  const TargetRun run =
      run_target("events", {.arguments = "unload", .events = "image_un+assembly_un+class_un+method_free+jit_done"});
  EXPECT_EQ(run.output, "unloaded\nunload\n");
  expect_in_order(run.heard, {"jit_done method=", "\"Passing.Visit(int)\"", "\"Passing.Other.Twice(int)\"",
                              "assembly_unloading assembly=", "image_unloading image=", "class_unloaded klass=",
                              "method_free", "image_unloaded image=", "assembly_unloaded assembly="});
  const auto freed = heard_of(run, "method_free");
  EXPECT_THAT(freed, Contains(HasSubstr("\"Passing.Visit(int)\"")));
  EXPECT_THAT(freed, Contains(HasSubstr("\"Passing.Other.Twice(int)\"")));
  EXPECT_THAT(freed, Contains(HasSubstr("\"[dynamic] Fleeting(string, List<int>)\"")));
  for (const std::string& line : freed) EXPECT_EQ(line.find("[unnamed"), std::string::npos) << line;
}

// The log's own thread asks for names while the named things are unloaded.
TEST(Events, ChurnIsSurvived) {
  ORIEL_NEEDS_DOTNET();
  const std::string log = testing::TempDir() + "churn-" + std::to_string(getpid()) + ".oriel";
  const TargetRun run =
      run_target("churn", {.arguments = "4",
                           .environment = {{"ORIEL_MODULE_PATH", std::string(test_paths::build) + "/lib"},
                                           {"ORIEL_PROFILERS", "log:sample=process,hz=1000,out=" + log}}});
  unlink(log.c_str());
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.output, "churned\n");
  EXPECT_EQ(run.errors, "");
}

TEST(Events, ACallbackTakenAwayHearsNoMore) {
  ORIEL_NEEDS_DOTNET();
  const TargetRun run = run_target("events", {.arguments = "late", .events = "jit_done+thread_name"});
  expect_in_order(run.heard, {"\"Late.Before()\"", "taken-away"});
  EXPECT_THAT(run.heard, Not(Contains(HasSubstr("\"Late.After()\""))));
}

}  // namespace
}  // namespace oriel::test
