// What `oriel ps` makes of what is seen of a process. That processes are found and asked is tested in tests/diagnostics
// and tests/e2e/live/ps_test.py.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "base/process/coreclr_clsid.h"
#include "live/obstacle.h"
#include "live/ps_screen.h"
#include "report/words/text.h"
#include "temp_folder.h"

namespace oriel::cli {
namespace {

using diagnostics::PortState;
using diagnostics::RuntimeKind;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kRuntime = "/usr/share/dotnet/shared/Microsoft.NETCore.App/10.0.12/";

// One that can be attached to.
LiveProcess shop() {
  LiveProcess live;
  live.process.pid = live.process.own_pid = 4711;
  live.process.user = geteuid();
  live.process.state = 'S';
  live.process.command = {"dotnet", "Shop.dll"};
  live.process.readable = true;
  for (const char* name : {"System.Private.CoreLib.dll", "libclrjit.so", "libcoreclr.so"})
    live.process.files.push_back(kRuntime + std::string(name));
  live.runtime = runtime_of(live.process);
  live.place = {PortState::kThere, {"/tmp", "dotnet-diagnostic-4711-1-socket", 4711}};
  diagnostics::ProcessInfo info;
  info.version = "10.0.12";
  info.rid = "linux-x64";
  live.info = info;
  return live;
}

std::string obstacle(const LiveProcess& live, const Presence& oriel = {}) {
  return obstacle_to_attaching(live, oriel, "/usr/lib/liboriel.so");
}

std::string obstacle_with(std::vector<std::string> environment) {
  LiveProcess live = shop();
  live.process.environment = std::move(environment);
  return obstacle(live);
}

TEST(Obstacle, IsNoneInAnOrdinaryProcess) {
  EXPECT_EQ(obstacle(shop()), "");
  EXPECT_EQ(obstacle_with({"DOTNET_EnableDiagnostics=1", "CORECLR_ENABLE_PROFILING=0", "TMPDIR=/tmp"}), "");
  EXPECT_EQ(obstacle_with({"DOTNET_EnableDiagnostics_Profiler=0"}), "") << "that is only about starting with one";
}

TEST(Obstacle, IsASettingOfTheRuntime) {
  EXPECT_EQ(obstacle_with({"DOTNET_EnableDiagnostics=0"}), "DOTNET_EnableDiagnostics=0");
  EXPECT_EQ(obstacle_with({"COMPlus_EnableDiagnostics=0"}), "COMPlus_EnableDiagnostics=0");
  EXPECT_EQ(obstacle_with({"DOTNET_EnableDiagnostics_IPC=00"}), "DOTNET_EnableDiagnostics_IPC=00");
  EXPECT_EQ(obstacle_with({"COMPlus_EnableDiagnostics=0", "DOTNET_EnableDiagnostics=1"}), "");
}

TEST(Obstacle, IsTheRuntime) {
  LiveProcess live = shop();
  live.runtime.musl = true;
  EXPECT_EQ(obstacle(live), "musl");
  live.runtime.kind = RuntimeKind::kMono;
  EXPECT_EQ(obstacle(live), "Mono");
  live.runtime.kind = RuntimeKind::kNativeAot;
  EXPECT_EQ(obstacle(live), "NativeAOT");
  live = shop();
  (**live.info).version = "7.0.20";
  EXPECT_EQ(obstacle(live), "older than .NET 8");
  live.info.reset();
  EXPECT_EQ(obstacle(live), "");
  live.runtime.version = "6.0.36";
  EXPECT_EQ(obstacle(live), "older than .NET 8");
}

TEST(Obstacle, IsWhoRunsItAndWhere) {
  LiveProcess live = shop();
  live.process.root = "/proc/self/root/nowhere";
  EXPECT_EQ(obstacle(live), "liboriel.so is not in its mounts");
  live.process.readable = false;
  EXPECT_EQ(obstacle(live), "it may not be looked into");
  live.process.user = geteuid() + 1;
  EXPECT_EQ(obstacle(live), "another user");
}

TEST(Obstacle, IsALibraryThatTheProcessMayNotRead) {
  const TempFolder folder;  // which only its owner may enter
  const std::string engine = folder.write("lib/liboriel.so", "");
  LiveProcess live = shop();
  EXPECT_EQ(obstacle_to_attaching(live, {}, engine), "");
  live.process.user = geteuid() + 1;
  EXPECT_EQ(obstacle_to_attaching(live, {}, engine), "it may not read liboriel.so");
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0711));
  EXPECT_EQ(obstacle_to_attaching(live, {}, engine), "");
  std::filesystem::permissions(engine, std::filesystem::perms(0600));
  EXPECT_EQ(obstacle_to_attaching(live, {}, engine), "it may not read liboriel.so");
  live.process.user = 0;
  EXPECT_EQ(obstacle_to_attaching(live, {}, engine), "");
}

TEST(Obstacle, IsAnotherProfilerThatIsLoaded) {
  const std::vector<std::string> environment = {"CORECLR_ENABLE_PROFILING=1", "CORECLR_PROFILER_PATH=/opt/libagent.so",
                                                "CORECLR_PROFILER={5B0C1E5E-0000-4000-8000-000000000001}"};
  EXPECT_EQ(obstacle_with(environment), "") << "the runtime runs on without a profiler that it cannot load";
  LiveProcess live = shop();
  live.process.environment = environment;
  live.process.files.emplace_back("/opt/libagent.so");
  EXPECT_EQ(obstacle(live), "profiler libagent.so");
  live.process.environment[0] = "CORECLR_ENABLE_PROFILING=0";
  EXPECT_EQ(obstacle(live), "") << "it is no profiler that exports nothing";
  EXPECT_EQ(obstacle_with({"CORECLR_ENABLE_PROFILING=1", "CORECLR_PROFILER={5B0C1E5E-0000-4000-8000-000000000001}"}),
            "profiler {5B0C1E5E-0000-4000-8000-000000000001}");
  EXPECT_EQ(obstacle_with({"CORECLR_ENABLE_PROFILING=1", "CORECLR_PROFILER=" ORIEL_CORECLR_CLSID}), "");
}

TEST(Obstacle, IsAnotherProfilerThatALinkLeadsTo) {
  const TempFolder folder;
  const std::string file = folder.write("libagent.so.2", "");
  std::filesystem::create_symlink(file, folder.path() + "/libagent.so");
  LiveProcess live = shop();
  live.process.files.push_back(file);
  live.process.environment = {"CORECLR_ENABLE_PROFILING=1", "CORECLR_PROFILER={5B0C1E5E-0000-4000-8000-000000000001}",
                              "CORECLR_PROFILER_PATH=" + folder.path() + "/libagent.so"};
  EXPECT_EQ(obstacle(live), "profiler libagent.so");
}

TEST(Obstacle, IsOrielThatIsThere) { EXPECT_EQ(obstacle(shop(), {true, {"log"}, {}}), "Oriel is in it"); }

TEST(Obstacle, IsAtThePort) {
  LiveProcess live = shop();
  live.info = Status::error("does not answer");
  EXPECT_EQ(obstacle(live), "does not answer");
  live.process.state = 'T';
  EXPECT_EQ(obstacle(live), "does not answer (stopped)");
  live = shop();
  live.info.reset();
  const std::pair<PortState, const char*> cases[] = {{PortState::kNone, "no diagnostics socket"},
                                                     {PortState::kNoFolder, "its TMPDIR does not exist"},
                                                     {PortState::kTooLong, "its TMPDIR is too long"},
                                                     {PortState::kRemoved, "its socket was removed"}};
  for (const auto& [state, phrase] : cases) {
    live.place.state = state;
    EXPECT_EQ(obstacle(live), phrase);
  }
}

TEST(Obstacle, IsAStartThatIsNotOver) {
  LiveProcess live = shop();
  live.runtime.started = false;
  EXPECT_EQ(obstacle(live), "still starting");
  for (const char* setting : {"DOTNET_DefaultDiagnosticPortSuspend=1", "COMPlus_DefaultDiagnosticPortSuspend=1",
                              "DOTNET_DiagnosticPorts=/tmp/port", "DOTNET_DiagnosticPorts=/a,nosuspend;/b,connect"}) {
    live.process.environment = {setting};
    EXPECT_EQ(obstacle(live), "suspended at start") << setting;
  }
  live.process.environment = {"DOTNET_DiagnosticPorts=/tmp/port,nosuspend", "DOTNET_DefaultDiagnosticPortSuspend=0"};
  EXPECT_EQ(obstacle(live), "still starting");
}

std::string text_of_rows(const std::vector<PsRow>& rows, unsigned width = 100) {
  report::Options display;
  display.width = width;
  std::ostringstream out;
  write_ps_text(rows, display, out);
  return out.str();
}

TEST(PsText, IsALineForEachProcess) {
  EXPECT_EQ(text_of_rows({{shop(), {}, "", 240}}),
            " pid     up  runtime  RID        attach  command\n"
            "4711  4 min  10.0.12  linux-x64  yes     dotnet Shop.dll\n");
  LiveProcess other = shop();
  other.process.pid = 12;
  other.process.user = 0xfffffff0;
  other.process.command = {"dotnet", "My Shop.dll", "--password=hunter2"};
  other.info.reset();
  other.runtime = {RuntimeKind::kMono};
  EXPECT_EQ(text_of_rows(
                {{other, {}, "Mono", 9}, {shop(), {true, {"log"}, {"/srv/Shop-4711.oriel"}}, "Oriel is in it", 7500}}),
            " pid  user                up  runtime  RID        attach                  command\n"
            "  12  4294967280         9 s  Mono                no: Mono                "
            "dotnet 'My S… --password=…\n"
            "4711              2 h 05 min  10.0.12  linux-x64  Oriel: Shop-4711.oriel  dotnet Shop.dll\n");
  EXPECT_THAT(text_of_rows({{shop(), {true, {"log"}, {"/srv/a.oriel", "/srv/b.oriel"}}, "Oriel is in it", 1}}),
              HasSubstr("Oriel: a.oriel, 1 more  dotnet"));
  EXPECT_THAT(text_of_rows({{shop(), {true, {"coverage", "log"}, {}}, "Oriel is in it", 1}}),
              HasSubstr("Oriel: coverage, log  dotnet"));
  EXPECT_EQ(text_of_rows({}), "No .NET processes.\n");
}

TEST(PsText, FitsAndSteersNoTerminal) {
  LiveProcess live = shop();
  live.process.command = {"dotnet", "\x1b[2J" + std::string(500, 'x'), "\xff"};
  const std::string text = text_of_rows({{live, {true, {}, {"/" + std::string(90, 'y')}}, std::string(90, 'z'), 1}});
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(report::display_width(line), 100u) << line;
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

TEST(PsText, HasAgesThatAPersonReads) {
  EXPECT_EQ(age_text(0), "0 s");
  EXPECT_EQ(age_text(59), "59 s");
  EXPECT_EQ(age_text(60), "1 min");
  EXPECT_EQ(age_text(3660), "1 h 01 min");
  EXPECT_EQ(age_text(3 * 86400 + 3600), "3 d 1 h");
}

TEST(PsJson, HasEachFieldInEachObject) {
  LiveProcess other = shop();
  other.info.reset();
  other.place.state = PortState::kNone;
  other.process.command = {"dotnet", "\xff", "--token", "abc"};
  std::ostringstream out;
  write_ps_json({{shop(), {true, {"log"}, {"/srv/Shop.oriel"}}, "Oriel is in it", 7}, {other, {}, "", 8}}, out);
  const auto json = nlohmann::json::parse(out.str());
  ASSERT_EQ(json.size(), 2u);
  EXPECT_EQ(json[0]["pid"], 4711);
  EXPECT_EQ(json[0]["version"], "10.0.12");
  EXPECT_EQ(json[0]["oriel"]["files"][0], "/srv/Shop.oriel");
  EXPECT_EQ(json[0]["attachable"], false);
  EXPECT_EQ(json[0]["obstacle"], "Oriel is in it");
  EXPECT_EQ(json[0]["socket"], "/tmp/dotnet-diagnostic-4711-1-socket");
  EXPECT_EQ(json[1]["attachable"], true);
  EXPECT_EQ(json[1]["command"], (nlohmann::json{"dotnet", "\xEF\xBF\xBD", "--token", "…"}));
  for (const char* name : {"oriel", "rid", "obstacle", "socket"}) EXPECT_TRUE(json[1][name].is_null()) << name;
  EXPECT_EQ(json[0].size(), json[1].size());
  std::ostringstream none;
  write_ps_json({}, none);
  EXPECT_EQ(none.str(), "[]\n");
}

}  // namespace
}  // namespace oriel::cli
