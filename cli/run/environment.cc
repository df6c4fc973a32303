#include "run/environment.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <string_view>

#include "base/process/coreclr_clsid.h"
#include "base/process/mono_environment.h"

namespace oriel::cli {
namespace {

bool names(const std::string& entry, std::string_view name) {
  return entry.size() > name.size() && entry[name.size()] == '=' && entry.starts_with(name);
}

void unset(Environment& environment, std::string_view name) {
  std::erase_if(environment, [&](const std::string& entry) { return names(entry, name); });
}

bool is_zero(const std::string& value) { return !value.empty() && value.find_first_not_of('0') == std::string::npos; }

// Disables build servers (MSBuild nodes, the compiler server): they would be profiled after the command ends, or be old
// ones without Oriel. Builds have the same results without them. Also gives test hosts, which are killed after 100 ms
// by default, time to finish their logs.
void disable_build_servers(Environment& environment) {
  set_value(environment, "MSBUILDDISABLENODEREUSE", "1");
  set_value(environment, "DOTNET_CLI_USE_MSBUILD_SERVER", "0");
  set_value(environment, "UseSharedCompilation", "false");
  constexpr const char* kTimeout = "VSTEST_TESTHOST_SHUTDOWN_TIMEOUT";
  if (value_of(environment, kTimeout).empty()) set_value(environment, kTimeout, "10000");
}

// `dotnet test` passes this to VSTest, and so to xunit, NUnit and MSTest. Settings after "--" take precedence.
void request_sequential_tests(Environment& environment) {
  set_value(environment, "VSTestCLIRunSettings", "RunConfiguration.DisableParallelization=true");
}

// Saves the variables of the profiler that Oriel replaces: the engine restores them for it.
void keep_taken(Environment& environment, const Guests& guests) {
  std::erase_if(environment, [](const std::string& entry) { return entry.starts_with("ORIEL_TAKEN_"); });
  std::vector<std::string> taken;
  for (const std::string& entry : environment)
    if (guests.taken && entry.starts_with("CORECLR_")) taken.push_back("ORIEL_TAKEN_" + entry);
  environment.insert(environment.end(), taken.begin(), taken.end());
  unset(environment, "ORIEL_GUESTS");
  if (!guests.specs.empty()) set_value(environment, "ORIEL_GUESTS", guests_text(guests.specs));
  unset(environment, "ORIEL_NO_GUESTS");
  if (guests.none) set_value(environment, "ORIEL_NO_GUESTS", "1");
}

// Mono takes other profilers that the user names there too. It is not told of one that it could not find.
void name_to_mono(Environment& environment, const std::string& engine, bool adds_to_code) {
  constexpr const char* kOptions = "MONO_ENV_OPTIONS";
  constexpr const char* kFolders = "LD_LIBRARY_PATH";
  const std::string folder = engine.substr(0, engine.rfind('/'));
  if (access(mono_library(folder).c_str(), R_OK) != 0) return;
  set_value(environment, kOptions, with_oriel_option(value_of(environment, kOptions), adds_to_code));
  set_value(environment, kFolders, with_oriel_folder(value_of(environment, kFolders), folder));
}

}  // namespace

Environment current_environment() {
  Environment environment;
  for (char** entry = environ; *entry; entry++) environment.emplace_back(*entry);
  return environment;
}

std::string value_of(const Environment& environment, const std::string& name) {
  for (const std::string& entry : environment) {
    if (names(entry, name)) return entry.substr(name.size() + 1);
  }
  return "";
}

void set_value(Environment& environment, const std::string& name, const std::string& value) {
  unset(environment, name);
  environment.push_back(name + "=" + value);
}

Status check_environment(const Environment& environment) {
  for (const char* name : {"DOTNET_EnableDiagnostics", "COMPlus_EnableDiagnostics", "DOTNET_EnableDiagnostics_Profiler",
                           "COMPlus_EnableDiagnostics_Profiler"}) {
    if (is_zero(value_of(environment, name))) {
      return Status::error(
          fmt::format("{0}=0 forbids the runtime to load a profiler; unset it: env -u {0} oriel run …", name));
    }
  }
  return Status::ok();
}

std::string name_of_run(pid_t pid, StartTime start) {
  const auto since = std::chrono::duration_cast<std::chrono::microseconds>(start.time_since_epoch());
  return fmt::format("{}-{}", pid, since.count());
}

Environment profiled_environment(const Environment& base, const ProfilingSetup& setup, pid_t pid) {
  Environment environment = base;
  keep_taken(environment, setup.guests);
  // The runtime prefers these to CORECLR_PROFILER_PATH.
  std::erase_if(environment, [](const std::string& entry) { return entry.starts_with("CORECLR_PROFILER_PATH_"); });
  set_value(environment, "CORECLR_ENABLE_PROFILING", "1");
  set_value(environment, "CORECLR_PROFILER", ORIEL_CORECLR_CLSID);
  set_value(environment, "CORECLR_PROFILER_PATH", setup.engine);
  name_to_mono(environment, setup.engine, setup.adds_to_code);
  set_value(environment, "ORIEL_PID", std::to_string(pid));
  set_value(environment, "ORIEL_RUN", setup.run);
  unset(environment, "ORIEL_CHILDREN");
  if (setup.children) {
    set_value(environment, "ORIEL_CHILDREN", "1");
    disable_build_servers(environment);
  }
  unset(environment, "ORIEL_PAUSED");
  if (setup.paused) set_value(environment, "ORIEL_PAUSED", "1");
  if (setup.no_redact) set_value(environment, "ORIEL_NO_REDACT", "1");
  if (setup.sequential_tests) request_sequential_tests(environment);
  unset(environment, "ORIEL_MESSAGES");
  if (!setup.messages.empty()) set_value(environment, "ORIEL_MESSAGES", setup.messages);
  return environment;
}

}  // namespace oriel::cli
