// The web page's data: its contents, and that its figures match the reports.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>

#include "exports/build_profile.h"
#include "exports/export.h"
#include "exports/hostile.h"
#include "heap/maker/heap_log.h"
#include "oriel/oriel.h"
#include "profile/work/category.h"
#include "report/memory/heap_snapshots.h"
#include "report/shares.h"
#include "report/summary.h"

namespace oriel::exports {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::ProfileBuilder;

std::string page_of(const profile::Profile& profile, const Options& options = {}) {
  std::ostringstream out;
  const Status status = write_export(**find_export("html"), profile, out, options);
  EXPECT_TRUE(status) << status.message();
  return out.str();
}

json data_of(const profile::Profile& profile, const Options& options = {}) {
  const std::string page = page_of(profile, options);
  const std::string begin = "id=\"data\">";
  const size_t from = page.find(begin) + begin.size();
  return json::parse(page.substr(from, page.find("</script>", from) - from));
}

uint64_t sum_of(const json& tree, const char* column) {
  uint64_t sum = 0;
  for (const json& thread : tree["threads"])
    for (const json& weight : thread[column]) sum += weight.get<uint64_t>();
  return sum;
}

// The weights of a tree by the names of their groups.
std::map<std::string, uint64_t> by_group(const json& data, size_t number) {
  const json& tree = data["trees"][number];
  std::map<std::string, uint64_t> sums;
  for (const json& thread : tree["threads"]) {
    std::map<size_t, size_t> other;
    for (const json& entry : thread["other"]) other[entry[0]] = entry[1];
    size_t node = 0;
    for (size_t i = 0; i < thread["nodes"].size(); ++i) {
      node += thread["nodes"][i].get<size_t>();
      const size_t group = other.contains(i) ? other[i] : tree["group"][node - 1].get<size_t>();
      sums[data["groups"][group][1]] += thread["self"][i].get<uint64_t>();
    }
  }
  return sums;
}

// Two threads in own code, a library and the runtime, with a collection; also calls and allocations.
profile::Profile shop() {
  ProfileBuilder builder;
  profile::Profile& profile = builder.profile();
  const uint32_t main = builder.thread("Main", 1), pool = builder.thread("Pool", 2);
  const uint32_t run = builder.function("Shop.Run()", "Shop.dll"), add = builder.function("Shop.Add()", "Shop.dll"),
                 sort = builder.function("System.Array.Sort()", "System.Private.CoreLib.dll"),
                 runtime = builder.function("[libcoreclr.so]", "libcoreclr.so", false),
                 item = builder.function("Shop.Item", "Shop.dll");
  profile.functions[item].type = true;
  builder.sample(main, builder.stack({run, add}), 10);
  builder.sample(main, builder.stack({run, sort}), 20);
  builder.sample(pool, builder.stack({run, runtime}), 30);
  builder.sample(pool, builder.stack({run, runtime}), 40);
  profile.pauses = {{profile.samples[3].ns, 1, ORIEL_SUSPEND_GC}};
  profile.unfiltered_periods = 100;
  profile.call_nodes = {{}, {0, run, false}, {1, add, false}};
  profile.call_figures = {{}, {main, 1, 1, 0, 0, 300, 300}, {main, 2, 5, 0, 0, 700, 700}};
  profile.allocations = {{main, 2, item, add, 3, 4'500}, {pool, 2, item, sort, 2, 100}};
  profile.call_totals = {{.enters = 6, .allocated = 5}};
  return profile;
}

TEST(Page, HasAllWeightsOfTheLog) {
  const json data = data_of(shop());
  std::vector<std::string> names;
  std::vector<uint64_t> sums;
  for (const json& weight : data["weights"]) {
    names.push_back(weight["name"]);
    sums.push_back(sum_of(data["trees"][weight["tree"].get<size_t>()], weight["column"] == 0 ? "self" : "second"));
  }
  EXPECT_THAT(names, ElementsAre("samples", "calls-time", "calls", "bytes", "objects"));
  EXPECT_THAT(sums, ElementsAre(100, 1'000, 6, 4'600, 5));
  EXPECT_EQ(data["facts"]["weight"], "samples");
  EXPECT_EQ(data["facts"]["estimated"], false);
}

TEST(Page, TellsWhenSamplesWere) {
  const profile::Profile profile = shop();
  const json data = data_of(profile);
  const json& time = data["time"];
  EXPECT_GE(time["end"], profile.wall_ns);
  uint64_t periods = 0;
  for (const json& thread : data["trees"][0]["threads"]) {
    ASSERT_EQ(thread["parts"].size(), thread["nodes"].size());
    for (const json& parts : thread["parts"])
      for (size_t i = 1; i < parts.size(); i += 2) periods += parts[i].get<uint64_t>();
  }
  EXPECT_EQ(periods, profile.total_periods());
  for (const json& thread : data["trees"][1]["threads"]) EXPECT_TRUE(thread["parts"].empty()) << "calls have none";
  for (const json& lane : time["lanes"]) {
    for (const char* runs : {"ran", "waits"}) {
      uint64_t length = 0;
      for (size_t i = 1; i < lane[runs].size(); i += 2) length += lane[runs][i].get<uint64_t>();
      EXPECT_EQ(length, time["parts"].get<uint64_t>());
    }
  }
}

TEST(Page, SaysHowMuchIsLeftOutOfTheTimeLine) {
  profile::Profile profile = shop();
  EXPECT_TRUE(data_of(profile)["time"]["leftOut"].empty());
  profile.wall_ns = 10'000;
  profile.pauses.clear();
  for (int i = 0; i < 2003; ++i) profile.pauses.push_back({i, i == 0 ? 7 : 1, 0});
  for (int i = 0; i < 85; ++i) {
    profile::CounterSeries series;
    series.name = std::to_string(i);
    series.points = {{5, i < 2 ? 0.0 : 1.0}};
    profile.series.push_back(series);
  }
  const json time = data_of(profile)["time"];
  ASSERT_EQ(time["pauses"].size(), 2000u);
  EXPECT_THAT(time["pauses"], ::testing::Contains(json({0, 7}))) << "the longest";
  // The process's pause series is one of them.
  EXPECT_EQ(time["leftOut"], json({{"pauses", 3}, {"counters", 4}}));
}

TEST(Page, HasTheMarksOfTheTimeItShows) {
  profile::Profile profile = shop();
  profile.wall_ns = 1'000'000;
  profile.marks = {{1'000, "deploy 2"}, {2'000'000, "after the end"}};
  EXPECT_EQ(data_of(profile)["time"]["marks"], json({{1'000, "deploy 2"}}));
  for (int64_t i = 0; i < 502; ++i) profile.marks.push_back({i, "again"});
  const json time = data_of(profile)["time"];
  EXPECT_EQ(time["marks"].size(), 500u);
  EXPECT_EQ(time["leftOut"]["marks"], 3);
}

TEST(Page, HasRequestsLocksPausesAndCounters) {
  profile::Profile profile = shop();
  profile::Activity request;
  request.end_ns = 30;
  request.ns = 20;
  request.name = "GET /cart";
  request.failed = true;
  profile.activities.push_back(request);
  profile::CounterSeries series;
  series.name = "n";
  series.unit = "By";
  series.tags = {"a=b"};
  series.points = {{5, 7.25}};
  profile.series.push_back(series);
  profile.pauses = {{10, 5, 0}};
  profile::LockWait wait;
  wait.end_ns = 9;
  wait.ns = 4;
  wait.type = 1;
  profile.lock_waits.push_back(wait);
  const json time = data_of(profile)["time"];
  EXPECT_EQ(time["requests"], json({{"names", {"GET /cart"}}, {"all", {{10, 20, 0, 1}}}}));
  EXPECT_EQ(time["pauses"], json::array({{10, 5}}));
  EXPECT_EQ(time["locks"][0][2], 4);
  EXPECT_EQ(time["locks"][0][4], -1);
  EXPECT_EQ(time["counters"].back()["name"], "n {a=b}");
  EXPECT_EQ(time["counters"].back()["parts"][0], 7.25);
}

TEST(Page, BeginsWithTheWeightThatWasAskedFor) {
  Options options;
  options.weight = profile::WeightKind::kObjects;
  EXPECT_EQ(data_of(shop(), options)["facts"]["weight"], "objects");
  profile::Profile profile = shop();
  profile.samples.change().clear();
  profile.unfiltered_periods = 0;
  EXPECT_EQ(data_of(profile)["facts"]["weight"], "calls-time");  // no samples
}

TEST(Page, CountsToTheGroupsThatTheSummaryHas) {
  const profile::Profile profile = shop();
  std::map<std::string, uint64_t> wanted;
  for (const profile::Share& share : profile::shares(profile)) wanted[report::share_name(share)] += share.periods;
  ASSERT_EQ(wanted.size(), 4U);
  EXPECT_EQ(wanted["GC"], 40U);
  const json data = data_of(profile);
  EXPECT_EQ(by_group(data, 0), wanted);
  // Allocations belong to the group of the allocating code, not of the type.
  EXPECT_EQ(by_group(data, 2), (std::map<std::string, uint64_t>{{"your code", 4'500}, {"base library", 100}}));
}

TEST(Page, SaysWhatTheSummarySays) {
  profile::Profile profile = shop();
  profile.activities.push_back(
      {.end_ns = 30, .ns = 20, .id = "1", .parent = "", .source = "Web", .name = "GET /", .tags = {}});
  const json summary = data_of(profile)["summary"];
  std::vector<report::Fact> facts = report::wait_facts(profile, {});
  ASSERT_EQ(facts.size(), 1u);
  EXPECT_EQ(facts[0].label, std::string("Requests"));
  for (const report::Fact& fact : report::summary_facts(profile)) facts.push_back(fact);
  ASSERT_EQ(summary["facts"].size(), facts.size());
  for (size_t i = 0; i < facts.size(); ++i) {
    EXPECT_EQ(summary["facts"][i][0], facts[i].label);
    EXPECT_EQ(summary["facts"][i][1], facts[i].text);
  }
  EXPECT_EQ(summary["own"], json(report::own_methods_json(profile, 10)));
}

TEST(Page, NamesAreTextOnly) {
  ProfileBuilder builder;
  const uint32_t thread = builder.thread("</script><script>alert(1)</script>", 1);
  for (const std::string& name : testing::hostile_names())
    builder.sample(thread, builder.stack({builder.function(name, name, true, name + "raw")}));
  builder.profile().intro.properties = {{"command", "<img src=x onerror=alert(1)>"}, {"host", "<b>&amp;"}};
  builder.profile().sampling_mode = "<i>";
  const std::string page = page_of(builder.profile());
  const size_t from = page.find("id=\"data\">") + 10, size = page.find("</script>", from) - from;
  EXPECT_TRUE(json::accept(page.substr(from, size)));
  EXPECT_THAT(page.substr(from, size), Not(HasSubstr("<")));
}

TEST(Page, OtherNamesAreThoseThatAreOthers) {
  ProfileBuilder builder;
  const uint32_t thread = builder.thread("Main", 1);
  const auto sample = [&](const char* name, const char* raw) {
    builder.sample(thread, builder.stack({builder.function(name, "Shop.dll", true, raw)}));
  };
  sample("Shop.Cart.Add(int)", "Shop.Cart.Add(System.Int32)");
  sample("Shop.List<T>.Add(T)", "Shop.List`1[System.__Canon].Add(System.__Canon)");
  sample("Shop.Cart.AddAsync(int)", "Shop.Cart+<AddAsync>d__3.MoveNext()");
  sample("Shop.List<T>.SortAsync()", "Shop.List`1+<SortAsync>d__1[System.__Canon].MoveNext()");
  const json data = data_of(builder.profile());
  std::vector<std::string> others;
  for (const json& frame : data["frames"]["all"])
    if (frame.size() > 4) others.push_back(frame[4]);
  EXPECT_THAT(others,
              ElementsAre("Shop.Cart+<AddAsync>d__3.MoveNext", "Shop.List`1+<SortAsync>d__1[System.__Canon].MoveNext"));
}

// What each node of a snapshot's tree retains, by its path of names.
std::map<std::string, uint64_t> retained_in(const json& data, const json& snapshot) {
  std::map<size_t, std::string> names;
  for (const json& frame : data["frames"]["all"]) names[frame[0]] = frame[1];
  const json& tree = data["trees"][snapshot["tree"].get<size_t>()];
  const size_t nodes = tree["up"].size();
  std::vector<uint64_t> retained(nodes + 1);
  std::vector<std::string> paths(nodes + 1);
  for (size_t i = nodes; i > 0; --i) {
    retained[i] += tree["threads"][0]["self"][i - 1].get<uint64_t>();
    retained[i - tree["up"][i - 1].get<size_t>()] += retained[i];
  }
  std::map<std::string, uint64_t> sums = {{"", retained[0]}};
  for (size_t i = 1; i <= nodes; ++i) {
    paths[i] = paths[i - tree["up"][i - 1].get<size_t>()] + "/" + names.at(tree["frame"][i - 1].get<size_t>());
    sums[paths[i]] += retained[i];
  }
  return sums;
}

void expect_retained(const json& branches, const std::string& path, const std::map<std::string, uint64_t>& page) {
  for (const json& branch : branches) {
    const std::string here = path + "/" + branch["name"].get<std::string>();
    ASSERT_TRUE(page.contains(here)) << here;
    EXPECT_EQ(page.at(here), branch["retained"].get<uint64_t>()) << here;
    expect_retained(branch["below"], here, page);
  }
}

TEST(Page, HasWhatTheReportSaysOfTheHeap) {
  heap::HeapLog log;
  const profile::Profile profile = log.snapshot(1000).snapshot(2000).load();
  const json data = data_of(profile);
  ASSERT_EQ(data["heap"]["snapshots"].size(), 2u);
  EXPECT_EQ(data["weights"].back()["name"], "heap");
  for (const json& snapshot : data["heap"]["snapshots"]) {
    report::HeapOptions options;
    options.snapshot = snapshot["name"] == "snapshot 1" ? "1" : "2";
    options.dominators = options.json = true;
    std::ostringstream out;
    ASSERT_TRUE(report::write_report(*report::find_report("heap"), profile, options, out));
    const json told = json::parse(out.str());
    EXPECT_EQ(snapshot["says"], told["heap_snapshots"]["verdict"]["text"]);
    const auto page = retained_in(data, snapshot);
    expect_retained(told["dominators"], "", page);
    const report::HeapData heap =
        report::read_heap(profile, *report::choose_snapshots(profile, options), report::HeapParts::kGraph);
    EXPECT_EQ(page.at(""), heap.loaded->tree.retained[0]);
  }
  const json& last = data["heap"]["snapshots"].back();
  EXPECT_THAT(last["says"].get<std::string>(), HasSubstr("Shop.Order grew from 1,005 to 2,001 objects"));
  EXPECT_THAT(last["says"].get<std::string>(), HasSubstr("static Shop.Cache.Orders"));
  EXPECT_THAT(last["note"].get<std::string>(), HasSubstr("80.0 kB of garbage"));
  EXPECT_THAT(last["objects"], ::testing::Contains(2000));
}

TEST(Page, HasSomeOfManySnapshots) {
  heap::HeapLog log;
  for (int i = 0; i < 20; ++i) log.snapshot(3);
  const json heap = data_of(log.load())["heap"];
  ASSERT_EQ(heap["snapshots"].size(), 8u);
  EXPECT_EQ(heap["snapshots"].front()["name"], "snapshot 1");
  EXPECT_EQ(heap["snapshots"].back()["name"], "snapshot 20");
  EXPECT_EQ(heap["leftOut"], 12);
}

TEST(Page, SaysWhySnapshotsAreNotShown) {
  heap::HeapLog log;
  profile::Profile profile = log.snapshot(3).load();
  std::filesystem::remove(log.path());
  const json data = data_of(profile);
  EXPECT_TRUE(data["heap"]["snapshots"].empty());
  EXPECT_EQ(data["weights"][0]["name"], "samples");
  EXPECT_THAT(data["summary"]["facts"].dump(), HasSubstr("snapshot 1 is not shown: "));
}

TEST(Page, IsSmallWhateverTheHeapIs) {
  heap::HeapLog log;
  const profile::Profile profile = log.texts(100'000).load();
  EXPECT_LT(page_of(profile).size(), 200'000u);
}

}  // namespace
}  // namespace oriel::exports
