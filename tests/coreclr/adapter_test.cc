// Oriel as the runtime's profiler: interfaces, event mask, declining, and never disturbing the program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>

#include "coreclr/run_target.h"
#include "engine/probes.h"
#include "engine/raise.h"
#include "runtimes/coreclr/com/profiling.h"
#include "runtimes/coreclr/event_mask.h"

namespace oriel::test {
namespace {

using coreclr::EventMask;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

std::string mask_line(const TargetRun& run) {
  const auto lines = heard_of(run, "mask");
  return lines.empty() ? "" : lines.back();
}

std::string line_of(EventMask mask) { return "mask " + std::to_string(mask.low) + " " + std::to_string(mask.high); }

EventMask mask_of(std::initializer_list<uint32_t> events) {
  RuntimeNeeds needs;
  for (const uint32_t event : events) needs.events.set(event);
  return coreclr::event_mask(needs);
}

TEST(Adapter, InterfacesAreAsTheRuntimeHasThem) {
  ORIEL_NEEDS_DOTNET();
  const TargetRun run =
      run_target("events", {.arguments = "inspect", .events = "jit_done+thread_name", .inspected = true});
  EXPECT_EQ(run.output, "inspect\n");
  EXPECT_GE(heard_of(run, "ok").size(), 40u) << run.errors;
  EXPECT_THAT(heard_of(run, "wrong"), IsEmpty());
}

TEST(Adapter, MaskIsTheUnionOfWhatIsWanted) {
  ORIEL_NEEDS_DOTNET();
  TargetRun run = run_target("events", {.arguments = "inspect", .events = "thread_name", .inspected = true});
  EXPECT_EQ(mask_line(run), line_of({coreclr::kMonitorThreads | coreclr::kMonitorCacheSearches, 0}));
  run = run_target("events", {.arguments = "inspect", .events = "thread_name+gc_begin+exception", .inspected = true});
  EXPECT_EQ(mask_line(run),
            line_of(mask_of({oriel_event_thread_name, oriel_event_gc_begin, oriel_event_exception_throw}) |
                    coreclr::standing_mask()));
}

TEST(Adapter, MaskLosesWhatIsTakenAway) {
  ORIEL_NEEDS_DOTNET();
  const TargetRun run = run_target(
      "events",
      {.arguments = "late inspect", .events = "thread_name+gc_begin+jit_done+exception+suspend", .inspected = true});
  const EventMask before = mask_of({oriel_event_thread_name, oriel_event_gc_begin, oriel_event_jit_done,
                                    oriel_event_exception_throw, oriel_event_suspend_begin});
  EXPECT_EQ(mask_line(run),
            line_of(mask_of({oriel_event_thread_name}) | coreclr::standing_mask() | coreclr::lasting_mask(before)));
}

TEST(EventMask, NothingWantedIsNothing) {
  EXPECT_EQ(mask_of({}), EventMask());
  EXPECT_EQ(coreclr::lasting_mask({}), EventMask());
}

// Events that instrumented code raises come with filters. Which exception leaves a method is enabled by the mask.
constexpr bool comes_by_the_mask(uint32_t number) {
  if (number == oriel_event_method_exception_leave) return true;
  if (number == oriel_event_async_site || number == oriel_event_async_handed) return false;
  if (number == oriel_event_mark || number == oriel_event_sampling_paced) return false;
  return number != oriel_event_process_abort && number != oriel_event_runtime_shutdown_begin &&
         number != oriel_event_runtime_shutdown_end && number != oriel_event_sample_hit && !is_probe(number);
}

TEST(EventMask, EveryEventThatComesByItHasBits) {
#define ORIEL_EVENT(number, name, since, context, group, stack, fields, doc) \
  EXPECT_EQ(mask_of({number}) != EventMask(), comes_by_the_mask(number)) << #name;
#include "oriel/events.def"
#undef ORIEL_EVENT
}

TEST(EventMask, NeverHasBitsThatCannotBeChangedLater) {
  RuntimeNeeds all;
  all.events.set();
  all.code_map = all.threads = true;
  const EventMask mask = coreclr::event_mask(all);
  EXPECT_EQ(mask.low & coreclr::kMonitorImmutable, 0u);
  EXPECT_EQ(mask.high & coreclr::kHighMonitorImmutable, 0u);
  EXPECT_NE(mask.low & coreclr::kMonitorGc, 0u);
  for (const uint32_t event : {oriel_event_gc_root, oriel_event_gc_handle_created, oriel_event_gc_handle_deleted,
                               oriel_event_gc_finalize_queued}) {
    all.events.reset(event);
  }
  EXPECT_EQ(coreclr::event_mask(all).low & coreclr::kMonitorGc, 0u) << "would turn concurrent collections off";
}

// A process pays for reports of compilations only from the first selected image on.
TEST(Adapter, CompilationsAreHeardFromTheFirstChosenImageOn) {
  ORIEL_NEEDS_DOTNET();
  const auto mask_with = [](const std::string& chosen) {
    const std::string events = "thread_name," + chosen;
    return mask_line(run_target("events", {.arguments = "late inspect", .events = events, .inspected = true}));
  };
  const EventMask images = mask_of({oriel_event_thread_name, oriel_event_image_loaded}) | coreclr::standing_mask();
  EXPECT_EQ(mask_with("chooses=Another"), line_of(images));
  EXPECT_EQ(mask_with("chooses=events"), line_of(images | coreclr::compilation_mask()));
  EXPECT_EQ(mask_with("chooses=Another,chooses_late=events"), line_of(images | coreclr::compilation_mask()));
}

TEST(EventMask, FiltersHearOfImages) {
  RuntimeNeeds needs;
  needs.filters = true;
  EXPECT_EQ(coreclr::event_mask(needs), mask_of({oriel_event_image_loaded}));
}

TEST(EventMask, WhoeverChoosesHearsCompilationsAndUnloads) {
  const EventMask mask = coreclr::compilation_mask();
  constexpr uint32_t kNeeded = coreclr::kMonitorJitCompilation | coreclr::kMonitorCacheSearches |
                               coreclr::kEnableReJit | coreclr::kMonitorModuleLoads;
  EXPECT_EQ(mask.low & kNeeded, kNeeded);
  EXPECT_EQ(mask.low & coreclr::kMonitorExceptions, 0u);
  EXPECT_EQ(coreclr::lasting_mask(mask).low & coreclr::kEnableReJit, coreclr::kEnableReJit) << "cannot be taken back";
}

TEST(EventMask, UnloadsStayHeard) {
  const EventMask lasting = coreclr::lasting_mask(mask_of({oriel_event_jit_done}));
  EXPECT_EQ(lasting.low, coreclr::kMonitorModuleLoads | coreclr::kMonitorAssemblyLoads);
  EXPECT_EQ(lasting.high, coreclr::kHighMonitorDynamicFunctionUnloads);
  EXPECT_EQ(coreclr::lasting_mask(mask_of({oriel_event_gc_begin, oriel_event_thread_name})), EventMask());
}

TEST(Adapter, DeclinesAnotherProcess) {
  ORIEL_NEEDS_DOTNET();
  const TargetRun run = run_target("hello", {.events = "jit", .environment = {{"ORIEL_PID", "1"}}});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.output, "hello\n");
  EXPECT_EQ(run.errors, "");
  EXPECT_THAT(run.heard, IsEmpty());
}

TEST(Adapter, TakesChildrenWhenAskedTo) {
  ORIEL_NEEDS_DOTNET();
  const TargetRun run =
      run_target("hello", {.events = "jit_done", .environment = {{"ORIEL_PID", "1"}, {"ORIEL_CHILDREN", "1"}}});
  EXPECT_EQ(run.output, "hello\n");
  EXPECT_THAT(run.heard, Contains(StartsWith("jit_done")));
}

TEST(Adapter, ProgramIsUndisturbedWhenAModuleIsMissing) {
  ORIEL_NEEDS_DOTNET();
  const TargetRun run = run_target("hello", {.environment = {{"ORIEL_PROFILERS", "no-such-module"}}});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.output, "hello\n");
  EXPECT_THAT(run.errors, StartsWith("oriel: "));
  EXPECT_EQ(std::count(run.errors.begin(), run.errors.end(), '\n'), 1) << run.errors;
}

// Alternating runs, the cheapest of each, in processor time, so that other programs hardly matter. The goal is 2 ms;
// the limit allows for cold caches on a busy machine, but tests beside it take more than caches.
TEST(Adapter, CostsLittleAtStartUpWithNothingOn) {
  ORIEL_NEEDS_DOTNET();
  ORIEL_ONLY_LONG();
  const auto used_ms = [] {
    rusage all{};
    getrusage(RUSAGE_CHILDREN, &all);
    const auto ms = [](const timeval& time) {
      return 1e3 * static_cast<double>(time.tv_sec) + 1e-3 * static_cast<double>(time.tv_usec);
    };
    return ms(all.ru_utime) + ms(all.ru_stime);
  };
  const auto milliseconds = [&](bool profiled) {
    const double before = used_ms();
    run_target("hello", {.profiled = profiled});
    return used_ms() - before;
  };
  double plain = 1e9, profiled = 1e9;
  for (int i = 0; i < 20; ++i) {
    plain = std::min(plain, milliseconds(false));
    profiled = std::min(profiled, milliseconds(true));
  }
  RecordProperty("plain_ms", std::to_string(plain));
  RecordProperty("profiled_ms", std::to_string(profiled));
  EXPECT_LE(profiled, plain + 8) << "plain " << plain << " ms, with Oriel " << profiled << " ms";
}

}  // namespace
}  // namespace oriel::test
