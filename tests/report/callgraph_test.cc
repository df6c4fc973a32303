// Reports of a known call graph.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "profile/shop/tell_calls.h"
#include "report/report_text.h"

namespace oriel::report {
namespace {

using nlohmann::json;
using oriel::testing::json_of;
using oriel::testing::text_of;
using profile::Profile;
using ::testing::HasSubstr;

// Main calls Fib, which recurses three deep and allocates on each level.
Profile recursion() {
  testing::CallTeller log;
  log.property("callgraph.calls", "user code");
  log.name_method(1, "Shop.Program.Main(string[])").name_method(2, "Shop.Rec.Fib(int)").name_class(1, "Shop.Item");
  return log
      .graph(1, {{1, 0, 1, false, 1, 900'000, 0, 0, {}},
                 {2, 1, 2, false, 1, 600'000, 0, 0, {{1, 1, 24}}},
                 {3, 2, 2, false, 2, 300'000, 0, 0, {{1, 2, 48}}},
                 {4, 3, 2, false, 4, 100'000, 0, 0, {{1, 4, 96}}}})
      .finish();
}

TEST(CallGraph, WholeText) {
  EXPECT_EQ(text_of("callgraph", recursion()), R"text(Call graph: 8 calls of 2 methods, 900 µs over all threads

  self           total  calls  outer  average  method
66.7 %  600 µs  600 µs      7      1   600 µs  Shop.Rec.Fib(int)
33.3 %  300 µs  900 µs      1      1   900 µs  Shop.Program.Main(string[])
For recursive methods, total and average count only their outermost calls (outer).

Shop.Rec.Fib(int)
        calls    time
  from      1  600 µs  66.7 %  Shop.Program.Main(string[])
            6                  Shop.Rec.Fib(int)
  to        6                  Shop.Rec.Fib(int)

Shop.Program.Main(string[])
        calls    time
  from      1  900 µs  100.0 %  [not counted]
  to        1  600 µs   66.7 %  Shop.Rec.Fib(int)

7 objects, 168 bytes: 168 bytes Shop.Item. oriel report alloc lists them.
)text");
}

TEST(CallGraph, TreesOfTimeAndOfAllocationsFoldRecursion) {
  const std::string calls = text_of("callgraph", recursion(), *testing::options_of("callgraph", {{"--tree", ""}}));
  EXPECT_THAT(calls, HasSubstr(" 66.7 %  600 µs   66.7 %      7  └ Shop.Rec.Fib(int)\n\n"));
  EXPECT_EQ(text_of("alloc", recursion(), *testing::options_of("alloc", {{"--tree", ""}})),
            R"text(Allocations: 7 objects, 168 bytes

  total                self  objects
100.0 %  168 bytes  100.0 %        7  Program.Main → Rec.Fib → Shop.Item
)text");
  const json alloc = json_of("alloc", recursion(), *testing::options_of("alloc", {{"--tree", ""}}));
  EXPECT_EQ(alloc["nodes"][2]["objects"], 7);
  EXPECT_EQ(json_of("calls", recursion(), *testing::options_of("calls", {{"--tree", ""}}))["nodes"][1]["calls"], 7);
}

TEST(CallGraph, JsonHasNoLongestCallsAndTellsRecursion) {
  const json methods = json_of("callgraph", recursion())["methods"];
  EXPECT_FALSE(methods[0].contains("longest_ns"));
  EXPECT_FALSE(json_of("calls", recursion())["methods"][0].contains("longest_ns"));
  EXPECT_EQ(methods[0]["callers"][0]["recursive"], false);
  EXPECT_EQ(methods[0]["callers"][1]["recursive"], true);
}

}  // namespace
}  // namespace oriel::report
