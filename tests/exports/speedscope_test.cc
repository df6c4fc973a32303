#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "exports/build_profile.h"
#include "exports/export.h"
#include "exports/hostile.h"
#include "exports/text.h"

namespace oriel::exports {
namespace {

using nlohmann::json;
using testing::ProfileBuilder;

std::string speedscope(const profile::Profile& profile) {
  std::ostringstream out;
  const Status status = write_export(**find_export("speedscope"), profile, out);
  EXPECT_TRUE(status) << status.message();
  return out.str();
}

// Requirements of the file format's schema for a file with sampled profiles.
void expect_valid(const json& file) {
  EXPECT_EQ(file.at("$schema"), "https://www.speedscope.app/file-format-schema.json");
  const json& frames = file.at("shared").at("frames");
  for (const json& frame : frames) {
    EXPECT_TRUE(frame.at("name").is_string());
    EXPECT_FALSE(frame.at("name").get<std::string>().empty());
    for (const auto& [key, value] : frame.items()) EXPECT_TRUE(key == "name" || key == "file") << key;
  }
  for (const json& profile : file.at("profiles")) {
    EXPECT_EQ(profile.at("type"), "sampled");
    EXPECT_TRUE(profile.at("name").is_string());
    static const std::set<std::string> units = {"none",         "nanoseconds", "microseconds",
                                                "milliseconds", "seconds",     "bytes"};
    EXPECT_TRUE(units.contains(profile.at("unit")));
    const json &samples = profile.at("samples"), &weights = profile.at("weights");
    EXPECT_EQ(samples.size(), weights.size());
    EXPECT_GT(samples.size(), 0u);
    uint64_t sum = 0;
    for (const json& weight : weights) sum += weight.get<uint64_t>();
    EXPECT_EQ(profile.at("startValue"), 0);
    EXPECT_EQ(profile.at("endValue"), sum);
    for (const json& stack : samples)
      for (const json& frame : stack) EXPECT_LT(frame.get<size_t>(), frames.size());
  }
  EXPECT_TRUE(file.at("profiles").empty() || file.at("activeProfileIndex").get<size_t>() < file.at("profiles").size());
}

std::vector<std::string> names_of(const json& file, const json& stack) {
  std::vector<std::string> names;
  for (const json& frame : stack) names.push_back(file["shared"]["frames"][frame.get<size_t>()]["name"]);
  return names;
}

TEST(Speedscope, OneProfileAThreadInTheOrderOfTime) {
  ProfileBuilder builder;
  const uint32_t idle = builder.thread("Idle", 1), main = builder.thread("Main", 2), pool = builder.thread("", 3);
  const uint32_t add = builder.function("Cart.Add(int)", "Shop.dll"),
                 copy = builder.function("memcpy", "libc.so.6", false);
  const uint32_t caller = builder.stack({add}), callee = builder.stack({add, copy});
  builder.sample(pool, callee);
  for (const uint32_t node : {caller, callee, callee, caller}) builder.sample(main, node);
  builder.sample(main, 0, 3);
  (void)idle;

  const json file = json::parse(speedscope(builder.profile()));
  expect_valid(file);
  EXPECT_EQ(file["name"], "dotnet shop.dll --fast");
  ASSERT_EQ(file["profiles"].size(), 2u);
  EXPECT_EQ(file["activeProfileIndex"], 0);
  const json& first = file["profiles"][0];
  EXPECT_EQ(first["name"], "Main");
  EXPECT_EQ(first["unit"], "nanoseconds");
  EXPECT_EQ(first["weights"], json::array({1'000'000, 2'000'000, 1'000'000, 3'000'000}));
  ASSERT_EQ(first["samples"].size(), 4u);
  EXPECT_EQ(names_of(file, first["samples"][0]), std::vector<std::string>{"Cart.Add(int)"});
  EXPECT_EQ(names_of(file, first["samples"][1]), (std::vector<std::string>{"Cart.Add(int)", "memcpy"}));
  EXPECT_EQ(names_of(file, first["samples"][3]), std::vector<std::string>{"[stack could not be read]"});
  EXPECT_EQ(file["profiles"][1]["name"], "Thread 3");
  const json& frame = file["shared"]["frames"][first["samples"][0][0].get<size_t>()];
  EXPECT_EQ(frame["file"], "Shop.dll");
}

TEST(Speedscope, ShowsTheBusiestThreadFirst) {
  ProfileBuilder builder;
  const uint32_t node = builder.named_stack({"A"});
  builder.thread("Unused", 1);
  builder.sample(builder.thread("Little", 2), node);
  builder.sample(builder.thread("Much", 3), node, 5);
  const json file = json::parse(speedscope(builder.profile()));
  EXPECT_EQ(file["profiles"][file["activeProfileIndex"].get<size_t>()]["name"], "Much");
}

TEST(Speedscope, WithoutAKnownPeriodCountsSamples) {
  ProfileBuilder builder;
  builder.profile().sampling_hz = 0;
  builder.sample(builder.thread("T", 1), builder.named_stack({"A"}), 2);
  const json file = json::parse(speedscope(builder.profile()));
  expect_valid(file);
  EXPECT_EQ(file["profiles"][0]["unit"], "none");
  EXPECT_EQ(file["profiles"][0]["weights"], json::array({2}));
}

TEST(Speedscope, HostileNamesArriveClean) {
  ProfileBuilder builder;
  std::multiset<std::string> wanted;
  for (const std::string& name : testing::hostile_names()) {
    builder.sample(builder.thread(name, 5), builder.named_stack({name}));
    wanted.insert(name.empty() ? "[unknown]" : clean_text(name));
  }
  builder.profile().intro.properties[0].second = testing::hostile_names()[0];
  const json file = json::parse(speedscope(builder.profile()));
  expect_valid(file);
  std::multiset<std::string> found;
  for (const json& profile : file["profiles"]) found.insert(names_of(file, profile["samples"][0])[0]);
  EXPECT_EQ(found, wanted);
}

TEST(Speedscope, NothingSampledIsAValidFile) { expect_valid(json::parse(speedscope(profile::Profile()))); }

}  // namespace
}  // namespace oriel::exports
