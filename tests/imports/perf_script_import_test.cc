#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "imports/formats.h"
#include "read_back.h"

namespace oriel::imports {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

constexpr char kPerfText[] = R"(# captured on: …
.NET TP Worker 19552/19560 [001] 13218.350137:    5025125 cpu-clock:u: 
	ffffffff81d33df7 read_zero+0x77 ([kernel.kallsyms])
	    7f0c8a2b1f82 float64 [Shop] Shop.Program::Burn(int32)[OptimizedTier1]+0x2 (/tmp/perf-19552.map)
	           f82ad main+0xd (/usr/lib/x86_64-linux-gnu/libc.so.6)

dotnet 19552 13218.360137:   10050250 cpu-clock:u: 
	           f82ad [unknown] (/usr/lib/x86_64-linux-gnu/libc.so.6)

dotnet 19552 13218.370137: cycles: 
	           f82ad main+0xd (/usr/lib/x86_64-linux-gnu/libc.so.6)
)";

ReadBack imported(const std::string& text) {
  LogMaker maker;
  const Status status = parse_perf_script(text, maker);
  EXPECT_TRUE(status) << (status ? "" : status.message());
  return read_back(maker);
}

TEST(PerfScriptImport, SamplesOfTheCommonestEventWithTheirTime) {
  const ReadBack log = imported(kPerfText);
  const std::string libc = "@/usr/lib/x86_64-linux-gnu/libc.so.6";
  EXPECT_THAT(
      log.stacks(),
      ElementsAre(Pair(libc, 1),
                  Pair("main" + libc + ";Shop.dll!Shop.Program.Burn(int);" + "read_zero@[kernel.kallsyms]", 1)));
  EXPECT_EQ(log.threads.at(1).name, ".NET TP Worker");
  EXPECT_EQ(log.threads.at(1).os_id, 19560u);
  EXPECT_EQ(log.property("sampling.mode"), "process");
  EXPECT_EQ(log.property("sampling.hz"), "100");  // the median of two periods is the larger
  EXPECT_EQ(log.property("pid"), "19552");
  EXPECT_EQ(log.samples[0].ns + log.samples[1].ns, 10'000'000u);
  EXPECT_THAT(log.property("imported.left-out"), HasSubstr("1 sample of another event than cpu-clock"));
}

TEST(PerfScriptImport, TheFrameOfThreadsOutsideOfManagedCodeComesBack) {
  const ReadBack log =
      imported("main 1/2 [000] 0.5: 1000000 wall-clock:\n\t0 [native code or waiting] (native_code_or_waiting)\n\n");
  EXPECT_THAT(log.stacks(), ElementsAre(Pair("[native code or waiting]@native code or waiting", 1)));
}

TEST(PerfScriptImport, ModifiersDoNotDivideAnEvent) {
  const std::string frame = "\t0 f (m)\n\n";
  for (const char* other : {"cpu-clock", "cpu-clock:u", "cpu-clock:ppp"}) {
    const ReadBack log =
        imported("x 1 2.5: 250000 cpu-clock:uH: \n" + frame + "x 1 2.6: 250000 " + other + ": \n" + frame);
    EXPECT_THAT(log.stacks(), ElementsAre(Pair("f@m", 2))) << other;
    EXPECT_EQ(log.property("imported.left-out"), "");
  }
  EXPECT_THAT(imported("x 1 2.5: cpu/mem-loads/u: \n" + frame + "x 1 2.6: cpu/mem-loads/: \n" + frame).stacks(),
              ElementsAre(Pair("f@m", 2)));
  const ReadBack tracepoint =
      imported("x 1 2.5: sched:sched_switch: \n" + frame + "x 1 2.6: sched:sched_stat: \n" + frame);
  EXPECT_EQ(tracepoint.property("weights.of"), "sched:sched_switch");
  EXPECT_EQ(tracepoint.property("imported.left-out"), "1 sample of another event than sched:sched_switch");
}

TEST(PerfScriptImport, OfSeveralEventsTheCommonestIsTaken) {
  const std::string frame = "\t0 f (m)\n\n", clock = "x 1 2.5: 250000 cpu-clock:u: \n" + frame;
  const ReadBack log = imported("x 1 2.4: cycles: \n" + frame + clock + clock + "x 1 2.7: page-faults: \n" + frame);
  EXPECT_THAT(log.stacks(), ElementsAre(Pair("f@m", 2)));
  EXPECT_EQ(log.property("sampling.hz"), "4000");
  EXPECT_EQ(log.property("imported.left-out"), "2 samples of another event than cpu-clock");
}

TEST(PerfScriptImport, EventsThatAreNoTimeHaveNone) {
  const ReadBack log = imported("x 1 2.5: page-faults: \n\t0 f (m)\n\n");
  EXPECT_EQ(log.property("sampling.mode"), "weights");
  EXPECT_EQ(log.property("weights.of"), "page-faults");
  EXPECT_EQ(log.property("sampling.hz"), "");
}

TEST(PerfScriptImport, IsKnownByItsContents) {
  EXPECT_TRUE(is_perf_script(kPerfText));
  EXPECT_FALSE(is_perf_script("hello world 12: 7\n"));
  EXPECT_FALSE(is_perf_script("a 1 2.5: x:\nno frame\n"));
  EXPECT_FALSE(is_perf_script(""));
}

TEST(PerfScriptImport, AnyTextIsTaken) {
  const std::string text = kPerfText;
  for (size_t at = 0; at < text.size(); ++at) {
    LogMaker cut, changed;
    (void)parse_perf_script(text.substr(0, at), cut);
    std::string other = text;
    other[at] = static_cast<char>(other[at] ^ 0x15);
    (void)parse_perf_script(other, changed);
  }
}

}  // namespace
}  // namespace oriel::imports
