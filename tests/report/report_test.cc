// Each report of a known log: the whole text, and the JSON.
#include "report/report.h"
#include "report/words/named_method.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "log/properties.h"
#include "profile/build/builder.h"
#include "profile/shop/shop_log.h"
#include "report/report_text.h"
#include "report/words/text.h"

namespace oriel::report {
namespace {

using nlohmann::json;
using oriel::testing::json_of;
using oriel::testing::text_of;
using profile::Profile;
using ::testing::HasSubstr;
using ::testing::Not;

void expect_fits(const std::string& text, size_t width) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(display_width(line), width) << line;
}

NamedOptions callers_of(const char* method) {
  NamedOptions options;
  options.name = method;
  return options;
}

TEST(NamedMethod, IsSuggestedWhereOneIsNearElseOwnOnes) {
  const profile::Profile profile = testing::shop_profile();
  const auto said = [&](const char* method) { return check_method("callers", profile, callers_of(method)).message(); };
  EXPECT_THAT(said("Recurze"), ::testing::EndsWith("try one of: Shop.Cart.Recurse(int)"));
  EXPECT_THAT(said("cart.total"), ::testing::EndsWith("try one of: Shop.Cart.Total()"));
  EXPECT_THAT(said("Nope"), ::testing::Not(::testing::HasSubstr("[")));
}

TEST(Summary, WholeText) {
  EXPECT_EQ(text_of("summary", testing::shop_profile()),
            R"text(Spent in    55.2 % your code, 34.5 % libc.so.6, 6.9 % runtime, unknown, 3.4 % unknown
            → oriel report shares

   own            total           your code  → oriel report top
51.7 %  15.0 ms  51.7 %  15.0 ms  Shop.Cart.AddAsync(System.String, int)
20.7 %  6.00 ms  34.5 %  10.0 ms  Shop.Cart.Recurse(int)
13.8 %  4.00 ms  13.8 %  4.00 ms  Shop.Cart.Total()
 3.4 %  1.00 ms  89.7 %  26.0 ms  Shop.Program.Main(string[])
Own: self and library callees (Just My Code). → oriel report lines Cart.AddAsync

Command     dotnet shop.dll --orders 12
Runtime     CoreCLR 10.0.12, process 4711 on no-such-host
Started     2026-05-28 20:26:40 UTC
Time        100 ms wall, 25.0 ms CPU (20.0 ms user + 5.00 ms system), 0.25 of 2 cores busy
Memory      51.2 MB peak
Code        2 methods compiled (3 compilations, all tiers)
Samples     29 of CPU time, 1,000 Hz, on 2 threads → oriel report threads
GC          3 collections: 2 gen 0, 1 gen 2; 1 induced
GC pauses   10.0 ms in total, 10.0 % of wall time; longest 4.00 ms at 0.041 s → oriel report gc
Exceptions  5 thrown: 3 System.InvalidOperationException, 1 System.IO.FileNotFoundException, 1
            [class 99, not in the log] → oriel report exceptions

  self            total           by self  → oriel report top
34.5 %  10.0 ms  34.5 %  10.0 ms  memcpy [libc.so.6]
20.7 %  6.00 ms  34.5 %  10.0 ms  Shop.Cart.Recurse(int)
17.2 %  5.00 ms  51.7 %  15.0 ms  Shop.Cart.AddAsync(System.String, int)
13.8 %  4.00 ms  13.8 %  4.00 ms  Shop.Cart.Total()
 6.9 %  2.00 ms   6.9 %  2.00 ms  [libcoreclr.so]
 3.4 %  1.00 ms  89.7 %  26.0 ms  Shop.Program.Main(string[])
 3.4 %  1.00 ms   3.4 %  1.00 ms  [stack could not be read]

 total             self           by total  → oriel report top
89.7 %  26.0 ms   3.4 %  1.00 ms  Shop.Program.Main(string[])
51.7 %  15.0 ms  17.2 %  5.00 ms  Shop.Cart.AddAsync(System.String, int)
34.5 %  10.0 ms  34.5 %  10.0 ms  memcpy [libc.so.6]
34.5 %  10.0 ms  20.7 %  6.00 ms  Shop.Cart.Recurse(int)
13.8 %  4.00 ms  13.8 %  4.00 ms  Shop.Cart.Total()
 6.9 %  2.00 ms   6.9 %  2.00 ms  [libcoreclr.so]
 3.4 %  1.00 ms   3.4 %  1.00 ms  [stack could not be read]
)text");
}

TEST(Summary, CommandsAreOfTheSameLogAndStayWhole) {
  Options options;
  options.same_log = "shop.oriel --thread main";
  const std::string text = text_of("summary", testing::shop_profile(), options);
  EXPECT_THAT(text, HasSubstr(" → oriel report exceptions shop.oriel --thread main\n"));
  EXPECT_THAT(text, HasSubstr("  by self  → oriel report top shop.oriel --thread main\n"));
  // Not wrapped, so that it can be pasted into a shell.
  EXPECT_THAT(text, HasSubstr("\n            → oriel report shares shop.oriel --thread main\n"));
}

TEST(Top, WholeText) {
  EXPECT_EQ(text_of("top", testing::shop_profile()), R"text(Top methods of 29 samples

   own            total           your code
51.7 %  15.0 ms  51.7 %  15.0 ms  Shop.Cart.AddAsync(System.String, int)
20.7 %  6.00 ms  34.5 %  10.0 ms  Shop.Cart.Recurse(int)
13.8 %  4.00 ms  13.8 %  4.00 ms  Shop.Cart.Total()
 3.4 %  1.00 ms  89.7 %  26.0 ms  Shop.Program.Main(string[])
Own: self and library callees (Just My Code).

  self            total           by self
34.5 %  10.0 ms  34.5 %  10.0 ms  memcpy [libc.so.6]
20.7 %  6.00 ms  34.5 %  10.0 ms  Shop.Cart.Recurse(int)
17.2 %  5.00 ms  51.7 %  15.0 ms  Shop.Cart.AddAsync(System.String, int)
13.8 %  4.00 ms  13.8 %  4.00 ms  Shop.Cart.Total()
 6.9 %  2.00 ms   6.9 %  2.00 ms  [libcoreclr.so]
 3.4 %  1.00 ms  89.7 %  26.0 ms  Shop.Program.Main(string[])
 3.4 %  1.00 ms   3.4 %  1.00 ms  [stack could not be read]

 total             self           by total
89.7 %  26.0 ms   3.4 %  1.00 ms  Shop.Program.Main(string[])
51.7 %  15.0 ms  17.2 %  5.00 ms  Shop.Cart.AddAsync(System.String, int)
34.5 %  10.0 ms  34.5 %  10.0 ms  memcpy [libc.so.6]
34.5 %  10.0 ms  20.7 %  6.00 ms  Shop.Cart.Recurse(int)
13.8 %  4.00 ms  13.8 %  4.00 ms  Shop.Cart.Total()
 6.9 %  2.00 ms   6.9 %  2.00 ms  [libcoreclr.so]
 3.4 %  1.00 ms   3.4 %  1.00 ms  [stack could not be read]
)text");
}

TEST(Tree, WholeText) {
  EXPECT_EQ(text_of("tree", testing::shop_profile()), R"text(Call tree of 29 samples

  total     self
 89.7 %    3.4 %  Shop.Program.Main(string[])
 51.7 %   17.2 %  ├ Shop.Cart.AddAsync(System.String, int)
 34.5 %   34.5 %  │ └ memcpy [libc.so.6]
 34.5 %   20.7 %  └ Shop.Cart.Recurse(int) ×2
 13.8 %   13.8 %    └ Shop.Cart.Total()
  6.9 %    6.9 %  [callers not known] → [libcoreclr.so]
  3.4 %    3.4 %  [stack could not be read]
)text");
}

TEST(Callers, WholeText) {
  EXPECT_EQ(text_of("callers", testing::shop_profile(), callers_of("Total")), R"text(Callers of Total

Shop.Cart.Total()
13.8 % of all samples are in it and its callees (100 % below), 13.8 % in itself.
through   starts
100.0 %  100.0 %  Cart.Recurse ×2 ← Program.Main
)text");
}

TEST(Threads, WholeText) {
  EXPECT_EQ(text_of("threads", testing::shop_profile()), R"text(3 threads

 share     time  samples  OS id  kind     first seen  last seen  name
89.7 %  26.0 ms       26    101  managed     0.001 s    0.071 s  main
10.3 %  3.00 ms        3    102  managed     0.030 s    0.086 s  worker 1
                       0    103  managed           –          –  worker 12
)text");
}

TEST(Gc, WholeText) {
  EXPECT_EQ(text_of("gc", testing::shop_profile()), R"text(Garbage collections

collections  induced   paused  of wall     mean  longest  generation
          2        0  8.00 ms    8.0 %  4.00 ms  4.00 ms  0
          1        1  2.00 ms    2.0 %  2.00 ms  2.00 ms  2
          3        1  10.0 ms   10.0 %  3.33 ms  4.00 ms  all

number  generation  began at     took   paused
     1           0   0.041 s  2.00 ms  4.00 ms
     2           2   0.050 s  10.0 ms  2.00 ms  induced
     3           0   0.054 s  2.00 ms  4.00 ms

The runtime also stopped the program 1 time for another reason (rejit), 1.00 ms in total.
)text");
}

TEST(Gc, TellsPhasesWhereTheLogDoes) {
  Profile profile = testing::shop_profile();
  profile.collections[0].phases = {1'000'000, 2'000'000};
  profile.collections[1].phases[static_cast<size_t>(profile::GcPhase::kSweep)] = 2'000'000;
  profile.gc_stretches = {{40'000'000, 41'000'000, profile::GcPhase::kStopping}};
  Options options;
  options.width = 120;
  const std::string text = text_of("gc", profile, options);
  EXPECT_THAT(text, HasSubstr("1.00 ms      0 s  1.00 ms     10.0 %  stopping threads\n"
                              "2.00 ms      0 s  2.00 ms     20.0 %  marking from stacks\n"
                              "    0 s  2.00 ms  2.00 ms     20.0 %  sweeping\n"));
  EXPECT_THAT(text, HasSubstr("0.041 s  2.00 ms  4.00 ms  1.00 ms  2.00 ms"));
  const json gc = json_of("gc", profile);
  EXPECT_EQ(gc["phases"]["mark-stacks"], 2'000'000);
  EXPECT_EQ(gc["all"][1]["phases"]["sweep"], 2'000'000);
}

TEST(Exceptions, WholeText) {
  EXPECT_EQ(text_of("exceptions", testing::shop_profile()), R"text(Exceptions

thrown  caught  type, caught in
     3       2  System.InvalidOperationException
             2    in Shop.Cart.AddAsync(System.String, int)
     1       0  System.IO.FileNotFoundException
     1       1  [class 99, not in the log]
             1    in [method 77, not in the log]
)text");
}

profile::Profile aborted_profile() {
  profile::Profile profile = testing::shop_profile();
  const auto leaf = static_cast<uint32_t>(profile.nodes.size() - 1);
  const std::string& type = profile.exceptions[0].type;
  profile.exception_messages = {{type, "no \x1b[31mtea\nleft", leaf}, {type, std::string(300, 'x'), 0}};
  profile.aborts = {{profile::Abort::Cause::kException, "Shop.Refusal", "no tea", leaf, 0, 0, 0}};
  return profile;
}

TEST(Exceptions, ShowWhatTheySayAndTheOneThatEndedTheProgram) {
  const std::string text = text_of("exceptions", aborted_profile());
  EXPECT_THAT(text, HasSubstr("The program ended by an unhandled Shop.Refusal, “no tea”, thrown by "));
  EXPECT_THAT(text, HasSubstr("“no "));
  EXPECT_THAT(text, ::testing::Not(HasSubstr("\x1b[31m")));
  EXPECT_THAT(text_of("summary", aborted_profile()), ::testing::StartsWith("Ended       by an unhandled Shop.Refusal"));
  EXPECT_EQ(json_of("summary", aborted_profile())["aborts"][0]["type"], "Shop.Refusal");
  const json exceptions = json_of("exceptions", aborted_profile());
  EXPECT_EQ(exceptions["aborts"][0]["cause"], "exception");
  EXPECT_EQ(exceptions["types"][0]["messages"].size(), 2u);
}

TEST(Gc, ShowsTheHeapAndALeak) {
  profile::Profile profile = testing::shop_profile();
  for (uint64_t i = 0; i < profile.collections.size(); ++i) {
    profile.collections[i].generation = 2;
    profile.collections[i].start_ns = static_cast<int64_t>(i) * 40'000'000;
    profile.collections[i].heap = profile::HeapSizes{{0, 0, uint64_t{20'000'000} << (2 * i), 1000, 0, 0}};
  }
  for (const unsigned width : {80u, 100u, 160u}) {
    report::Options options;
    options.width = width;
    const std::string text = text_of("gc", profile, options);
    EXPECT_THAT(text, HasSubstr("heap after collections"));
    EXPECT_THAT(text, HasSubstr("The heap grew from 20.0 MB to 320 MB over 3 full"));
  }
  EXPECT_THAT(text_of("summary", profile), HasSubstr("Heap        320 MB after the last of 3 full collections"));
  profile.wall_ns = 70'000'000'000;
  profile.collections.back().start_ns = profile.wall_ns;
  EXPECT_EQ(json_of("summary", profile)["hints"][0]["hint"], "heap-growth") << "of what lives for more than a minute";
  EXPECT_EQ(json_of("gc", profile)["all"][2]["heap"]["gen2"], 320'000'000);
  EXPECT_EQ(json_of("gc", profile)["heap"]["full"]["goes_on"], true);
}

// Rows are for other programs: lines may have any length, and there are no colors.
bool is_rows(const Report* report) { return std::string_view(report->name) == "rows"; }
NamedOptions any_options(const Report* report) { return callers_of(is_rows(report) ? "samples" : "Shop"); }

TEST(Report, NoLineRunsOverAtAnyWidth) {
  Profile profile = testing::shop_profile();
  profile.functions[1].name = "Very.Long.Namespace.Of.Things<System.Collections.Generic.List<System.Int32>>.Method" +
                              std::string(200, 'x') + "(System.String, System.Int32)";
  profile.intro.properties[0].second = std::string(500, 'c');
  profile.problems = {"at byte 3: " + std::string(300, 'p')};
  profile.threads[0].name = "a thread with a name that nobody would give it, but somebody may 漢字漢字漢字漢字";
  profile.lost = {{"buffer-full", 3}, {"stack-broken", 4}, {"events-no-memory", 5}, {"some-new-reason", 6}};
  profile.state = profile::LogState::kStopped;
  for (const unsigned width : {80u, 100u, 140u}) {
    for (const Report* report : all_reports()) {
      if (report->stream || report->compares || is_rows(report)) continue;
      NamedOptions options = any_options(report);
      options.width = width;
      expect_fits(text_of(report->name, profile, options), width);
    }
  }
}

TEST(Report, ColorOnlyIfAsked) {
  const Profile profile = testing::shop_profile();
  for (const Report* report : all_reports()) {
    if (report->stream || report->compares || is_rows(report)) continue;
    NamedOptions options = any_options(report);
    options.color = false;
    EXPECT_THAT(text_of(report->name, profile, options), Not(HasSubstr("\x1b")));
    options.color = true;
    EXPECT_THAT(text_of(report->name, profile, options), HasSubstr("\x1b["));
  }
}

TEST(Report, HostileNamesSteerNoTerminalAndStayJson) {
  Profile profile = testing::shop_profile();
  for (profile::Function& function : profile.functions) function.name += "\x1b[2J\xff\n";
  profile.threads[0].name = "\x1b]0;owned\x07";
  for (const Report* report : all_reports()) {
    if (report->stream || report->compares) continue;
    EXPECT_THAT(text_of(report->name, profile, any_options(report)), Not(HasSubstr("\x1b")));
    EXPECT_TRUE(json_of(report->name, profile, any_options(report)).is_object());
  }
}

TEST(OwnOptions, OfEachReportGoWhereItsFunctionsSeeThem) {
  for (const Report* report : all_reports()) {
    const std::unique_ptr<Options> options = report->own({});
    EXPECT_EQ(dynamic_cast<NamedOptions*>(options.get()) != nullptr, report->argument != nullptr) << report->name;
    for (const Option& option : report->options) {
      const std::string value = option.words ? option.words().back() : "some";
      EXPECT_TRUE(set_option(*report, *options, option.name, value)) << report->name << " " << option.name;
    }
  }
  const auto said = [](const char* report, const char* option, const char* value) {
    const std::unique_ptr<Options> options = find_report(report)->own({});
    return set_option(*find_report(report), *options, option, value).message();
  };
  EXPECT_EQ(said("gc", "--tree", ""),
            "report gc takes no --tree; it goes with calls, alloc and callgraph; see also oriel report tree");
  EXPECT_EQ(said("top", "--uncovered", ""), "report top takes no --uncovered; it goes with coverage");
  EXPECT_EQ(said("coverage", "--by", "folder"), "--by takes file, type, namespace, assembly or test, not 'folder'");
}

TEST(OwnOptions, AreDefaultsWhereNoneAreGiven) {
  Options options;
  options.limit = 7;
  const std::unique_ptr<Options> own = find_report("callers")->own(options);
  EXPECT_EQ(own->limit, 7u);
  EXPECT_EQ(dynamic_cast<NamedOptions&>(*own).name, "");
}

TEST(Rows, AreCsvForOtherPrograms) {
  Profile profile = testing::shop_profile();
  profile.threads[0].name = "a \"worker\", or so";
  profile.activities = {
      {.end_ns = 5, .ns = 2, .id = "1", .parent = "", .source = "", .name = "GET", .tags = {"a=1", "b"}}};
  profile.lock_waits = {{.end_ns = 30, .ns = 20, .lock = 7, .thread = 0, .type = 1, .node = 1}};
  EXPECT_THAT(text_of("rows", profile, callers_of("activities")),
              ::testing::StartsWith("end,took,id,parent,source,name,failed,tags,thread,thread_os_id\n"
                                    "5,2,1,,,GET,false,\"[\"\"a=1\"\",\"\"b\"\"]\",\"a \"\"worker\"\", or so\","));
  const std::string waits = text_of("rows", profile, callers_of("lock_waits"));
  EXPECT_THAT(waits, HasSubstr(",owner,owner_os_id,type,lock,stack\n30,20,"));
  const json rows = json_of("rows", profile, callers_of("lock_waits"))["rows"];
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_TRUE(rows[0]["owner"].is_null());
  EXPECT_EQ(rows[0]["type"], profile.functions[1].name);
  EXPECT_EQ(json_of("tables", profile)["tables"][3]["rows"], 1);
  EXPECT_THAT(text_of("tables", profile),
              HasSubstr("lock_waits          a thread's wait for a Monitor or a Lock; below 1 ms, a random\n"
                        "                                     part\n"))
      << "what a table is is not cut off";
  std::ostringstream out;
  EXPECT_THAT(write_report(*find_report("rows"), profile, callers_of("nonsense"), out).message(),
              HasSubstr("there are samples, waits,"));
}

TEST(Report, FoundByItsName) {
  for (const Report* report : all_reports()) {
    EXPECT_EQ(find_report(report->name), report);
    EXPECT_TRUE(report->stream || report->compares || ((report->text || report->write) && report->json))
        << report->name;
  }
  EXPECT_EQ(find_report("nonsense"), nullptr);
}

TEST(Report, Errors) {
  const Profile profile = testing::shop_profile();
  std::ostringstream out;
  EXPECT_FALSE(write_report(*find_report("dump"), profile, {}, out));
  EXPECT_THAT(write_report(*find_report("callers"), profile, {}, out).message(), HasSubstr("which method"));
  EXPECT_THAT(write_report(*find_report("callers"), profile, callers_of("recurse"), out).message(),
              HasSubstr("Shop.Cart.Recurse(int)"));
  EXPECT_TRUE(out.str().empty());
  out.setstate(std::ios::badbit);
  EXPECT_THAT(write_report(*find_report("top"), profile, {}, out).message(), HasSubstr("could not be written"));
}

TEST(Json, Summary) {
  const json summary = json_of("summary", testing::shop_profile());
  EXPECT_EQ(summary["report"], "summary");
  EXPECT_EQ(summary["state"], "complete");
  EXPECT_EQ(summary["properties"]["command"], "dotnet shop.dll --orders 12");
  EXPECT_EQ(summary["wall_ns"], 100'000'000);
  EXPECT_EQ(summary["cpu"]["cores_busy"], 0.25);
  EXPECT_EQ(summary["samples"]["periods"], testing::kPeriods);
  EXPECT_EQ(summary["samples"]["threads"], 2);
  EXPECT_EQ(summary["gc"]["collections"], 3);
  EXPECT_EQ(summary["gc"]["pause_ns"], 10'000'000);
  EXPECT_EQ(summary["gc"]["longest_pause_ns"], 4'000'000);
  EXPECT_EQ(summary["gc"]["generations"][1]["induced"], 1);
  EXPECT_EQ(summary["exceptions"][0]["thrown"], 3);
  EXPECT_EQ(summary["top_self"][0]["name"], "memcpy");
  EXPECT_EQ(summary["top_self"][0]["self"], 10);
  EXPECT_EQ(summary["top_total"][0]["name"], "Shop.Program.Main(string[])");
}

TEST(Json, SummarySaysNullForWhatWasNotRecorded) {
  profile::Builder builder;
  log::Intro intro = testing::shop_intro();
  intro.properties = {{"events", "threads"}};
  builder.on_intro(intro);
  const json nothing = json_of("summary", builder.finish({}));
  for (const char* key : {"cpu", "max_rss_kb", "images_loaded", "methods_compiled", "compilations", "samples", "calls",
                          "allocations", "gc", "exceptions", "top_self", "top_total"}) {
    ASSERT_TRUE(nothing.contains(key)) << key;
    EXPECT_TRUE(nothing[key].is_null()) << key;
  }
  const json shop = json_of("summary", testing::shop_profile());
  EXPECT_EQ(shop["methods_compiled"], 2);
  EXPECT_EQ(shop["images_loaded"], 0);
  EXPECT_TRUE(shop["calls"].is_null());
}

TEST(Summary, TellsOrielsOwnTimeApart) {
  Profile profile = testing::shop_profile();
  profile.counters = {{log::counter::kOwnCpu, 5'000}};
  EXPECT_THAT(text_of("summary", profile),
              HasSubstr("100 ms wall, 20.0 ms CPU + 5.00 ms in Oriel's threads (20.0 ms user + "
                        "5.00 ms system),\n            0.20 of 2 cores busy"));
  EXPECT_EQ(json_of("summary", profile)["cpu"]["oriel_us"], 5'000);
}

TEST(Summary, TellsWhatOrielTakesOfTheProgramsThreads) {
  Profile profile = testing::shop_profile();
  profile.sampling_mode = "process";
  profile.sampling_hz = 1000;
  profile.functions.push_back({"[Oriel]", "", "liboriel.so.1", false});
  profile.nodes.push_back({0, static_cast<uint32_t>(profile.functions.size() - 1), false});
  profile.samples.push_back({1, 0, static_cast<uint32_t>(profile.nodes.size() - 1), 7});
  EXPECT_THAT(text_of("summary", profile), HasSubstr(" CPU (7.00 ms of it in Oriel's callbacks) ("));
}

TEST(Summary, NeverMoreCoresThanThereAre) {
  Profile profile = testing::shop_profile();
  profile.wall_ns = 1'000'000;
  profile.state = profile::LogState::kStopped;
  const std::string text = text_of("summary", profile);
  EXPECT_THAT(text, HasSubstr("at least 1.00 ms wall, 25.0 ms CPU"));
  EXPECT_THAT(text, Not(HasSubstr("cores busy")));
  EXPECT_TRUE(json_of("summary", profile)["cpu"]["cores_busy"].is_null());
}

TEST(Json, TreeRowsAddUp) {
  const json rows = json_of("tree", testing::shop_profile())["nodes"];
  EXPECT_EQ(rows[0]["total"], 26);
  EXPECT_EQ(rows[0]["self"], 1);
  std::vector<uint64_t> children(rows.size() + 1);
  for (size_t i = 0; i < rows.size(); ++i) {
    const json& row = rows[i];
    EXPECT_EQ(row["id"], i + 1);
    ASSERT_LE(row["parent"], i);
    const size_t parent = row["parent"];
    EXPECT_EQ(row["depth"], parent == 0 ? 1 : rows[parent - 1]["depth"].get<int>() + 1);
    children[parent] += row["total"].get<uint64_t>();
  }
  EXPECT_EQ(children[0], testing::kPeriods);
  EXPECT_EQ(children[1], 25u);
}

size_t nesting(const std::string& text) {
  size_t depth = 0, deepest = 0;
  for (const char c : text) {
    if (c == '{' || c == '[') deepest = std::max(deepest, ++depth);
    if (c == '}' || c == ']') --depth;
  }
  return deepest;
}

TEST(Json, IsNoDeeperForDeepStacks) {
  profile::Builder builder;
  builder.on_intro(testing::shop_intro());
  for (uint64_t id = 1; id <= 2000; ++id) {
    builder.on_method({id, 0, "Class.Step" + std::to_string(id), ""});
    builder.on_stack_node({id, id - 1, log::FrameKind::kManaged, id, false});
  }
  builder.on_sample(1, {testing::kStart, 2000, 1});
  const Profile profile = builder.finish({});
  NamedOptions options = callers_of("Class.Step2000");
  options.json = true;
  EXPECT_LE(nesting(text_of("tree", profile, options)), 5u);
  EXPECT_LE(nesting(text_of("callers", profile, options)), 6u);
  EXPECT_EQ(json_of("tree", profile)["nodes"].size(), 2000u);
  EXPECT_EQ(json_of("tree", profile)["nodes"][1999]["depth"], 2000);
}

TEST(Json, CallersThreadsGcExceptions) {
  const Profile profile = testing::shop_profile();
  const json callers = json_of("callers", profile, callers_of("memcpy"));
  EXPECT_EQ(callers["methods"][0]["callers"][0]["name"], "Shop.Cart.AddAsync(System.String, int)");
  EXPECT_EQ(callers["methods"][0]["callers"][0]["total"], 10);
  const json threads = json_of("threads", profile);
  EXPECT_EQ(threads["threads"][0]["name"], "main");
  EXPECT_EQ(threads["threads"][2]["first_ns"], nullptr);
  const json gc = json_of("gc", profile);
  EXPECT_EQ(gc["all"][1]["induced"], true);
  EXPECT_EQ(gc["other_pauses"]["rejit"]["ns"], 1'000'000);
  const json exceptions = json_of("exceptions", profile);
  EXPECT_EQ(exceptions["types"][0]["caught_in"][0]["count"], 2);
}

TEST(Summary, TheLimitCutsTables) {
  Options options;
  options.limit = 2;
  const std::string text = text_of("summary", testing::shop_profile(), options);
  EXPECT_THAT(text, HasSubstr("Recurse(int)\n\n total"));
  EXPECT_THAT(text, Not(HasSubstr("Total()")));
  const json summary = json_of("summary", testing::shop_profile(), options);
  EXPECT_EQ(summary["top_self"].size(), 2u);
  EXPECT_EQ(summary["top_total"].size(), 2u);
}

TEST(Filtered, ReportsSayWhatWasKept) {
  Profile profile = testing::shop_profile();
  profile::Filter filter;
  filter.thread = "worker 1";
  filter.from_ns = 31'000'000;
  profile::apply(filter, profile);
  EXPECT_THAT(text_of("summary", profile), HasSubstr("Only thread \"worker 1\", from 0.031 s: 2 of 29 samples"));
  EXPECT_THAT(text_of("tree", profile), HasSubstr("Only thread \"worker 1\""));
  EXPECT_THAT(text_of("exceptions", profile), HasSubstr("Covers the whole log"));
  EXPECT_EQ(json_of("top", profile)["filter"]["thread"], "worker 1");
}

TEST(Empty, SaysWhy) {
  const auto reason = [](const std::function<void(Profile&)>& change) {
    profile::Builder builder;
    builder.on_intro(testing::shop_intro());
    log::DecodeOutcome outcome;
    outcome.ended = true;
    Profile profile = builder.finish(outcome);
    change(profile);
    std::string text = text_of("tree", profile);
    std::replace(text.begin(), text.end(), '\n', ' ');
    EXPECT_THAT(text_of("summary", profile), HasSubstr("No samples"));
    EXPECT_THAT(json_of("summary", profile)["note"].get<std::string>(), HasSubstr("No samples"));
    return text;
  };
  EXPECT_THAT(reason([](Profile&) {}), HasSubstr("for less than one sampling period of 1.00 ms"));
  EXPECT_THAT(reason([](Profile& profile) { profile.sampling_mode = "none"; }), HasSubstr("without sampling"));
  EXPECT_THAT(reason([](Profile& profile) { profile.lost = {{"buffer-full", 7}}; }), HasSubstr("all 7 were lost"));
  EXPECT_THAT(reason([](Profile& profile) { profile.usage.user_us = 50'000; }), HasSubstr("no thread used the CPU"));
}

TEST(Empty, FilterThatKeepsNothingNamesTheThreads) {
  Profile profile = testing::shop_profile();
  profile::Filter filter;
  filter.thread = "nobody";
  profile::apply(filter, profile);
  EXPECT_THAT(text_of("top", profile), HasSubstr("The threads are main, worker 1, worker 12."));
}

TEST(Summary, SharesOfAPartAreOfItsTime) {
  Profile profile = testing::shop_profile();
  profile.filter.from_ns = 50'000'000;
  EXPECT_THAT(text_of("summary", profile), HasSubstr("10.0 ms in total, 20.0 % of wall time;"));
  profile.filter.to_ns = 70'000'000;
  EXPECT_THAT(text_of("gc", profile), HasSubstr("50.0 %"));
  EXPECT_EQ(json_of("gc", profile)["pause_share_of_wall"], 0.5);
}

TEST(Incomplete, IsSaidInPlainWords) {
  Profile profile = testing::shop_profile();
  profile.state = profile::LogState::kRunning;
  EXPECT_THAT(text_of("summary", profile), HasSubstr("The program is still running: the log covers 100 ms so far."));
  profile.intro.properties.emplace_back("age-ms", "5390");
  EXPECT_THAT(text_of("summary", profile),
              HasSubstr("The program is still running: the log covers 100 ms so far, from 5.39 s after the\n"));
  profile.state = profile::LogState::kStopped;
  profile.outcome.torn_bytes = 17;
  profile.outcome.corrupt_blocks = 2;
  const std::string text = text_of("summary", profile);
  EXPECT_THAT(text, HasSubstr("was killed, crashed or called _exit, or the file was cut: the log ends 100"));
  EXPECT_THAT(text, HasSubstr("last 17 bytes"));
  EXPECT_THAT(text, HasSubstr("2 blocks are corrupt"));
  EXPECT_EQ(json_of("summary", profile)["incomplete"].size(), 3u);
}

TEST(Lost, WithShares) {
  Profile profile = testing::shop_profile();
  EXPECT_THAT(text_of("summary", profile), Not(HasSubstr("Lost")));
  profile.lost = {{"buffer-full", 29}, {"stack-deep", 1}};
  const std::string text = text_of("summary", profile);
  EXPECT_THAT(text, HasSubstr("29 samples, 50.0 % of all: a buffer was full"));
  EXPECT_THAT(text, HasSubstr("1 stack truncated, 3.4 % of all: deeper than the limit"));
}

TEST(Lost, CallsAreNoSamples) {
  Profile profile = testing::shop_profile();
  profile.lost = {{"calls-buffer-full", 29}};
  const std::string text = text_of("summary", profile);
  EXPECT_THAT(text, HasSubstr("29 events of calls and allocations"));
  EXPECT_THAT(text, Not(HasSubstr("29 samples")));
}

// A chain of 200 single calls and a fork below it: only the fork is indented.
TEST(Tree, LongChainsShareALine) {
  profile::Builder builder;
  builder.on_intro(testing::shop_intro());
  for (uint64_t id = 1; id <= 200; ++id) {
    builder.on_method({id, 0, "Class.Step" + std::to_string(id) + "(int)", ""});
    builder.on_stack_node({id, id - 1, log::FrameKind::kManaged, id, false});
  }
  builder.on_method({201, 0, "Class.Left()", ""});
  builder.on_method({202, 0, "Class.Right()", ""});
  builder.on_stack_node({201, 200, log::FrameKind::kManaged, 201, false});
  builder.on_stack_node({202, 200, log::FrameKind::kManaged, 202, false});
  builder.on_sample(1, {testing::kStart, 201, 3});
  builder.on_sample(1, {testing::kStart, 202, 1});
  const std::string text = text_of("tree", builder.finish({}));
  expect_fits(text, 100);
  EXPECT_THAT(text, HasSubstr("100.0 %           Class.Step1 → … 19"));
  EXPECT_THAT(text, HasSubstr("→ Step199 → Step200\n"));
  EXPECT_THAT(text, HasSubstr(" 75.0 %   75.0 %  ├ Class.Left()\n 25.0 %   25.0 %  └ Class.Right()\n"));
}

TEST(Tree, AChainKeepsItsManagedFunctionsBeforeNativeOnes) {
  profile::Builder builder;
  builder.on_intro(testing::shop_intro());
  uint64_t id = 0;
  for (const char* name : {"Shop.Program.Deliver()", "Shop.Program.Poll()", "System.Threading.Thread.Sleep(int)"}) {
    builder.on_method({++id, 0, name, ""});
    builder.on_stack_node({id, id - 1, log::FrameKind::kManaged, id, false});
  }
  for (const char* name :
       {"SystemNative_LowLevelMonitor_TimedWait", "pthread_cond_timedwait", "__futex_abstimed_wait"}) {
    builder.on_native({++id, 0, name});
    builder.on_stack_node({id, id - 1, log::FrameKind::kNative, id, false});
  }
  builder.on_sample(1, {testing::kStart, id, 3});
  EXPECT_THAT(text_of("tree", builder.finish({})),
              HasSubstr("Program.Deliver → Poll → Thread.Sleep → … 2 more … → __futex_abstimed_wait\n"));
}

// Forks on all levels: guides are cut before names are.
TEST(Tree, DeepForksStayWithinTheLine) {
  profile::Builder builder;
  builder.on_intro(testing::shop_intro());
  builder.on_method({1, 0, "Some.Namespace.Class.Method(System.String)", ""});
  builder.on_method({2, 0, "Other.Leaf()", ""});
  uint64_t parent = 0;
  for (uint64_t id = 1; id < 300; id += 2) {
    builder.on_stack_node({id, parent, log::FrameKind::kManaged, 1, false});
    builder.on_stack_node({id + 1, id, log::FrameKind::kManaged, 2, false});
    builder.on_sample(1, {testing::kStart, id + 1, 1});
    parent = id;
  }
  Options options;
  options.min_share = 0;
  const std::string text = text_of("tree", builder.finish({}), options);
  expect_fits(text, 100);
  // Where guides are cut, the level shows who calls whom: Leaf is Method's child, not its sibling.
  EXPECT_THAT(text, HasSubstr("  total     self  level\n"));
  EXPECT_THAT(text, HasSubstr("     99  … │ │ │ │ │ │ │ │ │ │ ├ Some.Namespace.Class.Method(System.String)\n"));
  EXPECT_THAT(text, HasSubstr("    100  … │ │ │ │ │ │ │ │ │ │ ├ Some.Namespace.Class.Method(System.String)\n"));
  EXPECT_THAT(text, HasSubstr("    100  … │ │ │ │ │ │ │ │ │ │ └ Other.Leaf()\n"));
  EXPECT_THAT(text, HasSubstr("\n…: omitted guide lines of outer callers; level is the depth of a line.\n"));
}

}  // namespace
}  // namespace oriel::report
