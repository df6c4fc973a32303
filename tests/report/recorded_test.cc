// What reports say about data that was not recorded, or was recorded but is empty.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "profile/shop/tell_calls.h"
#include "report/report_text.h"

namespace oriel::report {
namespace {

using nlohmann::json;
using oriel::testing::json_of;
using oriel::testing::text_of;
using profile::Profile;
using ::testing::HasSubstr;
using ::testing::Not;

using Properties = std::vector<std::pair<std::string, std::string>>;

Profile run_with(const Properties& properties) {
  testing::CallTeller log;
  for (const auto& [key, value] : properties) log.property(key, value);
  return log.finish();
}

Profile call_graph() {
  testing::CallTeller log;
  log.property("callgraph.calls", "user code").property("callgraph.allocations", "no");
  return log.graph(1, {{1, 0, 1, false, 3, 600'000, 0, 0, {}}}).finish();
}

TEST(CallGraph, SaysNothingOfWhatItDoesNotRecord) {
  EXPECT_EQ(text_of("summary", call_graph()), R"text(Command     dotnet calls.dll
Started     2026-05-28 20:26:40 UTC
Time        1.00 ms wall
Samples     No samples: this is a call graph; see oriel report callgraph.
Calls       3 calls of 1 method, 600 µs over all threads → oriel report callgraph

   self           total  calls  average  method
100.0 %  600 µs  600 µs      3   200 µs  M1
)text");
  EXPECT_TRUE(json_of("summary", call_graph())["gc"].is_null());
  EXPECT_TRUE(json_of("summary", call_graph())["exceptions"].is_null());
}

TEST(CallGraph, ReportsOfOtherThingsSayThatItHasNone) {
  const std::string none =
      "Not recorded: this is a call graph; oriel run --callgraph --sample writes a log beside it.\n";
  EXPECT_EQ(text_of("gc", call_graph()), "Garbage collections\n\n" + none);
  EXPECT_EQ(text_of("exceptions", call_graph()), "Exceptions\n\n" + none);
  EXPECT_EQ(text_of("threads", call_graph()),
            "Threads\n\n" + none + "--thread shows the calls of one of them: T1, T2.\n");
  for (const char* report : {"gc", "exceptions", "threads"})
    EXPECT_THAT(json_of(report, call_graph())["note"].get<std::string>(), HasSubstr("Not recorded"));
  EXPECT_FALSE(json_of("gc", call_graph()).contains("collections"));
  const json thread = json_of("threads", call_graph())["threads"][0];
  EXPECT_EQ(thread["name"], "T1");
  EXPECT_FALSE(thread.contains("managed") || thread.contains("first_ns"));
}

TEST(CallGraph, WithoutACallIsStillOne) {
  const Profile profile = run_with({{"callgraph.calls", "Nobody.*"}});
  EXPECT_THAT(text_of("summary", profile), HasSubstr("this is a call graph"));
  EXPECT_THAT(text_of("summary", profile), Not(HasSubstr("no collections")));
}

TEST(CoverageLog, SaysNothingOfWhatItDoesNotRecord) {
  Profile profile = run_with({{"coverage", "hit"}, {"coverage.methods", ""}});
  profile.wall_ns = 0;
  profile.sampling_mode = "none";
  const std::string text = text_of("summary", profile);
  for (const char* label : {"Time ", "GC ", "Exceptions "}) EXPECT_THAT(text, Not(HasSubstr(label)));
  EXPECT_THAT(text, HasSubstr("No samples: this is a log of coverage"));
  const std::string coverage = "this is a log of coverage; see oriel report coverage.";
  EXPECT_THAT(text_of("gc", profile), HasSubstr("Not recorded: " + coverage));
  EXPECT_THAT(text_of("exceptions", profile), HasSubstr("Not recorded: " + coverage));
  EXPECT_THAT(text_of("waits", profile), HasSubstr("This log has no waits: it is a log of coverage"));
  EXPECT_THAT(text_of("locks", profile), HasSubstr("This log has no waits for locks: it is a log of coverage"));
  EXPECT_EQ(text_of("jit", profile), "JIT compiler\n\nNo samples: " + coverage + "\n");
  EXPECT_TRUE(json_of("summary", profile)["gc"].is_null());
  EXPECT_TRUE(json_of("summary", profile)["exceptions"].is_null());
}

TEST(Version1, DoesNotTellWhatWasNotRecorded) {
  Profile profile = run_with({});
  profile.intro.version = log::kVersion1;
  profile.sampling_mode = "none";
  const std::string text = text_of("summary", profile);
  EXPECT_THAT(text, Not(HasSubstr("--no-sample")));
  EXPECT_THAT(text, Not(HasSubstr("none thrown")));
  EXPECT_THAT(text, Not(HasSubstr("no collections")));
  EXPECT_THAT(text, HasSubstr("version 1 of the format"));
  EXPECT_THAT(text_of("exceptions", profile), HasSubstr("does not tell what was recorded"));
}

TEST(EventGroups, WhatWasNotChosenIsNotRecorded) {
  const Profile some = run_with({{"events", "loads+exceptions"}});
  EXPECT_THAT(text_of("summary", some), Not(HasSubstr("GC")));
  EXPECT_THAT(text_of("summary", some), HasSubstr("Exceptions  none thrown"));
  EXPECT_THAT(text_of("gc", some), HasSubstr("log:events=loads+exceptions."));
  const Profile usual = run_with({{"events", "runtime+loads+threads+gc+exceptions"}});
  EXPECT_THAT(text_of("summary", usual), HasSubstr("GC          no collections"));
  EXPECT_THAT(text_of("gc", usual), HasSubstr("No collections in this log."));
  EXPECT_EQ(json_of("gc", usual)["collections"], 0);
  EXPECT_THAT(text_of("threads", usual), HasSubstr("2 threads"));
}

TEST(Asked, CallsThatWereNotMade) {
  const Profile chosen = run_with({{"calls", "Nobody.*|!*.ToString"}});
  const std::string none = "no calls in this log: no method that --calls='Nobody.*,!*.ToString' chooses was called";
  EXPECT_EQ(text_of("calls", chosen), "Calls\n\nThere are " + none + ".\n");
  EXPECT_EQ(text_of("callgraph", chosen), "Call graph\n\nThere are " + none + ".\n");
  EXPECT_EQ(json_of("calls", chosen)["note"], none);
  EXPECT_EQ(json_of("callgraph", chosen)["note"], none);
  EXPECT_THAT(text_of("calls", run_with({{"calls", ""}})),
              HasSubstr("no method that --calls (user code) chooses was called"));
  EXPECT_THAT(text_of("callgraph", run_with({{"callgraph.calls", "Nobody.*"}})),
              HasSubstr("no method that --callgraph='Nobody.*' chooses was called"));
  EXPECT_THAT(text_of("calls", run_with({})), HasSubstr("run the program with oriel run --calls."));
  EXPECT_THAT(text_of("callgraph", run_with({})), HasSubstr("run the program with oriel run --callgraph."));
}

TEST(Asked, CallsOfMethodsThatGotNoProbes) {
  testing::CallTeller log;
  log.property("calls", "Shop.*").count("instrumentation.instrumented", 0).count("instrumentation.reserved", 3);
  EXPECT_THAT(text_of("calls", log.finish()), HasSubstr("0 method bodies instrumented, 3 not: 3 reserved."));
}

TEST(Asked, AllocationsThatWereNotMade) {
  const auto text = [](const Properties& properties) { return text_of("alloc", run_with(properties)); };
  EXPECT_THAT(text({}), HasSubstr("run the program with oriel run --alloc."));
  EXPECT_THAT(text({{"allocations", "exact"}, {"allocations.in", "*"}}), HasSubstr("--alloc and allocated nothing."));
  EXPECT_THAT(text({{"allocations", "exact"}, {"allocations.in", "A|B"}}),
              HasSubstr("the code that --alloc-in='A,B' chooses allocated nothing."));
  EXPECT_THAT(text({{"allocations", "exact"}, {"allocations.in", ""}}), HasSubstr("--alloc-in (user code)"));
  EXPECT_THAT(text({{"allocations", "sampled"}}),
              HasSubstr("none was sampled: the runtime samples one in about 100 KiB"));
  EXPECT_THAT(text({{"callgraph.calls", ""}, {"callgraph.allocations", "no"}}), HasSubstr("--callgraph-alloc."));
  EXPECT_THAT(text({{"callgraph.calls", ""}, {"callgraph.allocations", "yes"}}), HasSubstr("allocated nothing."));
}

// Such a log does not mean that little was allocated.
TEST(Asked, AllocationsThatWereMadeAndNotTold) {
  testing::CallTeller log;
  log.property("allocations", "sampled").collect(1'000, 2'000, 1, 0);
  const std::string text = text_of("alloc", log.finish());
  EXPECT_THAT(text, HasSubstr("none was sampled, though there were collections"));
  EXPECT_THAT(text, Not(HasSubstr("100 KiB")));
}

TEST(Asked, PatternsSteerNoTerminal) {
  EXPECT_THAT(text_of("calls", run_with({{"calls", "\x1b[31mX"}})), Not(HasSubstr("\x1b")));
}

TEST(OptionChanges, AreInTheSummaryIfThereAreAny) {
  const auto run_of = [](const std::vector<std::string>& options) {
    testing::CallTeller log;
    uint64_t at = 0;
    for (const std::string& text : options)
      log.options(std::exchange(at, at + 1'000'000),
                  {.clock = {}, .module = {}, .running = text != "stop", .options = text, .properties = {}});
    return log.finish();
  };
  EXPECT_THAT(text_of("summary", run_of({"hz=100"})), Not(HasSubstr("Options")));
  EXPECT_FALSE(json_of("summary", run_of({"hz=100"})).contains("option_changes"));
  EXPECT_THAT(text_of("summary", run_of({"", "calls=Shop.*", "", "stop"})),
              HasSubstr("Options     changed at 0.001 s: calls=Shop.*; changed at 0.002 s: the defaults\n"));
  EXPECT_THAT(text_of("summary", run_of({"", "locks", "", "locks", "", "locks"})), HasSubstr("2 more"));
  const json changes = json_of("summary", run_of({"", "calls=Shop.*", "stop"}))["option_changes"];
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_EQ(changes[0]["at_ns"], 1'000'000);
  EXPECT_EQ(changes[0]["options"], "calls=Shop.*");
  EXPECT_FALSE(changes[1]["running"]);
}

}  // namespace
}  // namespace oriel::report
