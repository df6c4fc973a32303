// The lists below the graph of the page, in a headless Chromium.
#include <gmock/gmock.h>

#include "viewer/page_of_shop.h"

namespace oriel {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::logged_shop;
using testing::ProfileBuilder;
using testing::shop;

class Lists : public testing::Viewer {};

TEST_F(Lists, AllMethodsAreListedWithAllTheirFigures) {
  const json page = run(logged_shop(), R"js(
    const search = async (text) => {
      $("list-search").value = text;
      $("list-search").dispatchEvent(new Event("input", {bubbles: true}));
      await settle();
    };
    const columns = () => [...$("list-columns").children].map((column) => column.innerText + " " + column.ariaSort);
    report("lists", [...$("list-names").children].map((button) => button.innerText));
    report("columns", columns());
    report("rows", rows("list-rows"));
    await press_button("list-columns", "Calls");
    report("by calls", [...rows("list-rows").slice(0, 2), $("list-count").innerText, document.activeElement.innerText]);
    await press_button("list-columns", "Method");
    await press_button("list-columns", "Method");
    report("down", [columns()[5], rows("list-rows")[0]]);
    await search("^shop\\.cart");
    report("found", [...rows("list-rows"), $("list-count").innerText]);
    await search("(");  // no regular expression
    report("plain", $("list-count").innerText);
    await search("d__3");
    report("raw", rows("list-rows"));
    await search("");
    await press_button("weights", "Bytes");
    await choose(data.threads.findIndex(([name]) => name === "Pool"));
    report("same", rows("list-rows").length);
    await press_button("list-rows", "Sum()");
    report("opened", $("method").querySelector("h2").innerText);
    await press("o", document.body);
    report("key", document.activeElement.id);
  )js");
  EXPECT_THAT(page["lists"], ElementsAre("Methods"));
  EXPECT_THAT(page["columns"], ElementsAre("Self descending", "Total none", "Calls none", "Bytes none", "Objects none",
                                           "Method none", "Module none"));
  EXPECT_THAT(page["rows"], ElementsAre("300 ms 400 ms Shop.Cart.Sum() Shop.dll", "300 ms 300 ms write libtea.so",
                                        "200 ms 600 ms 2 4.50 kB 3 Shop.Cart.AddAsync(int) Shop.dll",
                                        "100 ms 1.00 s 1 Shop.Program.Main(string[]) Shop.dll",
                                        "100 ms 100 ms JIT_MemCpy libcoreclr.so"));
  EXPECT_THAT(page["by calls"],
              ElementsAre("200 ms 600 ms 2 4.50 kB 3 Shop.Cart.AddAsync(int) Shop.dll",
                          "100 ms 1.00 s 1 Shop.Program.Main(string[]) Shop.dll", "5 methods", "Calls"));
  EXPECT_THAT(page["down"], ElementsAre("Method descending", "300 ms 300 ms write libtea.so"));
  EXPECT_THAT(page["found"],
              ElementsAre("300 ms 400 ms Shop.Cart.Sum() Shop.dll",
                          "200 ms 600 ms 2 4.50 kB 3 Shop.Cart.AddAsync(int) Shop.dll", "2 methods of 5"));
  EXPECT_EQ(page["plain"], "3 methods of 5");
  EXPECT_THAT(page["raw"], ElementsAre(HasSubstr("AddAsync")));
  EXPECT_EQ(page["same"], 5);
  EXPECT_EQ(page["opened"], "Shop.Cart.Sum()");
  EXPECT_EQ(page["key"], "list-search");
}

TEST_F(Lists, AllCollectionsAreListed) {
  ProfileBuilder builder = shop();
  profile::Profile& profile = builder.profile();
  const uint32_t collector = builder.thread("GC 1", 7), other = builder.thread("GC 2", 8);
  using profile::GcPhase;
  profile::Collection young{
      .number = 4, .generation = 0, .start_ns = 1'000'000'000, .end_ns = 1'005'000'000, .pause_ns = 5'000'000};
  young.phases[static_cast<size_t>(GcPhase::kMarkStacks)] = 2'000'000;
  young.heap = profile::HeapSizes{};
  young.heap->bytes[0] = 3'000'000;
  profile::Collection old{
      .number = 5, .generation = 2, .induced = true, .start_ns = 2'000'000'000, .pause_ns = 1'000'000};
  profile.collections = {young, old};
  profile.gc_stretches = {{1'001'000'000, 1'002'000'000, GcPhase::kMarkStacks, 0, collector},
                          {1'001'000'000, 1'003'500'000, GcPhase::kMarkOlder, 0, other},
                          {1'003'500'000, 1'005'000'000, GcPhase::kPlan, 0}};
  const json page = run(profile, R"js(
    await press_button("list-names", "Collections");
    report("focus", document.activeElement.innerText);
    report("columns", [...$("list-columns").children].map((column) => column.innerText));
    report("rows", rows("list-rows"));
    await press_button("list-columns", "Generation");
    report("oldest", rows("list-rows")[0]);
    await press_button("list-columns", "Took");
    report("took", rows("list-rows"));
    $("list-search").value = "induced";
    $("list-search").dispatchEvent(new Event("input", {bubbles: true}));
    await settle();
    report("found", $("list-count").innerText);
    report("wide", document.documentElement.scrollWidth <= innerWidth);
  )js");
  EXPECT_EQ(page["focus"], "Collections");
  EXPECT_THAT(page["columns"],
              ElementsAre("Number", "Began", "Generation", "Paused", "Took", "Reason", "Heap", "Marking", "Threads"));
  const std::string first = "4 1.00 s 0 5.00 ms 5.00 ms 3.00 MB 2.00 ms GC 1 1.00 ms, GC 2 2.50 ms";
  const std::string second = "5 2.00 s 2 1.00 ms – induced, not ended –";
  EXPECT_THAT(page["rows"], ElementsAre(first, second));
  EXPECT_EQ(page["oldest"], second);
  EXPECT_THAT(page["took"], ElementsAre(first, second)) << "what is not known comes last";
  EXPECT_EQ(page["found"], "1 collection of 2");
  EXPECT_EQ(page["wide"], true);
}

TEST_F(Lists, CollectionsOfSeveralLogsSayWhoseTheyAre) {
  ProfileBuilder builder = shop();
  profile::Profile& profile = builder.profile();
  const uint32_t first = builder.thread("GC 1", 7), second = builder.thread("GC 2", 8);
  profile.threads[second].process = 1;
  profile.processes.resize(2);
  profile.processes[0].name = "Shop";
  profile.processes[0].pid = 1;
  profile.processes[1].name = "Mail";
  profile.processes[1].pid = 2;
  profile::Collection shop_own{.number = 1, .start_ns = 1'000'000, .end_ns = 9'000'000, .pause_ns = 8'000'000};
  profile::Collection mail_own{.number = 1, .start_ns = 2'000'000, .end_ns = 6'000'000, .pause_ns = 4'000'000};
  mail_own.process = 1;
  profile.collections = {shop_own, mail_own};
  profile.gc_stretches = {{3'000'000, 4'000'000, profile::GcPhase::kMarkStacks, 0, first},
                          {3'000'000, 5'000'000, profile::GcPhase::kMarkStacks, 1, second}};
  const json page = run(profile, R"js(
    await press_button("list-names", "Collections");
    report("rows", rows("list-rows"));
    $("list-search").value = "mail";
    $("list-search").dispatchEvent(new Event("input", {bubbles: true}));
    await settle();
    report("found", $("list-count").innerText);
  )js");
  EXPECT_THAT(page["rows"], ElementsAre("Shop (1) 1 1.00 ms 0 8.00 ms 8.00 ms GC 1 1.00 ms",
                                        "Mail (2) 1 2.00 ms 0 4.00 ms 4.00 ms GC 2 2.00 ms"));
  EXPECT_EQ(page["found"], "1 collection of 2");
}

TEST_F(Lists, LongListsAreShownByParts) {
  ProfileBuilder builder;
  const uint32_t thread = builder.thread("Main", 100);
  for (uint32_t i = 0; i < 250; ++i)
    builder.sample(thread, builder.stack({builder.function("F" + std::to_string(i), "a.dll")}), i + 1);
  const json page = run(builder.profile(), R"js(
    const counts = [];
    for (let i = 0; i < 3; i++) {
      counts.push([rows("list-rows").length, $("list-more").hidden]);
      $("list-more").click();
    }
    report("counts", counts);
  )js");
  EXPECT_EQ(page["counts"], json({{100, false}, {200, false}, {250, true}}));
}

}  // namespace
}  // namespace oriel
