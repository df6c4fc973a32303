// The exported page in a headless Chromium, driven by the events that a person's mouse and keys make.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iostream>

#include "exports/build_profile.h"
#include "exports/hostile.h"
#include "exports/text.h"
#include "heap/maker/heap_log.h"
#include "profile/trees/weight.h"
#include "report/hints/hints.h"
#include "report/memory/heap_snapshots.h"
#include "report/summary.h"
#include "viewer/browser.h"
#include "viewer/page_of_shop.h"
#include "viewer/realistic.h"

namespace oriel {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::logged_shop;
using testing::page_with_script;
using testing::ProfileBuilder;
using testing::run_in_browser;
using testing::shop;
using testing::Viewer;

TEST_F(Viewer, TellsWhatRan) {
  const json page = run(shop().profile(), R"js(
    report("title", document.title);
    report("heading", $("title").textContent);
    report("facts", $("facts").innerText);
    report("legend", $("legend").innerText);
    report("own", rows("own-rows"));
    report("hints", $("hints").hidden);
    report("threads", [...$("thread").options].map((option) => option.text));
  )js");
  EXPECT_EQ(page["title"], "dotnet shop.dll --fast – Oriel");
  EXPECT_EQ(page["heading"], "dotnet shop.dll --fast");
  for (const report::Fact& fact : report::summary_facts(shop().profile())) {
    const bool is_title = std::string_view(fact.label) == "Command";
    EXPECT_THAT(page[is_title ? "heading" : "facts"].get<std::string>(), HasSubstr(fact.text));
  }
  EXPECT_EQ(page["legend"], "60.0 %\nyour code\n30.0 %\nlibtea.so\n10.0 %\nruntime, unknown");
  EXPECT_EQ(page["hints"], true);
  EXPECT_THAT(page["own"],
              ElementsAre("40.0 % 400 ms 40.0 % 400 ms Cart.Sum", "40.0 % 400 ms 100.0 % 1.00 s Program.Main",
                          "20.0 % 200 ms 60.0 % 600 ms Cart.AddAsync"));
  EXPECT_THAT(page["threads"], ElementsAre("All (2 threads)", "70.0 % Main · 100", "30.0 % Pool · 101"));
}

TEST_F(Viewer, HintsHaveTheirNumbers) {
  ProfileBuilder builder;
  const uint32_t thread = builder.thread("Main", 1), main = builder.function("Shop.Program.Main()", "Shop.dll");
  builder.sample(thread, builder.stack({main, builder.function("[PGO counting]", "libcoreclr.so", false)}), 250);
  builder.sample(thread, builder.stack({main}), 750);
  const json page = run(builder.profile(), R"js(report("hints", $("hints").innerText);)js");
  const std::vector<report::Hint> hints = report::hints(builder.profile());
  ASSERT_EQ(hints.size(), 1U);
  EXPECT_EQ(page["hints"], "Hint\n" + hints[0].text);
  EXPECT_THAT(hints[0].text, HasSubstr("25.0 % (250 ms)"));
}

TEST_F(Viewer, ZoomsByClickAndBackByEscapeCrumbAndButton) {
  const json page = run(shop().profile(), R"js(
    await settle();
    report("atStart", crumbs());
    report("emptyRight", painted(0.95, 2));
    await click(0.3, 2);
    report("clicked", crumbs());
    report("filled", painted(0.95, 2));
    report("spent", $("spent-title").innerText + ": " + $("legend").innerText.split("\n").join(" "));
    report("resetShown", !$("reset").hidden);
    await press("Escape");
    report("escaped", crumbs());
    report("emptyAgain", painted(0.95, 2));
    await click(0.1, 3);
    report("deeper", crumbs());
    document.querySelectorAll("#crumbs button")[2].click();
    report("byCrumb", crumbs());
    await press("Backspace");
    report("toCaller", crumbs());
    await click(0.1, 4);
    $("reset").click();
    report("reset", crumbs());
  )js");
  const json main = "Shop.Program.Main(string[])", add = "Shop.Cart.AddAsync(int)", sum = "Shop.Cart.Sum()";
  EXPECT_EQ(page["atStart"], json({"All"}));
  EXPECT_EQ(page["emptyRight"], false);  // Main's own tenth has no callee below it
  EXPECT_EQ(page["clicked"], json({"All", main, add}));
  EXPECT_EQ(page["filled"], true);
  EXPECT_EQ(page["spent"], "In the zoom: 83.3 % your code 16.7 % runtime, unknown");
  EXPECT_EQ(page["resetShown"], true);
  EXPECT_EQ(page["escaped"], json({"All"}));
  EXPECT_EQ(page["emptyAgain"], false);
  EXPECT_EQ(page["deeper"], json({"All", main, add, sum}));
  EXPECT_EQ(page["byCrumb"], json({"All", main, add}));
  EXPECT_EQ(page["toCaller"], json({"All", main}));
  EXPECT_EQ(page["reset"], json({"All"}));
}

TEST_F(Viewer, SearchShowsTheMatchedShare) {
  const json page = run(shop().profile(), R"js(
    const found = async (text) => { await type(text); return $("matches").textContent; };
    report("cart", await found("cart\\.(add|sum)"));
    report("module", await found("libcoreclr"));
    report("raw", await found("MoveNext"));
    report("none", await found("nothing like it"));
    report("literal", await found("Main(string["));
    report("marked", $("matches").classList.contains("literal"));
    await click(0.3, 2);
    report("zoomed", await found("sum|write"));
    await press("Escape", $("search"));
    report("cleared", [$("search").value, $("matches").textContent]);
  )js");
  EXPECT_EQ(page["cart"], "60.0 % · 600 ms · 2 methods");
  EXPECT_EQ(page["module"], "10.0 % · 100 ms · 1 method");
  EXPECT_EQ(page["raw"], "60.0 % · 600 ms · 1 method");
  EXPECT_EQ(page["none"], "no match");
  EXPECT_EQ(page["literal"], "100.0 % · 1.00 s · 1 method");
  EXPECT_EQ(page["marked"], true);
  EXPECT_EQ(page["zoomed"], "66.7 % of zoom · 400 ms · 1 method");
  EXPECT_EQ(page["cleared"], json({"", ""}));
}

TEST_F(Viewer, HoverTellsAllAboutAFrame) {
  const json page = run(shop().profile(), R"js(
    await hover(0.3, 2);
    report("tip", $("tip").innerText);
    report("status", $("status").innerText);
    await hover(0.95, 2);
    report("hidden", $("tip").hidden);
  )js");
  const std::string tip = page["tip"];
  EXPECT_THAT(tip, HasSubstr("Shop.Cart.AddAsync(int)"));
  EXPECT_THAT(tip, HasSubstr("Shop.dll · managed · your code"));
  EXPECT_THAT(tip, HasSubstr("Shop.Cart.<AddAsync>d__3.MoveNext"));
  EXPECT_THAT(tip, HasSubstr("600 ms · 60.0 % of all · 600 samples"));
  EXPECT_THAT(tip, HasSubstr("200 ms · 20.0 % of all · 200 samples"));
  EXPECT_THAT(page["status"].get<std::string>(), HasSubstr("Total 600 ms (60.0 %)"));
  EXPECT_EQ(page["hidden"], true);
}

TEST_F(Viewer, KeysReachEverything) {
  const json page = run(shop().profile(), R"js(
    const says = () => $("live").textContent;
    for (const key of ["ArrowDown", "ArrowDown"]) await press(key);
    report("down", says());
    await press("ArrowRight");
    report("right", says());
    await press("ArrowLeft");
    await press("Enter");
    report("entered", crumbs());
    await press("Escape");
    await press("/");
    report("search", document.activeElement.id);
    await type("sum|write");
    await press("n");
    report("next", says());
    await press("n");
    report("nextAgain", says());
    await press("N");
    report("back", says());
    await press("i");
    report("flame", $("flame").getAttribute("aria-pressed"));
    await press("Home");
    await press("ArrowUp");
    report("up", says());
    await press("?");
    report("help", $("keys").open);
  )js");
  EXPECT_EQ(page["down"], "Shop.Cart.AddAsync(int), 60.0 %");
  EXPECT_EQ(page["right"], "write, 30.0 %");
  EXPECT_EQ(page["entered"], json({"All", "Shop.Program.Main(string[])", "Shop.Cart.AddAsync(int)"}));
  EXPECT_EQ(page["search"], "search");
  EXPECT_EQ(page["next"], "Shop.Cart.Sum(), 40.0 %");
  EXPECT_EQ(page["nextAgain"], "write, 30.0 %");
  EXPECT_EQ(page["back"], "Shop.Cart.Sum(), 40.0 %");
  EXPECT_EQ(page["flame"], "true");
  EXPECT_EQ(page["up"], "Shop.Program.Main(string[]), 100.0 %");
  EXPECT_EQ(page["help"], true);
}

TEST_F(Viewer, AThreadAloneHasItsOwnShares) {
  const json page = run(shop().profile(), R"js(
    await choose("1");
    await hover(0.99, 3);
    report("pool", $("tip").innerText);
    await choose("0");
    await hover(0.1, 3);
    report("main", $("tip").innerText);
    $("show-functions").click();
    report("functions", [...document.querySelectorAll("#function-rows tr")].map((row) => row.innerText.split(/\s+%?\s*/).join(" ").trim()));
  )js");
  EXPECT_THAT(page["pool"].get<std::string>(), HasSubstr("300 ms · 100.0 % of all"));
  EXPECT_THAT(page["main"].get<std::string>(), HasSubstr("100 ms · 14.3 % of all"));
  EXPECT_THAT(page["functions"], ElementsAre("42.9 42.9 write", "28.6 42.9 Cart.AddAsync", "14.3 100.0 Program.Main",
                                             "14.3 14.3 JIT_MemCpy"));
}

// Main runs in the first half of the run, Pool in the second.
ProfileBuilder halves() {
  ProfileBuilder builder;
  const uint32_t main = builder.thread("Main", 100), pool = builder.thread("Pool", 101);
  const uint32_t run = builder.function("Shop.Program.Main(string[])", "Shop.dll");
  const uint32_t sum = builder.function("Shop.Cart.Sum()", "Shop.dll");
  profile::Profile& profile = builder.profile();
  profile.wall_ns = 1'000'000'000;
  for (uint32_t i = 1; i <= 100; ++i) {
    const bool first = i <= 50;
    profile.samples.push_back({i * 10'000'000, first ? main : pool, builder.stack({first ? run : sum}), 10});
  }
  profile.unfiltered_periods = 1000;
  return builder;
}

TEST_F(Viewer, ATimeIsChosenOnTheTimeLine) {
  const json page = run(halves().profile(), R"js(
    const line = $("time-canvas"), area = () => line.getBoundingClientRect();
    const pointer = async (kind, share, row) => {
      const clientX = area().left + LABEL + share * (area().width - LABEL), clientY = area().top + row;
      line.dispatchEvent(new PointerEvent(kind, {clientX, clientY, pointerId: 1, bubbles: true}));
      await settle();
    };
    line.setPointerCapture = () => {};
    report("hidden", $("time").hidden);
    const lane = (number) => timeLayout().lanesAt + number * LANE + 5;
    await pointer("pointermove", 0.25, lane(0));
    report("tip", $("tip").innerText);
    await pointer("pointerdown", 0.5, lane(0));
    await pointer("pointermove", 0.999, lane(0));
    await pointer("pointerup", 0.999, lane(0));
    report("root", rootLabel());
    report("functions", functionWeights(calls, 0).map(([frame]) => frameName(frame)));
    line.focus();
    line.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowLeft", bubbles: true, cancelable: true}));
    await settle();
    report("moved", rootLabel());
    pane.focus();
    await press("Escape");
    report("back", rootLabel());
    report("label", $("range").textContent);
  )js");
  EXPECT_EQ(page["hidden"], false);
  EXPECT_THAT(page["tip"].get<std::string>(),
              ::testing::AllOf(HasSubstr("Main"), HasSubstr("ran about 100 % of this time")));
  EXPECT_EQ(page["root"], "all threads · 500 ms to 1.00 s · 500 ms");
  EXPECT_THAT(page["functions"], ElementsAre("Shop.Cart.Sum()"));
  EXPECT_EQ(page["moved"], "all threads · 438 ms to 938 ms · 499 ms");
  EXPECT_EQ(page["back"], "all threads · 1.00 s");
  EXPECT_EQ(page["label"], "");
}

TEST_F(Viewer, ATimeIsChosenByItsMarks) {
  ProfileBuilder builder = halves();
  builder.profile().marks = {{250'000'000, "warm"}, {500'000'000, "deploy 2"}};
  const json page = run(builder.profile(), R"js(
    const select = async (id, value) => {
      $(id).value = value;
      $(id).dispatchEvent(new Event("change"));
      await settle();
    };
    report("hidden", $("time-marks").hidden);
    report("marks", [...$("from-mark").options].map((option) => option.textContent));
    await select("from-mark", "1");
    report("from", rootLabel());
    report("functions", functionWeights(calls, 0).map(([frame]) => frameName(frame)));
    await select("from-mark", "0");
    await select("to-mark", "1");
    report("between", rootLabel());
    const area = $("time-canvas").getBoundingClientRect();
    $("time-canvas").dispatchEvent(new PointerEvent("pointermove",
        {clientX: area.left + timeX(250e6), clientY: area.top + 5, pointerId: 1, bubbles: true}));
    await settle();
    report("tip", $("tip").innerText);
    await press("Escape");
    report("back", [rootLabel(), $("from-mark").value, $("to-mark").value]);
  )js");
  EXPECT_EQ(page["hidden"], false);
  EXPECT_THAT(page["marks"], ElementsAre("the begin", "warm", "deploy 2"));
  EXPECT_EQ(page["from"], "all threads · 500 ms to 1.00 s · 500 ms");
  EXPECT_THAT(page["functions"], ElementsAre("Shop.Cart.Sum()"));
  EXPECT_EQ(page["between"], "all threads · 250 ms to 500 ms · 250 ms");
  EXPECT_THAT(page["tip"].get<std::string>(), HasSubstr("marked at 250 ms: warm"));
  EXPECT_EQ(page["back"], json({"all threads · 1.00 s", "", ""}));
}

TEST_F(Viewer, FlameStandsOnItsCallers) {
  const json page = run(shop().profile(), R"js(
    $("flame").click();
    await settle();
    const fromBottom = (share, row) => ({clientX: box().left + share * box().width, bubbles: true,
                                         clientY: box().bottom - row * 21 - 10});
    $("graph").dispatchEvent(new MouseEvent("click", fromBottom(0.3, 2)));
    report("zoomed", crumbs());
  )js");
  EXPECT_EQ(page["zoomed"], json({"All", "Shop.Program.Main(string[])", "Shop.Cart.AddAsync(int)"}));
}

TEST_F(Viewer, HostileNamesAreOnlyText) {
  ProfileBuilder builder;
  uint32_t periods = 1000;
  for (const std::string& name : testing::hostile_names()) {
    const uint32_t thread = builder.thread(name, 5);
    builder.sample(thread, builder.stack({builder.function(name, name, true, name + "raw")}), periods--);
  }
  builder.profile().intro.properties = {{"command", testing::hostile_names()[0]}, {"cwd", testing::hostile_names()[3]}};
  builder.profile().problems = testing::hostile_names();
  builder.profile().lost = {{testing::hostile_names()[1], 5}};
  const json page = run(builder.profile(), R"js(
    $("show-functions").click();
    for (const name of data.frames.names) await type(name);
    await type("");
    for (const column of [...$("list-columns").children]) column.firstChild.click();
    const shown = [];
    const count = data.frames.names.length - 3;
    for (let i = 0; i < count; i++) {
      await hover((i + 0.5) / count, 1);
      shown.push($("tip").querySelector("strong").textContent);
      if (i < 3) { await click((i + 0.5) / count, 1); await press("Escape"); }
    }
    report("shown", shown);
    report("title", document.title);
    report("scripts", document.scripts.length);
    report("markup", document.querySelectorAll("b[onmouseover]").length);
  )js");
  std::vector<std::string> wanted;
  for (const std::string& name : testing::hostile_names())
    wanted.push_back(name.empty() ? "[unknown]" : exports::clean_text(name));
  EXPECT_EQ(page["shown"].get<std::vector<std::string>>(), wanted);
  EXPECT_THAT(page["title"].get<std::string>(), HasSubstr("document.title='owned'"));
  EXPECT_EQ(page["scripts"], 4);  // the test's own two, the data and the page's
  EXPECT_EQ(page["markup"], 0);
}

TEST_F(Viewer, BytesOfTypesAreSaidAsSuch) {
  ProfileBuilder builder;
  profile::Profile& profile = builder.profile();
  const uint32_t thread = builder.thread("Main", 100);
  const uint32_t make = builder.function("Shop.Cart.Make()", "Shop.dll");
  const uint32_t item = builder.function("Shop.Item", "Shop.dll");
  profile.functions[item].type = true;
  profile.call_nodes = {{}, {0, make, false}};
  profile.call_figures = {{}, {thread, 1, 1, 0, 0, 30, 30}};
  profile.allocations = {{thread, 1, item, make, 3, 1'500'000}};
  profile.call_totals = {{.allocated = 3}};
  exports::Options options;
  options.weight = profile::WeightKind::kBytes;
  const json page = run(profile, R"js(
    report("title", $("spent-title").innerText);
    report("root", rootLabel());
    await hover(0.5, 2);
    report("tip", $("tip").innerText);
  )js",
                        testing::Clock::kJumping, options);
  EXPECT_EQ(page["title"], "Allocated by");
  EXPECT_EQ(page["root"], "all threads · 1.50 MB");
  EXPECT_THAT(page["tip"].get<std::string>(), HasSubstr("Shop.dll · type"));
  EXPECT_THAT(page["tip"].get<std::string>(), HasSubstr("1.50 MB · 100.0 % of all"));
}

TEST_F(Viewer, ChangesTheWeightWithoutAnotherExport) {
  const json page = run(logged_shop(), R"js(
    report("weights", [...$("weights").querySelectorAll("button")].map((button) => button.innerText));
    const roots = [];
    for (const button of ["CPU time", "Samples", "Time in calls", "Calls", "Bytes", "Objects"]) {
      await press_button("weights", button);
      await hover(0.1, 2);
      roots.push(rootLabel() + " / " + nodeTitle(view.hovered) + " " + weight(model.total[view.hovered]));
    }
    report("roots", roots);
    await press_button("weights", "CPU time");
    await click(0.3, 2);
    await press_button("weights", "Samples");
    report("zoomed", crumbs());
    await press_button("weights", "Bytes");
    report("other", crumbs());
    await press_button("weights", "Objects");
    await press("w");
    report("around", [...$("weights").querySelectorAll("[aria-pressed=true]")].map((button) => button.innerText));
  )js");
  EXPECT_THAT(page["weights"], ElementsAre("CPU time", "Samples", "Time in calls", "Calls", "Bytes", "Objects"));
  EXPECT_THAT(page["roots"], ElementsAre("all threads · 1.00 s / Shop.Cart.AddAsync(int) 600 ms",
                                         "all threads · 1,000 samples / Shop.Cart.AddAsync(int) 600 samples",
                                         "all threads · 4.00 ms / Shop.Cart.AddAsync(int) 1.00 ms",
                                         "all threads · 3 calls / Shop.Cart.AddAsync(int) 2 calls",
                                         "all threads · 4.50 kB / Shop.Cart.AddAsync(int) 4.50 kB",
                                         "all threads · 3 objects / Shop.Cart.AddAsync(int) 3 objects"));
  EXPECT_EQ(page["zoomed"], json({"All", "Shop.Program.Main(string[])", "Shop.Cart.AddAsync(int)"}));
  EXPECT_EQ(page["other"], json({"All"}));
  EXPECT_EQ(page["around"], json({"CPU time"}));
}

TEST_F(Viewer, ACategoryIsCountedAlone) {
  const json page = run(shop().profile(), R"js(
    await press_button("legend", "runtime, unknown");
    report("root", rootLabel());
    report("legend", $("legend").innerText);
    await hover(0.99, 4);
    report("all", $("tip").innerText);
    await press_button("legend", "runtime, unknown");
    report("off", rootLabel());
    await press_button("legend", "libtea.so");
    const runtime = [...$("legend").querySelectorAll("button")].find((button) => button.innerText.includes("runtime"));
    runtime.dispatchEvent(new MouseEvent("click", {bubbles: true, ctrlKey: true}));
    report("two", rootLabel());
    await press_button("legend", "show all");
    report("none", rootLabel());
  )js");
  EXPECT_EQ(page["root"], "all threads · runtime, unknown · 100 ms");
  EXPECT_THAT(page["legend"].get<std::string>(), HasSubstr("10.0 %\nruntime, unknown"));  // still of all
  EXPECT_THAT(page["all"].get<std::string>(), HasSubstr("100 ms · 100.0 % of all"));
  EXPECT_EQ(page["off"], "all threads · 1.00 s");
  EXPECT_EQ(page["two"], "all threads · libtea.so, runtime, unknown · 400 ms");
  EXPECT_EQ(page["none"], "all threads · 1.00 s");
}

TEST_F(Viewer, ScaffoldingIsFoldedUntilAskedFor) {
  ProfileBuilder builder;
  const uint32_t thread = builder.thread("Main", 1);
  const uint32_t start = builder.function("start_thread", "libc.so.6", false),
                 pool =
                     builder.function("System.Threading.ThreadPoolWorkQueue.Dispatch()", "System.Private.CoreLib.dll"),
                 work = builder.function("Shop.Cart.Work()", "Shop.dll"),
                 sort = builder.function("System.Array.Sort()", "System.Private.CoreLib.dll"),
                 compare = builder.function("Shop.Cart.Compare()", "Shop.dll"),
                 library = builder.function("[libcoreclr.so]", "libcoreclr.so", false);
  builder.sample(thread, builder.stack({start, pool, work, sort}), 100);
  builder.sample(thread, builder.stack({start, pool, work, sort, compare}), 100);
  builder.sample(thread, builder.stack({start, pool, work, library, library, library}), 50);
  const json page = run(builder.profile(), R"js(
    const deepest = () => {
      let names = [];
      for (let node = model.firstChild[0] < model.firstChild[1] ? model.children[model.firstChild[0]] : 0; node;) {
        names.push(briefName(model.frame[node]));
        node = model.firstChild[node] < model.firstChild[node + 1] ? model.children[model.firstChild[node]] : 0;
      }
      return names;
    };
    report("folded", deepest());
    report("size", model.size);
    report("total", model.total[0]);
    $("scaffolding").click();
    await settle();
    report("pressed", $("scaffolding").getAttribute("aria-pressed"));
    report("shown", deepest());
    report("sizeShown", model.size);
    await press("s");
    report("again", deepest());
  )js");
  EXPECT_THAT(page["folded"], ElementsAre("Cart.Work", "Array.Sort", "Cart.Compare"));  // sorting takes its time
  EXPECT_EQ(page["size"], 5);
  EXPECT_EQ(page["total"], 250);
  EXPECT_EQ(page["pressed"], "true");
  EXPECT_THAT(page["shown"],
              ElementsAre("start_thread", "ThreadPoolWorkQueue.Dispatch", "Cart.Work", "Array.Sort", "Cart.Compare"));
  EXPECT_EQ(page["sizeShown"], 9);
  EXPECT_EQ(page["again"], page["folded"]);
}

TEST_F(Viewer, AMethodTellsWhoCallsItAndWhatItCalls) {
  const json page = run(shop().profile(), R"js(
    await click(0.3, 2);
    $("tell").click();
    report("add", $("method").innerText.split(/\s+/).join(" "));
    $("method").querySelectorAll("td button")[1].click();
    report("sum", $("method").querySelector("h2").innerText);
    await press("Escape");
    await click(0.1, 1);
    report("along", $("method").querySelector("h2").innerText);
    await press("Escape");
    await press("ArrowDown"); await press("ArrowDown"); await press("ArrowDown");
    await press("d");
    report("byKey", $("method").querySelector("h2").innerText);
    $("graph-callers").click();
    await settle();
    report("root", rootLabel());
    await hover(0.1, 3);
    report("caller", $("tip").innerText);
    await press("Escape");
    report("back", rootLabel());
    $("all-methods").click();
    report("list", !$("function-list").hidden);
    $("own-rows").querySelector("button").click();
    report("own", $("method").querySelector("h2").innerText);
  )js");
  EXPECT_THAT(page["add"].get<std::string>(), HasSubstr("Total 600 ms 60.0 % Self 200 ms 20.0 %"));
  EXPECT_THAT(page["add"].get<std::string>(), HasSubstr("Called by 60.0 % Program.Main Calls 40.0 % Cart.Sum"));
  EXPECT_EQ(page["sum"], "Shop.Cart.Sum()");
  EXPECT_EQ(page["along"], "Shop.Program.Main(string[])");
  EXPECT_EQ(page["byKey"], "Shop.Cart.Sum()");
  EXPECT_EQ(page["root"], "callers of Cart.Sum · all threads · 400 ms");
  EXPECT_THAT(page["caller"].get<std::string>(), HasSubstr("Shop.Program.Main(string[])"));
  EXPECT_THAT(page["caller"].get<std::string>(), HasSubstr("400 ms · 100.0 % of all"));
  EXPECT_EQ(page["back"], "all threads · 1.00 s");
  EXPECT_EQ(page["list"], true);
  EXPECT_EQ(page["own"], "Shop.Cart.Sum()");
}

TEST_F(Viewer, AMethodHasItsLines) {
  const json page = run(shop().profile(), R"js(
    const frame = data.frames.names.indexOf("Shop.Cart.Sum()");
    data.lines.files.push("/src/<b>/Cart.cs");
    linesOf.set(frame, [[0, 47, 300, 400, "sum += <b>price</b>;"], [0, 46, 0, 1, ""]]);
    openMethod(frame);
    report("lines", [...$("method").querySelectorAll(".lines tbody tr")].map((row) => row.innerText.split(/\s+/).join(" ").trim()));
    report("path", $("method").querySelector(".line .origin").title);
    await press("Escape");
    await press_button("weights", "Samples");
    report("alsoOfSamples", $("method").querySelectorAll(".lines").length);
  )js");
  EXPECT_THAT(page["lines"], ElementsAre("30.0 % 40.0 % Cart.cs:47 sum += <b>price</b>;", "0.1 % Cart.cs:46"));
  EXPECT_EQ(page["path"], "/src/<b>/Cart.cs");
  EXPECT_EQ(page["alsoOfSamples"], 1);
}

TEST_F(Viewer, ARecursionsCallersAreThoseOfItsInnermostCall) {
  ProfileBuilder builder;
  const uint32_t thread = builder.thread("Main", 1);
  const auto named = [&](const char* name) { return builder.function(name, "Shop.dll"); };
  const uint32_t main = named("Main()"), walk = named("Walk()"), step = named("Step()");
  builder.sample(thread, builder.stack({main, walk, walk, step, walk}), 4);
  builder.sample(thread, builder.stack({main, walk}), 2);
  const json page = run(builder.profile(), R"js(
    shown.callersOf = data.frames.names.indexOf("Walk()");
    showAnew();
    const lines = [];
    for (let i = 1; i < model.size; i++) lines.push(`${"  ".repeat(model.depth[i] - 1)}${frameName(model.frame[i])} ${model.total[i]}`);
    report("tree", lines);
    const named = (rows) => rows.map(([frame, weight]) => `${frameName(frame)} ${weight}`);
    const {callers, callees} = neighbours(calls, shown.callersOf);
    report("callers", named(callers));
    report("callees", named(neighbours(calls, data.frames.names.indexOf("Main()")).callees));
    report("ofWalk", named(callees));
    report("method", functionWeights(calls, 0).map(([frame, self, total]) => `${frameName(frame)} ${self} ${total}`));
  )js");
  EXPECT_THAT(page["tree"], ElementsAre("Walk() 6", "  Main() 2", "  Step() 4", "    Walk() 4", "      Main() 4"));
  EXPECT_THAT(page["callers"], ElementsAre("Step() 4", "Main() 2"));
  EXPECT_THAT(page["callees"], ElementsAre("Walk() 6"));
  EXPECT_THAT(page["ofWalk"], ElementsAre());
  EXPECT_THAT(page["method"], ::testing::UnorderedElementsAre("Main() 0 6", "Walk() 6 6", "Step() 0 4"));
}

std::string sentence_of(const profile::Profile& profile) {
  return report::heap_sentence(
      report::read_heap(profile, *report::choose_snapshots(profile, {}), report::HeapParts::kGraph), profile);
}

TEST_F(Viewer, TheHeapIsAFlameGraphOfItsHolders) {
  heap::HeapLog log;
  const profile::Profile profile = log.snapshot(1000).snapshot(2000).load();
  const json page = run(profile, R"js(
    report("says", $("says").querySelector("strong").textContent);
    report("root", rootLabel());
    report("shown", [$("map").hidden, $("thread").parentElement.hidden, $("snapshot").parentElement.hidden]);
    report("snapshots", [...$("snapshot").options].map((option) => option.text));
    await hover(0.3, 4);
    report("tip", $("tip").innerText);
    await press("ArrowDown"); await press("ArrowDown"); await press("ArrowDown");
    report("live", $("live").textContent);
    await press("Enter");
    report("zoomed", crumbs());
    await type("currency|\\.value");
    report("matches", $("matches").textContent);
    $("snapshot").value = "0";
    $("snapshot").dispatchEvent(new Event("change"));
    await settle();
    report("kept", crumbs());
    report("first", $("says").querySelector("strong").textContent);
    await press("Escape");
    report("root of first", rootLabel());
  )js");
  EXPECT_EQ(page["says"], sentence_of(profile));
  EXPECT_EQ(page["root"], "Heap in snapshot 2 · 40.1 MB");
  EXPECT_EQ(page["shown"], json({false, true, false}));
  EXPECT_THAT(page["snapshots"],
              ElementsAre("snapshot 1, at 60.000 s (interval)", "snapshot 2, at 120.000 s (interval)"));
  const std::string tip = page["tip"];
  EXPECT_THAT(tip,
              HasSubstr("2,000 × Shop.Order in System.Collections.Generic.Dictionary<int, Shop.Order>.Entry[].value"));
  EXPECT_THAT(tip, HasSubstr("40.0 MB · 99.8 % of the heap"));
  EXPECT_THAT(tip, HasSubstr("2,000"));
  EXPECT_THAT(tip, HasSubstr("+20.0 MB, +1,000 objects"));
  EXPECT_EQ(
      page["live"],
      "System.Collections.Generic.Dictionary<int, Shop.Order>.Entry[] in System.Collections.Generic.Dictionary<int, "
      "Shop.Order>._entries: 40.0 MB retained, 99.9 % of the heap, 1 object");
  const json zoomed = {"All", "static Shop.Cache.Orders", "System.Collections.Generic.Dictionary<int, Shop.Order>",
                       "_entries: System.Collections.Generic.Dictionary<int, Shop.Order>.Entry[]"};
  EXPECT_EQ(page["zoomed"], zoomed);
  EXPECT_THAT(page["matches"].get<std::string>(), HasSubstr("1 place"));
  EXPECT_EQ(page["kept"], zoomed);
  EXPECT_THAT(page["first"].get<std::string>(), HasSubstr("1,001 objects of Shop.Order retain"));
  EXPECT_EQ(page["root of first"], "Heap in snapshot 1 · 20.0 MB");
}

TEST_F(Viewer, ATreeMapIsAsLargeAsWhatIsRetained) {
  heap::HeapLog log;
  const profile::Profile profile = log.snapshot(30).load();
  const json page = run(profile, R"js(
    await press("m");
    report("pressed", ["icicle", "flame", "map"].map((id) => $(id).getAttribute("aria-pressed")));
    report("role", $("graph").getAttribute("aria-roledescription"));
    const area = ({width, height}) => width * height;
    const boxOf = (node) => mapBoxes().find((one) => one.node === node);
    // By parent: how far the areas of what it holds are from their part of its room, at most.
    const wrong = () => Math.max(...mapBoxes().flatMap((parent) => {
      const inside = mapBoxes().filter((one) => one.node !== view.zoomed && model.parent[one.node] === parent.node);
      const room = roomWithin(parent);
      return inside.map((one) => Math.abs(area(one) / area(room) - model.total[one.node] / model.total[parent.node]));
    }));
    const outside = () => mapBoxes().filter((one) => {
      const parent = boxOf(model.parent[one.node]), slack = 1e-6;
      return one.node !== view.zoomed && (one.x < parent.x - slack || one.y < parent.y - slack ||
          one.x + one.width > parent.x + parent.width + slack || one.y + one.height > parent.y + parent.height + slack);
    }).length;
    report("boxes", mapBoxes().length);
    report("wrong", wrong());
    report("outside", outside());
    const whole = mapBoxes()[0];
    report("whole", [whole.width, whole.height, whole.node]);
    report("pane", [pane.clientWidth, pane.clientHeight]);
    const named = (text) => mapBoxes().find((one) => one.node > 0 && frameName(model.frame[one.node]).includes(text));
    const on = (one, dy) => ({clientX: box().left + one.x + one.width / 2, clientY: box().top + one.y + dy, bubbles: true});
    const entries = named("_entries");
    const heading = on(entries, 8);
    $("graph").dispatchEvent(new MouseEvent("mousemove", heading));
    await settle();
    report("tip", $("tip").innerText);
    const pixel = ({x, y, width, height}) => {
      const scale = window.devicePixelRatio;
      return [...pen.getImageData((x + width / 2) * scale, (y + height - 4) * scale, 1, 1).data];
    };
    draw();
    report("painted", pixel(named("value: Shop.Order")));
    $("graph").dispatchEvent(new MouseEvent("click", heading));
    await settle();
    report("zoomed", crumbs().length);
    report("zoomed whole", mapBoxes()[0].node === entries.node);
    report("zoomed wrong", wrong());
    $("graph").dispatchEvent(new MouseEvent("click", on(mapBoxes()[0], 8)));
    await settle();
    report("out", crumbs().length);
    await press("Backspace");
    report("further out", crumbs().length);
    await press("Escape");
    report("escaped", crumbs());
    await type("on the stack");
    report("matches", $("matches").textContent);
    for (const key of ["ArrowDown", "ArrowRight"]) await press(key);
    report("live", $("live").textContent);
    await press("m");
    report("back", $("icicle").getAttribute("aria-pressed"));
  )js");
  EXPECT_EQ(page["pressed"], json({"false", "false", "true"}));
  EXPECT_EQ(page["role"], "tree map");
  EXPECT_EQ(page["boxes"], 1 + 2 + 1 + 1 + 30 + 1);
  EXPECT_LT(page["wrong"].get<double>(), 1e-9);
  EXPECT_EQ(page["outside"], 0);
  EXPECT_EQ(page["whole"], json({page["pane"][0], page["pane"][1], 0}));
  EXPECT_THAT(page["tip"].get<std::string>(), HasSubstr("of the heap"));
  EXPECT_THAT(page["tip"].get<std::string>(), HasSubstr("Entry[] in "));
  EXPECT_EQ(page["painted"][3], 255);
  EXPECT_EQ(page["zoomed"], 4);
  EXPECT_EQ(page["zoomed whole"], true);
  EXPECT_LT(page["zoomed wrong"].get<double>(), 1e-9);
  EXPECT_EQ(page["out"], 3);
  EXPECT_EQ(page["further out"], 2);
  EXPECT_EQ(page["escaped"], json({"All"}));
  EXPECT_EQ(page["matches"], "3.2 % · 20.0 kB · 1 place");
  EXPECT_EQ(page["live"],
            "a word on the stack of Shop.Program.Main() on thread main: 20.0 kB retained, 3.2 % of the heap");
  EXPECT_EQ(page["back"], "true");
}

TEST_F(Viewer, AnEmptyProfileSaysWhy) {
  const json page = run(profile::Profile(), R"js(
    report("empty", $("empty").innerText);
    report("lists", [$("lists").hidden, $("to-lists").hidden]);
    await press("o");
    report("facts", $("facts").innerText);
    await press("ArrowDown"); await press("Enter"); await type("x"); await hover(0.5, 0);
  )js");
  EXPECT_THAT(page["empty"].get<std::string>(), HasSubstr("No samples"));
  EXPECT_THAT(page["lists"], ElementsAre(true, true));
  EXPECT_THAT(page["facts"].get<std::string>(), HasSubstr("No samples"));
}

TEST_F(Viewer, LongNamesAreCutToWhatMattersMost) {
  const json page = run(shop().profile(), R"js(
    const names = ["Shop.Cart.Add(System.Collections.Generic.List<System.Int32>, int)", "Shop.Cart..ctor()",
                   "A.Map<System.String, B.C<int>>.Get(int)", "gc::heap::mark(int, char*) const", "f(int)::{lambda()#1}::operator()(int)",
                   "__libc_start_main.2", "sort.constprop.0", "[libcoreclr.so]", "main"];
    report("shortest", names.map((name) => shortNames(name).at(-1)));
    report("medium", names.map(typeAndMethod));
    const tenthOf = (text) => text.length * 10;
    report("fitted", [200, 60, 30, 5].map((room) => fitName("Shop.Cart.Checkout(int)", room, tenthOf)));
  )js");
  EXPECT_THAT(page["shortest"], ElementsAre("Add", ".ctor", "Get", "mark", "operator()", "__libc_start_main", "sort",
                                            "[libcoreclr.so]", "main"));
  EXPECT_THAT(page["medium"],
              ElementsAre("Cart.Add", "Cart..ctor", "Map<System.String, B.C<int>>.Get", "heap::mark",
                          "{lambda()#1}::operator()", "__libc_start_main", "sort", "[libcoreclr.so]", "main"));
  EXPECT_THAT(page["fitted"], ElementsAre("Shop.Cart.Checkout", "Check…", "Ch…", ""));
}

TEST_F(Viewer, AsManyNodesAsAPageHasStayQuick) {
  const json page = run(testing::realistic_profile(400'000), R"js(
    const timed = (what) => { const begun = performance.now(); what(); return performance.now() - begun; };
    const median = (what) => [0, 1, 2, 3, 4].map(() => timed(what)).sort((a, b) => a - b)[2];
    report("nodes", readTree(0).size);
    report("fold", median(() => fold(readTree(0))));
    report("draw", median(() => { view.frameRequest = 0; draw(); }));
    report("weigh", median(() => weigh(calls)));
    report("search", median(() => { $("search").value = "Bind.*Lambda"; applySearch(); }));
    report("matches", $("matches").textContent);
    report("painted", painted(0.1, 8));
  )js",
                        testing::Clock::kReal);
  EXPECT_GT(page["nodes"], 20'000);
  EXPECT_EQ(page["painted"], true);
  EXPECT_THAT(page["matches"].get<std::string>(), HasSubstr("1 method"));
  // Generous: a machine under load is slow, a page that walks every node in every frame is slower.
  for (const char* what : {"draw", "weigh", "search"}) {
    EXPECT_GT(page[what], 0) << what;
    EXPECT_LT(page[what], 1000) << what;
  }
  EXPECT_LT(page["fold"], 10'000);  // once for each tree
  std::cout << "milliseconds: " << page.dump() << "\n";
}

}  // namespace
}  // namespace oriel
