#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "log/writer.h"
#include "oriel/oriel.h"
#include "profile/shop/shop_log.h"
#include "report/report.h"

namespace oriel::report {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Dump : public ::testing::Test {
 protected:
  Dump() : path_(::testing::TempDir() + "oriel-dump-" + std::to_string(getpid()) + ".oriel") {}
  ~Dump() override { std::remove(path_.c_str()); }

  std::string text(const profile::Filter& filter = {}, const Options& options = {}) {
    std::ostringstream out;
    const Status status = write_dump(path_, filter, options, out);
    EXPECT_TRUE(status) << status.message();
    return out.str();
  }
  std::vector<json> lines(const profile::Filter& filter = {}, Options options = {}) {
    options.json = true;
    std::istringstream in(text(filter, options));
    std::vector<json> result;
    for (std::string line; std::getline(in, line);) result.push_back(json::parse(line));
    return result;
  }
  std::map<std::string, int> kinds(const profile::Filter& filter = {}) {
    std::map<std::string, int> result;
    for (const json& line : lines(filter)) ++result[line["kind"]];
    return result;
  }
  // Events at the current clock, which the writer reads for each block of events.
  void write_events() {
    const auto writer = log::Writer::create(path_);
    ASSERT_TRUE(writer);
    log::Intro intro;
    intro.clock = clock_pair();
    (*writer)->intro(intro);
    log::Mapping mapping = testing::shop_mapping();
    mapping.start = mapping.end = intro.clock;
    (*writer)->mapping(mapping);
    uint8_t gc[log::kMaxFieldBytes];
    uint8_t* gc_end = log::encode_field(log::encode_field(log::encode_field(gc, 3), 1), 1);
    uint8_t thrown[log::kMaxFieldBytes];
    uint8_t* thrown_end = log::encode_field(thrown, 3);
    uint8_t clause[log::kMaxFieldBytes];
    constexpr uint64_t kNone = 0;
    uint8_t* clause_end =
        log::encode_field(log::encode_field(log::encode_field(clause, 3), ORIEL_CLAUSE_FINALLY), kNone);
    uint8_t named[2 * log::kMaxFieldBytes];
    uint8_t* named_end = log::encode_field(log::encode_field(named, 2), "renamed");
    const uint64_t now = clock_counter();
    const std::vector<log::RawEvent> events = {
        {now, log::describe_event("gc_begin")->number, {gc, gc_end}},
        {now, log::describe_event("exception_throw")->number, {thrown, thrown_end}},
        {now, log::describe_event("exception_clause")->number, {clause, clause_end}},
        {now, log::describe_event("thread_name")->number, {named, named_end}},
    };
    (*writer)->events(1, events);
    ASSERT_TRUE((*writer)->flush({}));
  }
  std::string path_;
};

TEST_F(Dump, HasEveryRecordOnce) {
  testing::write_shop_log(path_, true);
  EXPECT_EQ(kinds(), (std::map<std::string, int>{{"intro", 1},
                                                 {"image", 1},
                                                 {"class", 4},
                                                 {"method", 4},
                                                 {"library", 2},
                                                 {"native", 2},
                                                 {"thread", 3},
                                                 {"sample", 26},
                                                 {"process", 1},
                                                 {"lost", 1},
                                                 {"end", 1}}));
}

TEST_F(Dump, SamplesHaveTimeThreadAndStack) {
  testing::write_shop_log(path_, true);
  for (const json& line : lines()) {
    if (line["kind"] != "sample") continue;
    EXPECT_EQ(line["ns"], 1'000'000);
    EXPECT_EQ(line["thread"], "main");
    EXPECT_EQ(line["thread_id"], 1);
    EXPECT_THAT(line["stack"].get<std::vector<std::string>>(),
                ElementsAre("memcpy", "Shop.Cart.AddAsync(System.String, int)", "Shop.Program.Main(string[])"));
    break;
  }
  EXPECT_THAT(text(), HasSubstr("     0.001000  sample                  main                  stack=memcpy < "
                                "Shop.Cart.AddAsync(System.String, int) < Shop.Program.Main(string[])\n"));
}

TEST_F(Dump, EventsHaveNamedFields) {
  write_events();
  std::map<std::string, json> events;
  for (const json& line : lines()) events[line["kind"]] = line;
  EXPECT_EQ(events["gc_begin"]["number"], 3);
  EXPECT_EQ(events["gc_begin"]["generation"], 1);
  EXPECT_EQ(events["gc_begin"]["reason"], "induced");
  EXPECT_EQ(events["exception_throw"]["exception"], "System.InvalidOperationException");
  EXPECT_EQ(events["exception_throw"]["class_id"], 3);
  EXPECT_EQ(events["exception_throw"]["thread"], "main");
  EXPECT_EQ(events["thread_name"]["name"], "renamed");
  EXPECT_EQ(events["thread_name"]["which_id"], 2);
}

TEST_F(Dump, RecordsHaveTheFieldsOfTheFormatByTheirNames) {
  testing::write_shop_log(path_, true);
  std::map<std::string, json> records;
  for (const json& line : lines()) records.emplace(line["kind"], line);
  const auto keys = [&](const char* kind) {
    std::string all;
    for (const auto& [key, value] : records[kind].items()) all += (all.empty() ? "" : " ") + key;
    return all;
  };
  EXPECT_EQ(keys("class"), "id image instance_size kind name");
  EXPECT_EQ(keys("thread"), "kind managed name os_id thread thread_id");
  EXPECT_EQ(keys("native"), "id kind library name");
  EXPECT_EQ(keys("process"), "kind max_rss_kb ns system_us unix_us user_us");
  EXPECT_EQ(keys("end"), "kind ns unix_us version");
  EXPECT_TRUE(records["thread"]["managed"].is_boolean());
  EXPECT_EQ(records["class"]["image"], records["image"]["name"]);
}

TEST_F(Dump, WhatAnEventDoesNotHaveIsLeftOut) {
  write_events();
  EXPECT_THAT(text(), ::testing::ContainsRegex("exception_clause +main +method=Shop.Cart.Total\\(\\)  method_id=3  "
                                               "clause=finally\n"));
  int clauses = 0;
  for (const json& line : lines()) {
    if (line["kind"] != "exception_clause") continue;
    ++clauses;
    EXPECT_EQ(line["clause"], "finally");
    EXPECT_FALSE(line.contains("exception") || line.contains("class_id") || line.contains("index"));
  }
  EXPECT_EQ(clauses, 1);
}

TEST_F(Dump, CallGraphsHaveTheirNodes) {
  const auto writer = log::Writer::create(path_);
  ASSERT_TRUE(writer);
  log::Intro intro;
  intro.clock = {1'000'000'000, 1'700'000'000'000'000};
  (*writer)->intro(intro);
  log::Mapping mapping = testing::shop_mapping();
  mapping.start = intro.clock;
  mapping.end = {1'100'000'000, 1'700'000'000'200'000};  // two nanoseconds a count
  (*writer)->mapping(mapping);
  log::CallGraph graph;
  graph.thread = mapping.threads[0].id;
  graph.counter = 1'001'000'000;
  const uint64_t method = mapping.methods[0].id, klass = mapping.classes[0].id;
  graph.nodes = {{1, 0, method, true, 3, 400, 0, 0, {}}, {2, 1, method, false, 5, 300, 1, 0, {{klass, 2, 48}}}};
  graph.timings = {{2, 7, 70, 1, 5000, 30}};
  (*writer)->call_graph(graph);
  ASSERT_TRUE((*writer)->flush({}));
  std::vector<json> found = lines();
  std::erase_if(found, [](const json& line) { return !line["kind"].get<std::string>().starts_with("call_"); });
  ASSERT_EQ(found.size(), 4u);
  for (const json& line : found) {
    EXPECT_EQ(line["thread_id"], graph.thread);
    EXPECT_EQ(line["ns"], 2'000'000);
  }
  EXPECT_EQ(found[0]["kind"], "call_graph");
  EXPECT_EQ(found[1]["kind"], "call_node");
  EXPECT_EQ(found[1]["node"], 1);
  EXPECT_EQ(found[1]["running"], true);
  EXPECT_EQ(found[1]["took_ns"], 800);
  EXPECT_EQ(found[2]["parent"], 1);
  EXPECT_THAT(found[2]["method"].get<std::string>(), HasSubstr(mapping.methods[0].name));
  EXPECT_EQ(found[2]["calls"], 5);
  EXPECT_EQ(found[2]["allocations"], "2 " + mapping.classes[0].name + " (48 bytes)");
  EXPECT_EQ(found[3]["kind"], "call_timing");
  EXPECT_EQ(found[3]["timed"], 7);
  EXPECT_EQ(found[3]["timed_ns"], 140);
  EXPECT_EQ(found[3]["long_ns"], 10'000);
  EXPECT_EQ(found[3]["waited_ns"], 30);
  profile::Filter filter;
  filter.from_ns = 1'900'000;
  filter.to_ns = 2'100'000;
  EXPECT_EQ(kinds(filter)["call_node"], 2);
}

TEST_F(Dump, Filters) {
  testing::write_shop_log(path_, true);
  profile::Filter filter;
  filter.thread = "worker 1";
  EXPECT_EQ(kinds(filter), (std::map<std::string, int>{{"sample", 3}}));
  filter = {};
  filter.from_ns = 5'000'000;
  filter.to_ns = 6'000'000;
  EXPECT_EQ(kinds(filter), (std::map<std::string, int>{{"sample", 2}}));
  filter = {};
  filter.method = "Total";
  EXPECT_EQ(kinds(filter), (std::map<std::string, int>{{"sample", 4}}));
}

TEST_F(Dump, Limit) {
  testing::write_shop_log(path_, true);
  Options options;
  options.limit = 5;
  EXPECT_EQ(lines({}, options).size(), 5u);
}

TEST_F(Dump, NoFile) {
  std::ostringstream out;
  EXPECT_FALSE(write_dump("/no/such/file.oriel", {}, {}, out));
  EXPECT_TRUE(out.str().empty());
}

}  // namespace
}  // namespace oriel::report
