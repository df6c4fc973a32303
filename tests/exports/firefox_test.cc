// The Firefox Profiler's JSON, read by the rules of its version 60.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "exports/export.h"
#include "exports/text.h"
#include "exports/timed_shop.h"

namespace oriel::exports {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

// All columns of a table are as long as it says, and refer to rows that there are.
void expect_table(const json& table, const std::map<std::string, size_t>& limits) {
  const auto length = table.at("length").get<size_t>();
  for (const auto& [name, column] : table.items()) {
    if (name == "length" || name == "weightType") continue;
    ASSERT_EQ(column.size(), length) << name;
    const auto limit = limits.find(name);
    if (limit == limits.end()) continue;
    for (const json& value : column) {
      const bool is_none = value.is_null() || value == -1;
      EXPECT_TRUE(is_none || value.get<size_t>() < limit->second) << name;
    }
  }
}

class FirefoxFile {
 public:
  explicit FirefoxFile(const profile::Profile& profile) {
    std::ostringstream out;
    const Status status = write_export(**find_export("firefox"), profile, out);
    EXPECT_TRUE(status) << status.message();
    file = json::parse(out.str());
    check();
  }

  json file;

  std::string text(const json& index) const { return file["shared"]["stringArray"][index.get<size_t>()]; }

  // "Main;Add" and the category of the innermost frame.
  std::string stack(const json& index) const {
    std::string names;
    const json& shared = file["shared"];
    const auto frame_of = [&](const json& at) { return shared["stackTable"]["frame"][at.get<size_t>()].get<size_t>(); };
    for (json at = index; !at.is_null(); at = shared["stackTable"]["prefix"][at.get<size_t>()]) {
      const auto function = shared["frameTable"]["func"][frame_of(at)].get<size_t>();
      names = text(shared["funcTable"]["name"][function]) + (names.empty() ? "" : ";") + names;
    }
    const auto category = shared["frameTable"]["category"][frame_of(index)].get<size_t>();
    return names + " [" + file["meta"]["categories"][category]["name"].get<std::string>() + "]";
  }

  const json& thread(const std::string& name) const {
    for (const json& thread : file["threads"])
      if (thread["name"] == name) return thread;
    ADD_FAILURE() << name;
    return file["threads"][0];
  }

  std::vector<std::string> markers(const std::string& thread_name) const {
    std::vector<std::string> all;
    const json& table = thread(thread_name)["markers"];
    for (size_t i = 0; i < table["length"]; ++i)
      all.push_back(text(table["name"][i]) + " " + table["startTime"][i].dump() + "-" + table["endTime"][i].dump() +
                    " " + table["data"][i].dump());
    return all;
  }

 private:
  void check() {
    EXPECT_EQ(file["meta"]["preprocessedProfileVersion"], 60);
    EXPECT_EQ(file["meta"]["categories"][0]["color"], "grey") << "the category of what has none";
    const json& shared = file["shared"];
    const size_t strings = shared["stringArray"].size(), stacks = shared["stackTable"]["length"],
                 frames = shared["frameTable"]["length"], functions = shared["funcTable"]["length"],
                 categories = file["meta"]["categories"].size();
    expect_table(shared["stackTable"], {{"frame", frames}, {"prefix", stacks}});
    for (size_t i = 0; i < stacks; ++i) {
      const json& prefix = shared["stackTable"]["prefix"][i];
      EXPECT_TRUE(prefix.is_null() || prefix.get<size_t>() < i) << "parents come first";
    }
    expect_table(shared["frameTable"], {{"category", categories}, {"func", functions}});
    for (size_t i = 0; i < frames; ++i) {
      const json& category = file["meta"]["categories"][shared["frameTable"]["category"][i].get<size_t>()];
      EXPECT_LT(shared["frameTable"]["subcategory"][i], category["subcategories"].size());
    }
    expect_table(
        shared["funcTable"],
        {{"name", strings}, {"resource", shared["resourceTable"]["length"]}, {"source", shared["sources"]["length"]}});
    expect_table(shared["resourceTable"], {{"name", strings}});
    expect_table(shared["sources"], {{"filename", strings}});
    std::set<std::string> schemas;
    for (const json& schema : file["meta"]["markerSchema"]) schemas.insert(schema["name"]);
    for (const json& thread : file["threads"]) {
      expect_table(thread["samples"], {{"stack", stacks}});
      EXPECT_TRUE(std::ranges::is_sorted(thread["samples"]["time"]));
      expect_table(thread["markers"], {{"name", strings}, {"category", categories}});
      for (const json& data : thread["markers"]["data"]) EXPECT_TRUE(schemas.contains(data["type"])) << data;
    }
  }
};

TEST(Firefox, SamplesHaveTheirTimeThreadAndStack) {
  const FirefoxFile firefox(testing::timed_shop().profile());
  const json& main = firefox.thread("Main");
  EXPECT_EQ(main["isMainThread"], true);
  EXPECT_EQ(main["pid"], "100");
  EXPECT_EQ(main["samples"]["time"], json::array({0, 2.0, 3.0, 5.0}));
  EXPECT_EQ(main["samples"]["weight"], json::array({1, 1, 1, 3}));
  EXPECT_EQ(main["samples"]["threadCPUDelta"], json::array({1'000'000, 1'000'000, 1'000'000, 3'000'000}));
  std::vector<std::string> stacks;
  for (const json& stack : main["samples"]["stack"]) stacks.push_back(firefox.stack(stack));
  EXPECT_EQ(stacks[1], "Shop.Program.Main();Shop.Cart.Add(int) [Own code]");
  EXPECT_THAT(stacks[0], ::testing::StartsWith("Shop.Program.Main();Shop.Cart.Add(int);memcpy ["));
  const json& pool = firefox.thread("Thread 101");
  EXPECT_EQ(pool["isMainThread"], false);
  EXPECT_THAT(firefox.stack(pool["samples"]["stack"][0]), ::testing::StartsWith("[stack could not be read] ["));
  EXPECT_EQ(firefox.stack(pool["samples"]["stack"][1]), "[callers not known];Shop.Cart.Add(int) [Own code]");
}

TEST(Firefox, WhatHappenedIsMarkersOfThreads) {
  const FirefoxFile firefox(testing::timed_shop().profile());
  std::vector<std::string> names;
  for (const std::string& marker : firefox.markers("Main")) names.push_back(marker.substr(0, marker.find(" {")));
  EXPECT_THAT(names, UnorderedElementsAre("GC generation 2, background 10.0-40.0", "GC generation 0 20.0-25.0",
                                          "GC generation 1 90.0-100.0", ::testing::HasSubstr("10.0-11.0"),
                                          ::testing::StartsWith("Paused: "), "Shop.Oops 5.0-null", "Shop.Oops 6.0-null",
                                          "half way 50.0-null"));
  const std::vector<std::string> pool = firefox.markers("Thread 101");
  EXPECT_EQ(pool.size(), 4u);
  EXPECT_THAT(pool, ::testing::Contains(
                        "query 12.0-18.0 {\"failed\":\"no\",\"id\":\"b\",\"parent\":\"a\",\"source\":\"Shop.Web\","
                        "\"tags\":\"peer.port=80\",\"type\":\"request\"}"));
}

TEST(Firefox, ASampleHasItsOwnCategory) {
  testing::ProfileBuilder builder = testing::timed_shop();
  const uint32_t collector = builder.thread(".NET Server GC", 102);
  const uint32_t runtime = builder.function("[libcoreclr.so]", "libcoreclr.so", false);
  builder.sample(collector, builder.stack({runtime}));
  builder.sample(0, builder.stack({runtime}));
  const FirefoxFile firefox(builder.profile());
  EXPECT_EQ(firefox.stack(firefox.thread(".NET Server GC")["samples"]["stack"][0]), "[libcoreclr.so] [GC]");
}

TEST(Firefox, HostileNamesArriveClean) {
  const FirefoxFile firefox(testing::hostile_shop().profile());
  EXPECT_EQ(firefox.file["threads"].size(), testing::hostile_names().size());
  for (const json& text : firefox.file["shared"]["stringArray"])
    EXPECT_EQ(text.get<std::string>(), clean_text(text.get<std::string>()));
}

TEST(Firefox, NothingSampledIsAValidFile) { EXPECT_TRUE(FirefoxFile(profile::Profile()).file["threads"].empty()); }

}  // namespace
}  // namespace oriel::exports
