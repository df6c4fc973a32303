#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "imports/formats.h"
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
  EXPECT_THAT(log.property("imported.left-out"), HasSubstr("1 ends of frames that are not open"));
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
  EXPECT_THAT(log.property("imported.left-out"), HasSubstr("1 profiles of another unit"));
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
