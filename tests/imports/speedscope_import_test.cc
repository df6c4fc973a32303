#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "imports/formats.h"
#include "oriel/oriel.h"
#include "read_back.h"

namespace oriel::imports {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

std::string file_of(const std::string& profiles, const std::string& more = "") {
  return R"J({"$schema":"https://www.speedscope.app/file-format-schema.json",)J" + more +
         R"J("shared":{"frames":[{"name":"Shop.Program.Main()","file":"Shop.dll"},)J"
         R"J({"name":"Shop.Cart.Add(Item)","file":"/src/Cart.cs","line":7,"module":"Shop.dll"},)J"
         R"J({"name":"read","file":"libc.so.6"},{"name":"[waiting]"}]},"profiles":[)J" +
         profiles + "]}";
}

ReadBack imported(const std::string& text) {
  LogMaker maker;
  const Status status = parse_speedscope(text, maker);
  EXPECT_TRUE(status) << (status ? "" : status.message());
  return read_back(maker);
}

std::string refused(const std::string& text) {
  LogMaker maker;
  const Status status = parse_speedscope(text, maker);
  return status ? "" : status.message();
}

TEST(SpeedscopeImport, SampledProfilesOfSeveralThreads) {
  const ReadBack log =
      imported(file_of(R"J({"type":"sampled","name":"Main (12)","unit":"milliseconds","startValue":5,"endValue":25,)J"
                       R"J("samples":[[0],[0,1],[0,1,3]],"weights":[10,20,10]},)J"
                       R"J({"type":"sampled","name":"Other","unit":"seconds","startValue":0,"endValue":1,)J"
                       R"J("samples":[[0,2]],"weights":[0.5]})J"));
  EXPECT_THAT(log.stacks(), ElementsAre(Pair("Shop.dll!Shop.Program.Main()", 1),
                                        Pair("Shop.dll!Shop.Program.Main();Shop.dll!Shop.Cart.Add(Item)", 2),
                                        Pair("Shop.dll!Shop.Program.Main();Shop.dll!Shop.Cart.Add(Item);[waiting]", 1),
                                        Pair("Shop.dll!Shop.Program.Main();read@libc.so.6", 50)));
  EXPECT_EQ(log.property("sampling.hz"), "100");
  EXPECT_EQ(log.property("sampling.mode"), "weights");
  EXPECT_EQ(log.property("weights.of"), "time");
  ASSERT_EQ(log.threads.size(), 2u);
  EXPECT_EQ(log.threads.at(1).name, "Main");
  EXPECT_EQ(log.threads.at(1).os_id, 12u);
  EXPECT_EQ(log.samples[1].ns, 15'000'000u);  // the second thread's begins at 0
  EXPECT_TRUE(log.ended);
}

TEST(SpeedscopeImport, EventedProfilesHaveTheTimeBetweenEvents) {
  const ReadBack log = imported(
      file_of(R"J({"type":"evented","name":"T","unit":"microseconds","startValue":0,"endValue":30,"events":[)J"
              R"J({"type":"O","frame":0,"at":0},{"type":"O","frame":1,"at":10},{"type":"C","frame":1,"at":15},)J"
              R"J({"type":"C","frame":0,"at":30},{"type":"C","frame":0,"at":31}]})J"));
  EXPECT_THAT(log.stacks(), ElementsAre(Pair("Shop.dll!Shop.Program.Main()", 25),
                                        Pair("Shop.dll!Shop.Program.Main();Shop.dll!Shop.Cart.Add(Item)", 5)));
  EXPECT_EQ(log.property("sampling.hz"), "1000000");
  EXPECT_THAT(log.property("imported.left-out"), HasSubstr("1 end of a frame that is not open"));
}

TEST(SpeedscopeImport, WhatIsNoTimeIsNotCalledTime) {
  const ReadBack log =
      imported(file_of(R"J({"type":"sampled","name":"T","unit":"bytes","startValue":0,"endValue":9,)J"
                       R"J("samples":[[0],[0,1]],"weights":[1024,77]},)J"
                       R"J({"type":"sampled","name":"U","unit":"seconds","startValue":0,"endValue":9,)J"
                       R"J("samples":[[0]],"weights":[1]})J"));
  EXPECT_THAT(log.stacks(), ElementsAre(Pair("Shop.dll!Shop.Program.Main()", 1024),
                                        Pair("Shop.dll!Shop.Program.Main();Shop.dll!Shop.Cart.Add(Item)", 77)));
  EXPECT_EQ(log.property("sampling.hz"), "");
  EXPECT_EQ(log.property("weights.of"), "bytes");
  EXPECT_THAT(log.property("imported.left-out"), HasSubstr("1 profile of another unit"));
  EXPECT_EQ(log.samples[1].ns, 0u);
}

TEST(SpeedscopeImport, OrielsOwnKeepTheirRate) {
  const ReadBack log = imported(file_of(R"J({"type":"sampled","name":"T","unit":"nanoseconds","startValue":0,)J"
                                        R"J("endValue":9,"samples":[[0]],"weights":[3009027]})J",
                                        R"J("exporter":"oriel@1","oriel":{"mode":"process","hz":997},)J"));
  EXPECT_THAT(log.stacks(), ElementsAre(Pair("Shop.dll!Shop.Program.Main()", 3)));
  EXPECT_EQ(log.property("sampling.mode"), "process");
  EXPECT_EQ(log.property("sampling.hz"), "997");
}

TEST(SpeedscopeImport, DotnetTracesFramesAreThoseOfThreads) {
  const std::string text =
      R"J({"exporter":"Microsoft.Diagnostics.Tracing.TraceEvent@3","shared":{"frames":[)J"
      R"J({"name":"Process64 dotnet (9) Args: Shop.dll 4"},{"name":"Threads"},{"name":"Thread (12)"},)J"
      R"J({"name":"Shop!Shop.Program.Main()"},{"name":"CPU_TIME"},{"name":"UNMANAGED_CODE_TIME"},)J"
      R"J({"name":"System.Private.CoreLib!System.Threading.Thread.Sleep(int32)"}]},"profiles":[)J"
      R"J({"type":"sampled","name":"Thread (12)","unit":"milliseconds","startValue":0,"endValue":3,)J"
      R"J("samples":[[0,1,2,3,4],[0,1,2,3,5],[0,1,2,3,6,5]],"weights":[1,1,1]}]})J";
  const ReadBack log = imported(text);
  const std::string main = "Shop.dll!Shop.Program.Main()";
  EXPECT_THAT(log.stacks(),
              ElementsAre(Pair(main, 1),
                          Pair(main + ";System.Private.CoreLib.dll!System.Threading.Thread.Sleep(int);[waiting]", 1),
                          Pair(main + ";[native code or waiting]@native code or waiting", 1)));
  EXPECT_EQ(log.property("sampling.mode"), "real");
  EXPECT_EQ(log.property("command"), "dotnet Shop.dll 4");
  EXPECT_EQ(log.threads.at(1).name, "");
}

std::string sampled(const std::string& unit, const std::string& samples, const std::string& weights) {
  return file_of(R"J({"type":"sampled","name":"T","unit":")J" + unit +
                 R"J(","startValue":0,"endValue":9,"samples":[)J" + samples + R"J(],"weights":[)J" + weights + "]}");
}

std::string evented(const std::string& events, const std::string& end = R"J(,"endValue":100)J") {
  return file_of(R"J({"type":"evented","name":"T","unit":"milliseconds","startValue":0)J" + end + R"J(,"events":[)J" +
                 events + "]}");
}

constexpr char kMain[] = "Shop.dll!Shop.Program.Main()";
const std::string kAdd = std::string(kMain) + ";Shop.dll!Shop.Cart.Add(Item)";

TEST(SpeedscopeImport, WeightsThatAreNotWholeAreCountedInParts) {
  for (const char* unit : {"none", "bytes", ""}) {
    const ReadBack log = imported(sampled(unit, "[0],[0,1]", "10.5,20"));
    EXPECT_THAT(log.stacks(), ElementsAre(Pair(kMain, 10'500), Pair(kAdd, 20'000))) << unit;
    EXPECT_EQ(log.property("weights.of"), std::string(*unit == 0 ? "none" : unit) + ", in thousandths");
    EXPECT_EQ(log.property("imported.left-out"), "");
  }
  EXPECT_THAT(imported(sampled("none", "[0],[0,1]", "0.25,0.75")).stacks(),
              ElementsAre(Pair(kMain, 250), Pair(kAdd, 750)));
  const ReadBack small = imported(sampled("none", "[0],[0,1]", "0.0000005,3"));
  EXPECT_THAT(small.stacks(), ElementsAre(Pair(kMain, 500), Pair(kAdd, 3'000'000'000)));
  EXPECT_EQ(small.property("weights.of"), "none, in billionths");
}

TEST(SpeedscopeImport, WhatIsRoundedIsSaidAndTheSumIsRight) {
  const ReadBack log = imported(sampled("none", "[0],[0],[0]", "0.333333333333,0.333333333333,0.333333333333"));
  EXPECT_THAT(log.stacks(), ElementsAre(Pair(kMain, 1'000'000)));
  EXPECT_EQ(log.property("weights.of"), "none, in millionths");
  EXPECT_EQ(log.property("imported.left-out"), "3 weights rounded to whole millionths, what is left going to the next");
  const ReadBack parts = imported(sampled("nanoseconds", "[0],[0],[0],[0],[0,1]", "0.25,0.25,0.25,0.25,7"));
  EXPECT_THAT(parts.stacks(), ElementsAre(Pair(kMain, 1), Pair(kAdd, 7)));
  EXPECT_THAT(parts.property("imported.left-out"), HasSubstr("4 weights rounded to whole nanoseconds"));
  EXPECT_EQ(
      refused(sampled("nanoseconds", "[0]", "0.1")),
      "it has no stacks with a weight; left out: 1 weight rounded to whole nanoseconds, what is left going to the "
      "next");
}

TEST(SpeedscopeImport, ShortTimesHaveAShortPeriod) {
  struct Case {
    const char *unit, *weights, *hz;
    uint64_t main, add;
  };
  for (const auto& [unit, weights, hz, main, add] :
       {Case{"nanoseconds", "900,999", "1000000000", 900, 999}, Case{"nanoseconds", "900,1200", "10000000", 9, 12},
        Case{"microseconds", "0.25,0.75", "100000000", 25, 75}, Case{"nanoseconds", "10,5.5", "1000000000", 10, 6},
        Case{"microseconds", "1500.4,3000000", "10000000", 15'004, 30'000'000},
        Case{"microseconds", "7,12", "1000000", 7, 12}, Case{"seconds", "0.0000001,0.3", "10000000", 1, 3'000'000}}) {
    const ReadBack log = imported(sampled(unit, "[0],[0,1]", weights));
    EXPECT_THAT(log.stacks(), ElementsAre(Pair(kMain, main), Pair(kAdd, add))) << weights;
    EXPECT_EQ(log.property("sampling.hz"), hz) << weights;
    EXPECT_EQ(log.property("weights.of"), "time");
  }
}

TEST(SpeedscopeImport, AnEmptyStackIsIdleTime) {
  const ReadBack log = imported(sampled("milliseconds", "[],[0],[]", "5,10,20"));
  EXPECT_THAT(log.stacks(), ElementsAre(Pair(kMain, 1)));
  EXPECT_EQ(log.samples[0].ns, 5'000'000u);
  EXPECT_EQ(log.property("imported.left-out"), "2 samples with an empty stack (idle)");
  EXPECT_EQ(log.end_ns, 35'000'000u);
  EXPECT_EQ(refused(sampled("none", "[]", "5")),
            "it has no stacks with a weight; left out: 1 sample with an empty stack (idle)");
}

TEST(SpeedscopeImport, FramesThatNoEventEndsAreOpenToTheEnd) {
  const std::string opens = R"J({"type":"O","frame":0,"at":0},{"type":"O","frame":1,"at":10})J";
  const ReadBack log = imported(evented(opens));
  EXPECT_THAT(log.stacks(), ElementsAre(Pair(kMain, 1), Pair(kAdd, 9)));
  EXPECT_EQ(log.property("imported.left-out"), "");
  EXPECT_THAT(imported(evented(opens, "")).stacks(), ElementsAre(Pair(kMain, 1)));
}

TEST(SpeedscopeImport, AThreadIsThereToTheEndOfItsLastSample) {
  const auto ends = [](const std::string& text) {
    std::vector<uint64_t> ns;
    for (const log::Event& event : imported(text).events_of(oriel_event_thread_stopped)) ns.push_back(event.counter);
    return ns;
  };
  EXPECT_THAT(ends(evented(R"J({"type":"O","frame":0,"at":0},{"type":"O","frame":1,"at":5},)J"
                           R"J({"type":"C","frame":1,"at":10},{"type":"C","frame":0,"at":10})J")),
              ElementsAre(10'000'000));
  EXPECT_THAT(ends(sampled("milliseconds", "[0],[0,1]", "5,10")), ElementsAre(15'000'000));
  EXPECT_THAT(ends(sampled("none", "[0],[0,1]", "5,10")), IsEmpty());
  LogMaker maker;
  ASSERT_TRUE(parse_speedscope(sampled("milliseconds", "[0]", "5"), maker));
  EXPECT_EQ(maker.events(), 0u);
}

TEST(SpeedscopeImport, TheFrameOfThreadsOutsideOfManagedCodeComesBack) {
  const ReadBack log = imported(
      R"J({"shared":{"frames":[{"name":"[native code or waiting]","file":"native code or waiting"}]},"profiles":[)J"
      R"J({"type":"sampled","name":"T","unit":"seconds","startValue":0,"endValue":1,"samples":[[0]],"weights":[1]}]})J");
  EXPECT_THAT(log.stacks(), ElementsAre(Pair("[native code or waiting]@native code or waiting", 1)));
}

TEST(SpeedscopeImport, EventsThatDoNotFitAreTold) {
  EXPECT_EQ(refused(evented(R"J({"type":"O","frame":0,"at":50},{"type":"C","frame":0,"at":20})J")),
            "it has no stacks with a weight; left out: 1 event's step back in time");
  const ReadBack log = imported(
      evented(R"J({"type":"O","frame":0,"at":0},{"type":"O","frame":1,"at":10},{"type":"C","frame":0,"at":20},)J"
              R"J({"type":"C","frame":1,"at":30})J"));
  EXPECT_THAT(log.stacks(), ElementsAre(Pair(kMain, 1), Pair(kAdd, 1)));
  EXPECT_EQ(log.property("imported.left-out"),
            "1 end of a frame that is not open, 1 frame that was open when its caller ended");
}

TEST(SpeedscopeImport, HostileTextsAreRefusedOrRead) {
  EXPECT_THAT(refused("{"), HasSubstr("it is no JSON, or is cut"));
  EXPECT_THAT(refused("{}"), HasSubstr("it has no profiles"));
  EXPECT_THAT(refused(file_of(R"J({"type":"sampled","unit":"seconds","samples":[[9]],"weights":[0]})J")),
              HasSubstr("it has no stacks with a weight"));
  EXPECT_THAT(refused(std::string(200'000, '[')), HasSubstr("it is no JSON"));
  const ReadBack log = imported(file_of(R"J({"type":"sampled","name":"a\u0000b\u001b[31m","unit":"seconds",)J"
                                        R"J("samples":[[0],[4294967295,-1,1],[1e300]],"weights":[1,2,-5]})J"));
  EXPECT_THAT(log.property("imported.left-out"), HasSubstr("weight is negative"));
  EXPECT_EQ(log.stacks().at("Shop.dll!Shop.Cart.Add(Item)"), 2u);
}

TEST(SpeedscopeImport, IsKnownByItsContents) {
  EXPECT_TRUE(is_speedscope(file_of("")));
  EXPECT_TRUE(is_speedscope(" {\"shared\": {\"frames\": []"));
  EXPECT_FALSE(is_speedscope("{\"traceEvents\":[]}"));
  EXPECT_FALSE(is_speedscope(""));
}

}  // namespace
}  // namespace oriel::imports
