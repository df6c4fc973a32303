// The page of coverage, in a browser.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "coverage/shop.h"
#include "export/coverage_export.h"
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
    (*exporting::find_coverage_export("html"))->write(coverage, out);
    const char* const tools = R"(
      const $ = id => document.getElementById(id);
      const rows = () => [...document.querySelectorAll("#rows tr")];
      const texts = () => rows().map(row => row.innerText.split(/\s+/).join(" ").trim());
      const lines = kind => [...document.querySelectorAll("#code ." + kind)].map(row => Number(row.firstChild.innerText));
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
    report("text", document.querySelector("#code .part code").innerText);
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

TEST_F(CoveragePage, OfNothingIsWhole) {
  const json found = seen({}, R"(report("more", $("more").innerText); report("title", document.title);)");
  EXPECT_EQ(found["more"], "Nothing matches.");
  EXPECT_EQ(found["title"], "Coverage of nothing");
}

}  // namespace
}  // namespace oriel::coverage::test
