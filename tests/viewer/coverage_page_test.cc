// The page of coverage, in a browser.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "coverage/shop.h"
#include "exports/coverage_export.h"
#include "viewer/browser.h"

namespace oriel::coverage::test {
namespace {

using nlohmann::json;

struct CoveragePage : ::testing::Test {
  void SetUp() override {
    if (const std::string why = oriel::testing::why_no_browser(); !why.empty()) GTEST_SKIP() << why;
  }

  static json seen(const Coverage& coverage, const std::string& script) {
    std::ostringstream out;
    (*exports::find_coverage_export("html"))->write(coverage, out);
    const char* const tools = R"(
      const $ = id => document.getElementById(id);
      const rows = () => [...document.querySelectorAll("#rows tr")];
      const texts = () => rows().map(row => row.innerText.split(/\s+/).join(" ").trim());
      const lines = kind => [...document.querySelectorAll("#code ." + kind)].map(row => Number(row.firstChild.textContent));
      const input = (id, value) => { $(id).value = value; $(id).dispatchEvent(new Event("input")); };
      const press = key => document.body.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
    )";
    const json found = oriel::testing::run_in_browser(oriel::testing::with_script(out.str(), tools + script));
    EXPECT_FALSE(found.contains("error")) << found;
    EXPECT_FALSE(found.contains("violation")) << found;
    return found;
  }
};

TEST_F(CoveragePage, BeginsWithWhatIsNotTested) {
  const json found = seen(shop(), R"(
    report("title", document.title);
    report("totals", $("totals").innerText.split(/\s+/).join(" "));
    report("rows", texts());
    $("uncovered").click();
    report("with gaps", texts().length);
    input("by", "types");
    report("types", texts());
    input("search", "shelf");
    report("nothing", $("more").innerText);)");
  EXPECT_EQ(found["title"], "Coverage of Shop");
  EXPECT_EQ(found["totals"], "Lines 62.5 % (5 of 8) Branches 50.0 % (1 of 2) Methods 66.7 % (2 of 3)");
  EXPECT_EQ(found["rows"], json({"Cart.cs 3 50.0 % 1 of 2", "Box & Co.cs 100 %"}));
  EXPECT_EQ(found["with gaps"], 1);
  EXPECT_EQ(found["types"], json::array({"Cart Shop. 3 50.0 % 1 of 2"}));
  EXPECT_EQ(found["nothing"], "Nothing matches.");
}

TEST_F(CoveragePage, ShowsSourceWithMarksAndGoesFromGapToGap) {
  const json found = seen(shop(), R"(
    rows()[0].click();
    report("path", $("path").innerText);
    for (const kind of ["hit", "part", "miss"]) report(kind, lines(kind));
    report("text", document.querySelector("#code .part code").textContent);
    report("tests", document.querySelector("#code .part").title);
    const at = () => lines("at")[0];
    report("first", at());
    press("j");
    report("next", at());
    press("k"); press("k");
    report("before", at());
    press("Escape");
    report("closed", $("source").hidden);
    rows()[1].click();
    report("note", $("source-note").innerText);)");
  EXPECT_EQ(found["path"], "/src/Cart.cs");
  EXPECT_EQ(found["hit"], json({2, 5}));
  EXPECT_EQ(found["part"], json::array({3}));
  EXPECT_EQ(found["miss"], json::array({4})) << "as far as there is text";
  EXPECT_EQ(found["text"], "    if (name == \"</script>\")");
  EXPECT_EQ(found["tests"], "Tests.Adds");
  EXPECT_EQ(found["first"], 3);
  EXPECT_EQ(found["next"], 4);
  EXPECT_EQ(found["before"], 4);
  EXPECT_EQ(found["closed"], true);
  EXPECT_EQ(found["note"], "Its source is not on this machine.");
}

TEST_F(CoveragePage, GivesEachColumnTheRoomThatItNeeds) {
  Coverage large = shop();
  large.methods[0].branches[0].arms.assign(1'000, 1'234'567'890);
  for (FileLine& line : large.files[0].lines) line.count = line.count == 0 ? 0 : 1'234'567'890;
  const json found = seen(large, R"(
    rows()[0].click();
    // A browser without a window has no lines in sight.
    for (const row of document.querySelectorAll("#code .row")) row.style.contentVisibility = "visible";
    const cells = [...document.querySelectorAll("#code .row")].flatMap(row => [...row.children]);
    report("laid out", cells.every(cell => cell.clientWidth > 0));
    report("cut off", cells.filter(cell => cell.scrollWidth > cell.clientWidth).map(cell => cell.textContent));
    report("count", document.querySelector("#code .hit .count").textContent);)");
  EXPECT_EQ(found["laid out"], true);
  EXPECT_EQ(found["cut off"], json::array());
  EXPECT_EQ(found["count"], "1,234,567,890");
}

TEST_F(CoveragePage, KeepsTheOpenFileMarkedInTheTable) {
  const json found = seen(shop(), R"(
    const marked = () => rows().filter(row => row.getAttribute("aria-selected")).map(row => row.querySelector(".name").innerText);
    rows()[0].click();
    report("opened", marked());
    input("search", "cart");
    report("filtered", marked());)");
  EXPECT_EQ(found["opened"], json::array({"Cart.cs"}));
  EXPECT_EQ(found["filtered"], json::array({"Cart.cs"}));
}

// As the web's guidelines for accessibility (2.1, AA) ask of text of this size.
TEST_F(CoveragePage, HasTextThatStandsOutFromItsGround) {
  const json found = seen(shop(), R"(
    rows()[0].click();
    const parts = color => color.match(/[\d.]+/g).map(Number);
    const light = color => parts(color).slice(0, 3).map(value => value / 255)
      .map(value => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
      .reduce((sum, value, i) => sum + value * [0.2126, 0.7152, 0.0722][i], 0);
    const ground = element => {
      const color = element ? getComputedStyle(element).backgroundColor : 'rgb(255, 255, 255)';
      return parts(color)[3] === 0 ? ground(element.parentElement) : color;
    };
    const contrast = element => {
      const [a, b] = [light(getComputedStyle(element).color), light(ground(element))];
      return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    };
    const said = [...document.body.querySelectorAll("*")].filter(element => element.tagName !== "SCRIPT" &&
      [...element.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.data.trim() !== ""));
    report("looked at", said.length > 20);
    report("too weak", said.filter(element => contrast(element) < 4.5)
      .map(element => `${element.className} ${element.textContent}`));)");
  EXPECT_EQ(found["looked at"], true);
  EXPECT_EQ(found["too weak"], json::array());
}

TEST_F(CoveragePage, OfNothingIsWhole) {
  const json found = seen({}, R"(report("more", $("more").innerText); report("title", document.title);)");
  EXPECT_EQ(found["more"], "Nothing matches.");
  EXPECT_EQ(found["title"], "Coverage of nothing");
}

}  // namespace
}  // namespace oriel::coverage::test
