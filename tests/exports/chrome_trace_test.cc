#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "exports/export.h"
#include "exports/text.h"
#include "exports/timed_shop.h"
#include "exports/trace_text.h"

namespace oriel::exports {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::IsSupersetOf;

json chrome_trace(const profile::Profile& profile) {
  std::ostringstream out;
  const Status status = write_export(**find_export("chrome-trace"), profile, out);
  EXPECT_TRUE(status) << status.message();
  return json::parse(out.str());
}

std::string stack_of(const json& file, std::string id) {
  std::string names;
  for (std::set<std::string> seen; !id.empty();) {
    EXPECT_TRUE(seen.insert(id).second);
    const json& frame = file.at("stackFrames").at(id);
    names = frame.at("name").get<std::string>() + (names.empty() ? "" : ";") + names;
    id = frame.value("parent", "");
  }
  return names;
}

// Names of threads, with what looks like one, by number.
std::map<uint32_t, std::string> threads_of(const json& file) {
  std::map<uint32_t, std::string> names;
  for (const json& event : file.at("traceEvents"))
    if (event.at("ph") == "M" && event.at("name") == "thread_name") {
      EXPECT_TRUE(names.try_emplace(event.at("tid").get<uint32_t>(), event.at("args").at("name")).second);
    }
  return names;
}

TEST(ChromeTrace, SamplesHaveTheirTimeThreadAndStack) {
  const json file = chrome_trace(testing::timed_shop().profile());
  std::vector<std::string> samples;
  for (const json& sample : file.at("samples"))
    samples.push_back(sample.at("ts").dump() + " " + threads_of(file).at(sample.at("tid").get<uint32_t>()) + " " +
                      sample.at("weight").dump() + " " + stack_of(file, sample.at("sf")));
  const std::string outer = "Shop.Program.Main();Shop.Cart.Add(int)";
  EXPECT_THAT(samples, ElementsAre("0 Main 1000000 " + outer + ";memcpy", "2000.0 Main 1000000 " + outer,
                                   "3000.0 Main 1000000 " + outer + ";memcpy",
                                   "4000.0 Thread 101 1000000 [stack could not be read]",
                                   "5000.0 Main 3000000 " + outer + ";memcpy",
                                   "9000.0 Thread 101 1000000 [callers not known];Shop.Cart.Add(int)"));
}

TEST(ChromeTrace, WhatHappenedIsOnItsTracks) {
  const json file = chrome_trace(testing::timed_shop().profile());
  const std::map<uint32_t, std::string> threads = threads_of(file);
  std::vector<std::string> events;
  for (const json& event : file.at("traceEvents")) {
    EXPECT_TRUE(event.at("ph") == "M" || event.at("ph") == "C" || event.at("pid") == 100) << event;
    if (event.at("ph") == "X" || event.at("ph") == "i")
      events.push_back(threads.at(event.at("tid").get<uint32_t>()) + ": " + event.at("name").get<std::string>() + " " +
                       event.at("ts").dump() + (event.contains("dur") ? "+" + event["dur"].dump() : "") +
                       (event.contains("sf") ? " at " + stack_of(file, event["sf"]) : ""));
    if (event.at("ph") == "C") events.push_back(event.at("name").get<std::string>() + " " + event.at("args").dump());
  }
  EXPECT_THAT(events, IsSupersetOf({"Garbage collections: GC generation 2, background 10000.0+30000.0",
                                    "Garbage collections: GC generation 0 20000.0+5000.0",
                                    "Thread 101: Wait for System.Threading.Lock 10000.0+20000.0 at Shop.Program.Main();"
                                    "Shop.Cart.Add(int)",
                                    "Main: Shop.Oops 6000.0", "Marks: half way 50000.0",
                                    "Requests: query 12000.0+6000.0", "stock {kind=tea} {\"{piece}\":6.5}"}));
}

TEST(ChromeTrace, HostileNamesArriveClean) {
  const json file = chrome_trace(testing::hostile_shop().profile());
  EXPECT_EQ(file.at("samples").size(), testing::hostile_names().size());
  for (const json& sample : file.at("samples")) {
    const std::string name = stack_of(file, sample.at("sf"));
    EXPECT_EQ(name, clean_text(name));
  }
}

TEST(ChromeTrace, NothingSampledIsAValidFile) { EXPECT_TRUE(chrome_trace(profile::Profile()).at("samples").empty()); }

TEST(TraceText, TimesHaveAllTheirDigits) {
  EXPECT_EQ(thousandths(1'234'567), "1234.567");
  EXPECT_EQ(thousandths(7), "0.007");
  EXPECT_EQ(thousandths(0), "0");
  EXPECT_EQ(thousandths(-1), "0");
  EXPECT_EQ(json_number(1.0 / 0.0), "0");
  EXPECT_EQ(json_number(6.5), "6.5");
}

}  // namespace
}  // namespace oriel::exports
