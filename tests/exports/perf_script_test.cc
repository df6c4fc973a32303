#include <gtest/gtest.h>

#include <regex>
#include <sstream>

#include "exports/export.h"
#include "exports/timed_shop.h"

namespace oriel::exports {
namespace {

std::string perf_script(const profile::Profile& profile) {
  std::ostringstream out;
  const Status status = write_export(**find_export("perf-script"), profile, out);
  EXPECT_TRUE(status) << status.message();
  return out.str();
}

TEST(PerfScript, HasEachSampleAtItsTime) {
  testing::ProfileBuilder builder;
  const uint32_t main = builder.thread("Main thread", 100);
  const uint32_t run = builder.function("Shop.Run(int, string)", "Shop.dll"),
                 copy = builder.function("copy", "", false);
  builder.sample(main, builder.stack({run}));
  builder.sample(main, builder.stack({run, copy}), 3);
  EXPECT_EQ(perf_script(builder.profile()),
            "Main_thread 4711/100 [000] 0.000000000: 1000000 cpu-clock:\n"
            "\t0 Shop.Run(int, string) (Shop.dll)\n"
            "\n"
            "Main_thread 4711/100 [000] 0.001000000: 3000000 cpu-clock:\n"
            "\t0 copy ([unknown])\n"
            "\t0 Shop.Run(int, string) (Shop.dll)\n"
            "\n");
}

TEST(PerfScript, HostileNamesStayOnTheirLines) {
  std::istringstream lines(perf_script(testing::hostile_shop().profile()));
  const std::regex head(R"(\S+ \d+/\d+ \[000\] \d+\.\d{9}: \d+ cpu-clock:)"), frame(R"(\t0 .+ \([^ ()]+\))");
  size_t samples = 0;
  for (std::string line; std::getline(lines, line); ++samples) {
    EXPECT_TRUE(std::regex_match(line, head)) << line;
    std::getline(lines, line);
    EXPECT_TRUE(std::regex_match(line, frame)) << line;
    std::getline(lines, line);
    EXPECT_EQ(line, "");
  }
  EXPECT_EQ(samples, testing::hostile_names().size());
}

}  // namespace
}  // namespace oriel::exports
