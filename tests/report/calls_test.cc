// Reports of known calls and allocations: the whole text, and the JSON.
#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <sstream>

#include "log/call_list.h"
#include "profile/shop/shop_log.h"
#include "profile/shop/tell_calls.h"
#include "report/report_text.h"

namespace oriel::report {
namespace {

using nlohmann::json;
using oriel::testing::json_of;
using oriel::testing::text_of;
using profile::Profile;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr uint64_t kUs = 1000;

// Main calls Add three times, one of which throws, and Add calls Total, which is recursive; a worker is killed in Wait.
Profile shop_calls() {
  testing::CallTeller log;
  log.name_method(1, "Shop.Program.Main(string[])")
      .name_method(2, "Shop.Cart.AddAsync(System.String, int)")
      .name_method(3, "Shop.Cart.Total(System.Collections.Generic.List<Shop.Item>)")
      .name_method(4, "System.Threading.Monitor.Wait(object)")
      .name_class(1, "System.String")
      .name_class(2, "Shop.Item")
      .name_class(3, "System.Collections.Generic.Dictionary<System.String, Shop.Orders.LineItem>.Entry[]");
  log.enter(0, 1).allocate(3, 4096, 1);
  for (uint64_t i = 0; i < 3; ++i) {
    const uint64_t at = (10 + i * 100) * kUs;
    log.enter(at, 2).allocate(1, 40, 2).allocate(2, 24, 3);
    log.enter(at + 10 * kUs, 3).enter(at + 20 * kUs, 3).leave(at + 30 * kUs, 3).leave(at + 40 * kUs, 3);
    i == 1 ? log.leave_by_exception(at + 50 * kUs, 2) : log.leave(at + 50 * kUs, 2);
  }
  log.leave(400 * kUs, 1);
  log.on(2).leave(5 * kUs, 3).enter(10 * kUs, 4).allocate(1, 22).on(1).enter(1000 * kUs, 2).lost(1000 * kUs, 12);
  log.count("instrumentation.instrumented", 1234).count("instrumentation.no-body", 12);
  return log.finish();
}

TEST(Calls, WholeText) {
  EXPECT_EQ(text_of("calls", shop_calls()),
            R"text(12 calls of 4 methods, 1.39 ms over all threads

  self             total  calls  outer  average  longest  thrown  method
71.2 %   990 µs   990 µs      1      1   990 µs   990 µs          System.Threading.Monitor.Wait(…)
18.0 %   250 µs   400 µs      1      1   400 µs   400 µs          Shop.Program.Main(string[])
 6.5 %  90.0 µs  90.0 µs      6      3  30.0 µs  30.0 µs          Shop.Cart.Total(List<Item>)
 4.3 %  60.0 µs   150 µs      4      4  37.5 µs  50.0 µs       1  Shop.Cart.AddAsync(String, int)
For recursive methods, total and average count only their outermost calls (outer).

1 call still running at the end, on 1 thread.
12 events of calls and allocations were lost at 1 place: the callers of later calls are unknown.
The end of 1 call was not recorded: it ended with the caller or thread, or where events were lost.
The start of 1 call was not recorded: it is not counted.
1,234 method bodies instrumented, 12 not: 12 no-body.
)text");
}
TEST(Calls, TreeText) {
  EXPECT_EQ(text_of("calls", shop_calls(), *testing::options_of("calls", {{"--tree", ""}})),
            R"text(12 calls of 4 methods, 1.39 ms over all threads

  total              self  calls
 71.2 %   990 µs   71.2 %      1  System.Threading.Monitor.Wait(object)
 28.8 %   400 µs   18.0 %      1  Shop.Program.Main(string[])
 10.8 %   150 µs    4.3 %      3  └ Shop.Cart.AddAsync(System.String, int)
  6.5 %  90.0 µs    4.3 %      3    └ Shop.Cart.Total(System.Collections.Generic.List<Shop.Item>)
  2.2 %  30.0 µs    2.2 %      3      └ Shop.Cart.Total(System.Collections.Generic.List<Shop.Item>)

1 call still running at the end, on 1 thread.
12 events of calls and allocations were lost at 1 place: the callers of later calls are unknown.
The end of 1 call was not recorded: it ended with the caller or thread, or where events were lost.
The start of 1 call was not recorded: it is not counted.
1,234 method bodies instrumented, 12 not: 12 no-body.
)text");
}
TEST(Alloc, WholeText) {
  EXPECT_EQ(text_of("alloc", shop_calls()), R"text(Allocations: 8 objects, 4.31 kB

 bytes             objects      each  type
95.0 %    4.10 kB        1   4.10 kB  …Collections.Generic.Dictionary<String, LineItem>.Entry[]
 3.3 %  142 bytes        4  36 bytes  System.String
 1.7 %   72 bytes        3  24 bytes  Shop.Item

 bytes             objects  type                    allocated in
95.0 %    4.10 kB        1  …Dictionary<…>.Entry[]  Shop.Program.Main(string[])
 2.8 %  120 bytes        3  System.String           Shop.Cart.AddAsync(System.String, int)
 1.7 %   72 bytes        3  Shop.Item               Shop.Cart.Total(List<Item>)
 0.5 %   22 bytes        1  System.String           [site not known]

12 events of calls and allocations were lost at 1 place: the callers of later calls are unknown.
)text");
}
TEST(Alloc, TreeText) {
  EXPECT_EQ(text_of("alloc", shop_calls(), *testing::options_of("alloc", {{"--tree", ""}})),
            R"text(Allocations: 8 objects, 4.31 kB

  total                self  objects
 99.5 %    4.29 kB                 7  Shop.Program.Main(string[])
 95.0 %    4.10 kB   95.0 %        1  ├ …Collections.Generic.Dictionary<String, LineItem>.Entry[]
  4.5 %  192 bytes                 6  └ Shop.Cart.AddAsync(System.String, int)
  2.8 %  120 bytes    2.8 %        3    ├ System.String
  1.7 %   72 bytes    1.7 %        3    └ Cart.Total → Shop.Item

Hidden: 1 branch below 1 % of the bytes.

12 events of calls and allocations were lost at 1 place: the callers of later calls are unknown.
)text");
}
// Five samples: 4,000 strings of 25 bytes, and arrays.
Profile shop_samples() {
  testing::CallTeller log;
  log.name_class(1, "System.String").name_class(2, "Shop.Item[]");
  for (uint64_t i = 0; i < 4; ++i) log.sample((10 + i) * kUs, 1, 25, 25'000);
  log.on(2).sample(20 * kUs, 2, 250'000, 250'000);
  return log.finish();
}

TEST(Alloc, SampledTextSaysThatItIsAnEstimate) {
  EXPECT_EQ(text_of("alloc", shop_samples()),
            R"text(Allocations, sampled: 5 samples stand for about 4,001 objects, 350 kB

 bytes          objects      each  samples  type
71.4 %  250 kB        1    250 kB        1  Shop.Item[]
28.6 %  100 kB    4,000  25 bytes        4  System.String

Estimates: about ±10 % with 100 samples, ±30 % with 10.
Samples have no sites: oriel run --alloc=exact logs each object with the method that allocates it.
)text");
  EXPECT_THAT(text_of("summary", shop_samples()),
              HasSubstr("Allocations sampled: 5 samples stand for about 4,001 objects, 350 kB: 250 kB Shop.Item[],"));
  EXPECT_THAT(text_of("alloc", shop_samples(), *testing::options_of("alloc", {{"--tree", ""}})),
              HasSubstr("4,000  System.String"));
}
Profile shop_stacks() {
  testing::CallTeller log;
  log.name_class(1, "System.String").name_class(2, "Shop.Item[]");
  log.name_method(1, "Shop.Program.Main(string[])").name_method(2, "Shop.Cart.Add(int)");
  const uint64_t main = log.stack(0, 1), add = log.stack(main, 2);
  for (uint64_t i = 0; i < 4; ++i) log.with(i == 0 ? main : add).sample((10 + i) * kUs, 1, 25, 25'000);
  log.sample(20 * kUs, 2, 250'000, 250'000);
  return log.finish();
}

TEST(Alloc, SamplesWithStacksHaveSitesAndATree) {
  EXPECT_EQ(text_of("alloc", shop_stacks()),
            R"text(Allocations, sampled: 5 samples stand for about 4,001 objects, 350 kB

 bytes          objects      each  samples  type
71.4 %  250 kB        1    250 kB        1  Shop.Item[]
28.6 %  100 kB    4,000  25 bytes        4  System.String

 bytes           objects  type           allocated in
71.4 %   250 kB        1  Shop.Item[]    Shop.Cart.Add(int)
21.4 %  75.0 kB    3,000  System.String  Shop.Cart.Add(int)
 7.1 %  25.0 kB    1,000  System.String  Shop.Program.Main(string[])

Estimates: about ±10 % with 100 samples, ±30 % with 10.
)text");
  const json tree = json_of("alloc", shop_stacks(), *testing::options_of("alloc", {{"--tree", ""}}));
  EXPECT_EQ(tree["nodes"][0]["total"], 350'000);
  EXPECT_EQ(tree["nodes"][1]["total"], 325'000);
  const json sites = json_of("alloc", shop_stacks())["sites"];
  ASSERT_EQ(sites.size(), 3u);
  EXPECT_EQ(sites[1]["method"], "Shop.Cart.Add(int)");
  EXPECT_EQ(sites[1]["samples"], 3);
}

TEST(Alloc, SamplesThatAreNotAtRandomSayThatTheyAreNot) {
  Profile profile = shop_samples();
  for (const char* const at_random : {"CoreCLR 10.0.12", "CoreCLR 0.0.0", "CoreCLR", "Mono 6.8", ""}) {
    profile.intro.runtime = at_random;
    EXPECT_THAT(text_of("alloc", profile), Not(HasSubstr("at random"))) << at_random;
    EXPECT_EQ(json_of("alloc", profile)["at_random"], true) << at_random;
  }
  for (const char* const in_turn : {"CoreCLR 8.0.31", "CoreCLR 9.0.20"}) {
    profile.intro.runtime = in_turn;
    EXPECT_THAT(text_of("alloc", profile), HasSubstr("samples the object that reaches the next 100 KiB"));
    EXPECT_EQ(json_of("alloc", profile)["at_random"], false);
  }
}

TEST(Alloc, SampledJsonSaysThatItIsAnEstimate) {
  const json alloc = json_of("alloc", shop_samples());
  EXPECT_EQ(alloc["estimated"], true);
  EXPECT_EQ(alloc["samples"], 5);
  EXPECT_EQ(alloc["objects"], 4001);
  EXPECT_EQ(alloc["bytes"], 350'000);
  EXPECT_EQ(alloc["types"][1]["samples"], 4);
  EXPECT_TRUE(alloc["sites"].empty());
  EXPECT_EQ(json_of("summary", shop_samples())["allocations"]["estimated"], true);
  EXPECT_EQ(json_of("alloc", shop_calls())["estimated"], false);
  EXPECT_FALSE(json_of("alloc", shop_calls()).contains("samples"));
}
TEST(Calls, SummaryText) {
  EXPECT_EQ(text_of("summary", shop_calls()), R"text(Command     dotnet calls.dll
Started     2026-05-28 20:26:40 UTC
Time        2.00 ms wall
Samples     No samples: the program was run without sampling (--no-sample).
Calls       12 calls of 4 methods, 1.39 ms over all threads; 1 call still running at the end, on 1
            thread → oriel report calls
Allocations 8 objects, 4.31 kB: 4.10 kB …Dictionary<String, LineItem>.Entry[], 142 bytes
            System.String, 72 bytes Shop.Item → oriel report alloc
Probes      1,234 method bodies instrumented, 12 not: 12 no-body
GC          no collections
Exceptions  none thrown
Lost        12 events of calls and allocations were lost at 1 place: the callers of later calls are
            unknown.

  self             total  calls  outer  average  longest  thrown  method
71.2 %   990 µs   990 µs      1      1   990 µs   990 µs          System.Threading.Monitor.Wait(…)
18.0 %   250 µs   400 µs      1      1   400 µs   400 µs          Shop.Program.Main(string[])
 6.5 %  90.0 µs  90.0 µs      6      3  30.0 µs  30.0 µs          Shop.Cart.Total(List<Item>)
 4.3 %  60.0 µs   150 µs      4      4  37.5 µs  50.0 µs       1  Shop.Cart.AddAsync(String, int)
For recursive methods, total and average count only their outermost calls (outer).
)text");
}

TEST(Calls, WithoutAnySayHowToGetThem) {
  const Profile profile = testing::shop_profile();
  EXPECT_THAT(text_of("calls", profile), HasSubstr("no calls in this log: run the program with oriel run --calls"));
  EXPECT_THAT(text_of("alloc", profile), HasSubstr("oriel run --alloc"));
  EXPECT_TRUE(json_of("calls", profile)["methods"].empty());
  EXPECT_TRUE(json_of("alloc", profile, *testing::options_of("alloc", {{"--tree", ""}}))["nodes"].empty());
  EXPECT_THAT(text_of("summary", profile), Not(HasSubstr("Calls")));
}

TEST(Calls, AFilterIsSaidAndMayLeaveNone) {
  Profile profile = shop_calls();
  profile::Filter filter;
  filter.thread = "102";
  apply(filter, profile);
  const std::string text = text_of("calls", profile);
  EXPECT_THAT(text, HasSubstr("Only thread \"102\"."));
  EXPECT_THAT(text, HasSubstr("Monitor.Wait"));
  EXPECT_THAT(text, Not(HasSubstr("Main")));
  Profile nothing = shop_calls();
  filter.thread = "no such";
  apply(filter, nothing);
  EXPECT_THAT(text_of("calls", nothing), HasSubstr("No calls left"));
  EXPECT_THAT(text_of("alloc", nothing), HasSubstr("No allocations left"));
}

TEST(Calls, TheLimitCutsTables) {
  Options options;
  options.limit = 1;
  EXPECT_THAT(text_of("calls", shop_calls(), options), HasSubstr("The first 1 of 4 methods."));
  EXPECT_THAT(text_of("alloc", shop_calls(), options), HasSubstr("The first 1 of 4 sites."));
  EXPECT_EQ(json_of("calls", shop_calls(), options)["methods"].size(), 1u);
  EXPECT_EQ(json_of("alloc", shop_calls(), options)["sites"].size(), 1u);
}

TEST(Calls, Json) {
  const json calls = json_of("calls", shop_calls());
  EXPECT_EQ(calls["calls"], 12);
  EXPECT_EQ(calls["running"], 1);
  EXPECT_EQ(calls["without_enter"], 1);
  EXPECT_EQ(calls["without_leave"], 1);
  EXPECT_EQ(calls["lost_events"], 12);
  ASSERT_EQ(calls["methods"].size(), 4u);
  const json& add = calls["methods"][2];
  EXPECT_EQ(add["name"], "Shop.Cart.Total(System.Collections.Generic.List<Shop.Item>)");
  EXPECT_EQ(add["calls"], 6);
  EXPECT_EQ(add["self_ns"], 90'000);
  EXPECT_EQ(add["total_ns"], 90'000);
  EXPECT_EQ(add["outermost"], 3);
  EXPECT_EQ(add["average_ns"], 30'000);
  EXPECT_EQ(add["recursive"], true);
  EXPECT_EQ(add["longest_ns"], 30'000);
  const json tree = json_of("calls", shop_calls(), *testing::options_of("calls", {{"--tree", ""}}));
  EXPECT_EQ(tree["unit"], "ns");
  EXPECT_EQ(tree["nodes"][1]["calls"], 1);
  EXPECT_EQ(tree["nodes"][2]["parent"], 2);
  EXPECT_EQ(tree["nodes"][2]["calls"], 3);
}

TEST(Alloc, Json) {
  const json alloc = json_of("alloc", shop_calls());
  EXPECT_EQ(alloc["objects"], 8);
  EXPECT_EQ(alloc["bytes"], 4096 + 3 * 64 + 22);
  EXPECT_EQ(alloc["types"][1]["type"], "System.String");
  EXPECT_EQ(alloc["types"][1]["objects"], 4);
  EXPECT_EQ(alloc["sites"][1]["method"], "Shop.Cart.AddAsync(System.String, int)");
  EXPECT_FALSE(alloc["sites"][3].contains("method"));
  const json tree = json_of("alloc", shop_calls(), *testing::options_of("alloc", {{"--tree", ""}}));
  EXPECT_EQ(tree["unit"], "bytes");
  EXPECT_EQ(tree["nodes"][0]["objects"], 7);
}

TEST(Summary, JsonHasCallsAndAllocations) {
  const json summary = json_of("summary", shop_calls());
  EXPECT_EQ(summary["calls"]["calls"], 12);
  EXPECT_EQ(summary["allocations"]["objects"], 8);
  EXPECT_EQ(summary["counters"]["instrumentation.instrumented"], 1234);
}

TEST(DumpOfCalls, HasALineForEachCallAndAllocation) {
  const std::string path = ::testing::TempDir() + "oriel-dump-calls-" + std::to_string(getpid()) + ".oriel";
  {
    const auto writer = log::Writer::create(path);
    ASSERT_TRUE(writer) << writer.message();
    (*writer)->intro(testing::shop_intro());
    (*writer)->mapping(testing::shop_mapping());
    log::CallList list;
    const uint64_t at = testing::kStart;
    list.enter(1, at + 10).site(1).allocate(1, 24).enter(2, at + 20).leave_by_exception(2, at + 30).leave(1, at + 40);
    list.lost(7);
    list.write(**writer, 1, at);
    ASSERT_TRUE((*writer)->flush({}));
  }
  Options options;
  options.json = true;
  std::ostringstream out;
  const Status status = write_dump(path, {}, options, out);
  std::remove(path.c_str());
  ASSERT_TRUE(status) << status.message();
  std::istringstream in(out.str());
  std::vector<std::string> kinds;
  std::vector<json> events;
  for (std::string line; std::getline(in, line);) {
    const json parsed = json::parse(line);
    if (!parsed.contains("thread_id") || parsed["kind"] == "thread") continue;
    kinds.push_back(parsed["kind"]);
    events.push_back(parsed);
  }
  EXPECT_THAT(kinds, ElementsAre("method_enter", "gc_allocation", "method_enter", "method_exception_leave",
                                 "method_leave", "calls_lost"));
  ASSERT_EQ(events.size(), 6u);
  for (const json& event : events) EXPECT_EQ(event["thread"], "main");
  EXPECT_EQ(events[0]["method"], "Shop.Program.Main(string[])");
  EXPECT_TRUE(events[0].contains("ns"));
  EXPECT_EQ(events[1]["klass"], "Shop.Cart");
  EXPECT_EQ(events[1]["size"], 24);
  EXPECT_EQ(events[1]["site"], "Shop.Program.Main(string[])");
  EXPECT_EQ(events[3]["method"], "Shop.Cart.AddAsync(System.String, int)");
  EXPECT_EQ(events[5]["events"], 7);
}

}  // namespace
}  // namespace oriel::report
