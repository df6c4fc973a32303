#include "run/environment.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/process/coreclr_clsid.h"
#include "temp_folder.h"

namespace oriel::cli {
namespace {

TEST(CheckEnvironment, TakesOneWithAnotherProfiler) {
  EXPECT_TRUE(
      check_environment({"CORECLR_ENABLE_PROFILING=1", "CORECLR_PROFILER={12345678-0000-0000-0000-000000000000}"}));
  EXPECT_TRUE(check_environment({}));
}

TEST(CheckEnvironment, RefusesARuntimeThatTakesNoProfilers) {
  const Status off = check_environment({"DOTNET_EnableDiagnostics=0"});
  ASSERT_FALSE(off);
  EXPECT_NE(off.message().find("env -u DOTNET_EnableDiagnostics"), std::string::npos);
  EXPECT_FALSE(check_environment({"COMPlus_EnableDiagnostics_Profiler=00"}));
  EXPECT_TRUE(check_environment({"DOTNET_EnableDiagnostics=1"}));
}

TEST(ProfiledEnvironment, SetsWhatTheRuntimeReadsAndKeepsTheRest) {
  const Environment base = {"PATH=/bin",           "DOTNET_TieredCompilation=0",         "ORIEL_MODULE_PATH=/m",
                            "ORIEL_PROFILERS=old", "CORECLR_PROFILER_PATH_64=/other.so", "ORIEL_CHILDREN=1",
                            "ORIEL_PROFILERSX=1"};
  const Environment result = profiled_environment(base, {"/lib/liboriel.so.1", false, "42-7", ""}, 42);
  EXPECT_EQ(value_of(result, "CORECLR_ENABLE_PROFILING"), "1");
  EXPECT_EQ(value_of(result, "CORECLR_PROFILER"), ORIEL_CORECLR_CLSID);
  EXPECT_EQ(value_of(result, "CORECLR_PROFILER_PATH"), "/lib/liboriel.so.1");
  EXPECT_EQ(value_of(result, "CORECLR_PROFILER_PATH_64"), "");
  EXPECT_EQ(value_of(result, "ORIEL_PID"), "42");
  EXPECT_EQ(value_of(result, "ORIEL_RUN"), "42-7");
  EXPECT_EQ(value_of(result, "ORIEL_CHILDREN"), "");
  for (const char* kept : {"PATH=/bin", "DOTNET_TieredCompilation=0", "ORIEL_MODULE_PATH=/m", "ORIEL_PROFILERSX=1"}) {
    EXPECT_EQ(std::count(result.begin(), result.end(), kept), 1) << kept;
  }
}

TEST(ProfiledEnvironment, NamesOrielToMonoBesideWhatIsThere) {
  const TempFolder folder;
  const Environment base = {"MONO_ENV_OPTIONS=--debug", "LD_LIBRARY_PATH=/a"};
  const ProfilingSetup setup{folder.path() + "/liboriel.so.1", false, "42-7", ""};
  const Environment without = profiled_environment(base, setup, 42);
  EXPECT_EQ(value_of(without, "MONO_ENV_OPTIONS"), "--debug");
  EXPECT_EQ(value_of(without, "LD_LIBRARY_PATH"), "/a");
  folder.write("oriel-mono/libmono-profiler-oriel.so", "library");
  const Environment result = profiled_environment(base, setup, 42);
  EXPECT_EQ(value_of(result, "MONO_ENV_OPTIONS"), "--debug --profile=oriel");
  EXPECT_EQ(value_of(result, "LD_LIBRARY_PATH"), "/a:" + folder.path() + "/oriel-mono");
}

TEST(ProfiledEnvironment, KeepsWhatNamedAnotherProfiler) {
  const Environment base = {"CORECLR_PROFILER={1}", "CORECLR_PROFILER_PATH_64=/a.so", "ORIEL_GUESTS=old",
                            "ORIEL_TAKEN_CORECLR_PROFILER=old"};
  ProfilingSetup setup{"e", false, "1-1", "", {{{"{1}", "/a.so"}}, true}};
  const Environment taken = profiled_environment(base, setup, 1);
  EXPECT_EQ(value_of(taken, "ORIEL_TAKEN_CORECLR_PROFILER"), "{1}");
  EXPECT_EQ(value_of(taken, "ORIEL_TAKEN_CORECLR_PROFILER_PATH_64"), "/a.so");
  EXPECT_EQ(value_of(taken, "ORIEL_GUESTS"), "{1}=/a.so\n");
  setup.guests = {};
  const Environment alone = profiled_environment(base, setup, 1);
  EXPECT_EQ(value_of(alone, "ORIEL_TAKEN_CORECLR_PROFILER"), "");
  EXPECT_EQ(value_of(alone, "ORIEL_GUESTS"), "");
}

TEST(ProfiledEnvironment, ThatOthersAreNotWantedIsToldToChildren) {
  ProfilingSetup setup{"e", true, "1-1", "", {{}, false, true}};
  EXPECT_EQ(value_of(profiled_environment({}, setup, 1), "ORIEL_NO_GUESTS"), "1");
  setup.guests.none = false;
  EXPECT_EQ(value_of(profiled_environment({"ORIEL_NO_GUESTS=1"}, setup, 1), "ORIEL_NO_GUESTS"), "");
}

TEST(ProfiledEnvironment, MessagesAreGatheredOnlyWhereThereIsAFile) {
  const Environment base = {"ORIEL_MESSAGES=/old"};
  EXPECT_EQ(value_of(profiled_environment(base, {"e", true, "1-1", "/tmp/m"}, 1), "ORIEL_MESSAGES"), "/tmp/m");
  EXPECT_EQ(value_of(profiled_environment(base, {"e", true, "1-1", ""}, 1), "ORIEL_MESSAGES"), "");
}

TEST(ProfiledEnvironment, ProfiledBuildsLeaveNoServersBehind) {
  const Environment base = {"UseSharedCompilation=true", "VSTEST_TESTHOST_SHUTDOWN_TIMEOUT=5"};
  const Environment with = profiled_environment(base, {"e", true, "1-1", ""}, 1);
  EXPECT_EQ(value_of(with, "MSBUILDDISABLENODEREUSE"), "1");
  EXPECT_EQ(value_of(with, "DOTNET_CLI_USE_MSBUILD_SERVER"), "0");
  EXPECT_EQ(value_of(with, "UseSharedCompilation"), "false");
  EXPECT_EQ(value_of(with, "VSTEST_TESTHOST_SHUTDOWN_TIMEOUT"), "5");
  const Environment without = profiled_environment(base, {"e", false, "1-1", ""}, 1);
  EXPECT_EQ(value_of(without, "MSBUILDDISABLENODEREUSE"), "");
  EXPECT_EQ(value_of(without, "UseSharedCompilation"), "true");
}

TEST(ProfiledEnvironment, ChildrenOnlyWhenAskedFor) {
  EXPECT_EQ(value_of(profiled_environment({}, {"e", true, "1-1", ""}, 1), "ORIEL_CHILDREN"), "1");
}

}  // namespace
}  // namespace oriel::cli
