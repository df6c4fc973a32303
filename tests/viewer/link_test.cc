// What the page's address keeps, and that lists are of what is selected, in a headless Chromium.
#include <gmock/gmock.h>

#include "viewer/page_of_shop.h"
#include "viewer/realistic.h"

namespace oriel {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::logged_shop;
using ::testing::MatchesRegex;
using testing::ProfileBuilder;
using testing::shop;

class Link : public testing::Viewer {};

TEST_F(Link, KeepsAllThatIsChosen) {
  const json page = run(logged_shop(), R"js(
    report("first", location.hash);
    await press_button("weights", "Samples");
    await choose(data.threads.findIndex(([name]) => name === "Main"));
    await press_button("legend", "your code");
    await click(0.5, 1);
    $("flame").click();
    await type("cart");
    await press_button("list-columns", "Total");
    const seen = () => [rootLabel(), crumbs().join(" / "), drawing(), $("search").value, rows("list-rows")[0],
                        [...$("list-columns").children].map((column) => column.ariaSort).join()];
    report("link", location.hash);
    report("seen", seen());
    const link = location.hash;
    location.hash = "";
    await settle();
    report("cleared", seen());
    location.hash = link;
    await settle();
    report("again", seen());
    location.hash = "#weight=none&thread=nobody&category=nothing&zoom=77.5&range=9-3&marks=x&list=none&callers=9999";
    await settle();
    report("wrong", seen());
  )js");
  EXPECT_EQ(page["first"], "");
  EXPECT_EQ(page["link"],
            "#weight=samples&thread=Main&category=your+code&draw=flame&find=cart&sort=Total&sort=down&zoom=2");
  EXPECT_EQ(page["seen"][0], "Main · your code · 300 samples");
  EXPECT_EQ(page["seen"][1], "All / Shop.Program.Main(string[])");
  EXPECT_EQ(page["again"], page["seen"]);
  EXPECT_EQ(page["cleared"][0], "all threads · 1.00 s");
  EXPECT_EQ(page["wrong"], page["cleared"]) << "what the log does not have is not selected";
}

TEST_F(Link, KeepsTimesAndMarks) {
  ProfileBuilder builder = shop();
  builder.profile().marks = {{1'000'000, "warm"}, {3'000'000, "deploy 2"}};
  const json page = run(builder.profile(), R"js(
    const select = async (id, value) => {
      $(id).value = value;
      $(id).dispatchEvent(new Event("change"));
      await settle();
    };
    await select("from-mark", "0");
    await select("to-mark", "1");
    report("marks", location.hash);
    const label = rootLabel();
    location.hash = "";
    await settle();
    location.hash = "#marks=warm&marks=deploy+2";
    await settle();
    report("same", [rootLabel() === label, $("from-mark").value, $("to-mark").value]);
    setRange(10, 20);
    await settle();
    const range = location.hash, text = rootLabel();
    report("range", range);
    location.hash = "";
    await settle();
    location.hash = range;
    await settle();
    report("same range", [rootLabel() === text, shown.range]);
  )js");
  EXPECT_EQ(page["marks"], "#marks=warm&marks=deploy+2");
  EXPECT_EQ(page["same"], json({true, "0", "1"}));
  EXPECT_THAT(page["range"].get<std::string>(), MatchesRegex("#range=[0-9]+-[0-9]+"));
  EXPECT_EQ(page["same range"], json({true, {10, 20}}));
}

TEST_F(Link, ListsAreOfWhatIsSelected) {
  profile::Profile profile = logged_shop();
  profile.collections = {{.number = 1, .start_ns = 0, .end_ns = 1'000'000, .pause_ns = 1'000'000},
                         {.number = 2, .start_ns = 2'000'000'000, .end_ns = 2'001'000'000, .pause_ns = 1'000'000}};
  const json page = run(profile, R"js(
    const list = () => [$("list-note").textContent, ...rows("list-rows")];
    await choose(data.threads.findIndex(([name]) => name === "Pool"));
    report("thread", list());
    await choose(-1);
    await press_button("legend", "libtea.so");
    report("category", list());
    await press_button("legend", "show all");
    await press_button("list-names", "Collections");
    report("all", list().length);
    setRange(120, 240);
    await settle();
    report("later", list());
  )js");
  EXPECT_THAT(page["thread"],
              ElementsAre("Pool", "300 ms 300 ms Shop.Cart.Sum() Shop.dll",
                          "300 ms Shop.Program.Main(string[]) Shop.dll", "300 ms Shop.Cart.AddAsync(int) Shop.dll"));
  EXPECT_THAT(page["category"],
              ElementsAre("libtea.so", "300 ms 300 ms write libtea.so", "300 ms Shop.Program.Main(string[]) Shop.dll"));
  EXPECT_EQ(page["all"], 3);
  ASSERT_EQ(page["later"].size(), 2U);
  EXPECT_THAT(page["later"][0].get<std::string>(), HasSubstr(" to "));
  EXPECT_THAT(page["later"][1].get<std::string>(), HasSubstr("2 2.00 s"));
}

TEST_F(Link, ALargeLogsPageSaysWhatItFolds) {
  const json page = run(testing::realistic_profile(400'000), R"js(
    report("folded", $("folded").hidden ? "" : $("folded").textContent);
    report("bytes", document.getElementById("data").textContent.length);
    const smaller = model.frame.indexOf(facts.smaller);
    focusNode(smaller);
    report("says", nodeTitle(smaller));
    report("methods", functionWeights(calls, 0).some(([frame]) => frame === facts.smaller));
    toggleFunctions();
    report("listed", rows("function-rows").some((row) => row.includes("(smaller)")));
  )js",
                        testing::Clock::kReal);
  EXPECT_THAT(page["folded"].get<std::string>(),
              MatchesRegex("To keep this file small, [0-9,]+ call paths with less than .*"));
  EXPECT_LT(page["bytes"], 8'000'000);
  EXPECT_THAT(page["says"].get<std::string>(), HasSubstr("too small for this file"));
  EXPECT_EQ(page["methods"], true);
  EXPECT_EQ(page["listed"], false);
}

}  // namespace
}  // namespace oriel
