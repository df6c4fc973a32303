#include "live/obstacle.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/process/clr_setting.h"
#include "base/process/coreclr_clsid.h"
#include "base/process/guest_list.h"
#include "base/text/path.h"
#include "base/text/words.h"

namespace oriel::cli {
namespace {

using diagnostics::PortState;
using diagnostics::Process;
using diagnostics::RuntimeKind;

constexpr unsigned kLeastVersion = 8;

// The setting of the runtime, "DOTNET_…" before "COMPlus_…", as it is written in the environment; "" if it is not set.
std::string clr_setting(const Process& process, const std::string& name) {
  for (const char* prefix : {"DOTNET_", "COMPlus_"})
    if (const auto value = variable(process, prefix + name)) return prefix + name + "=" + std::string(*value);
  return "";
}

// The engine and the runtime share one C library.
#ifdef __GLIBC__
constexpr bool kForMusl = false;
#else
constexpr bool kForMusl = true;
#endif

bool is_on(const std::string& setting) {
  std::string_view value = setting;
  cut(value, '=');
  return is_clr_switch_on(value);
}

std::string obstacle_in_runtime(const LiveProcess& live) {
  if (live.runtime.kind == RuntimeKind::kMono || live.runtime.kind == RuntimeKind::kNativeAot)
    return runtime_name(live.runtime.kind);
  if (live.runtime.musl != kForMusl) return live.runtime.musl ? "musl" : "glibc";
  const auto major = diagnostics::major_version(live.version());
  if (major && *major < kLeastVersion) return "older than .NET " + std::to_string(kLeastVersion);
  return "";
}

// Whether the library is mapped, by its own name or by that of what it links to.
bool is_mapped(const Process& process, const std::string& library) {
  if (!mapped_file(process, file_name(library)).empty()) return true;
  std::error_code error;
  const std::string real = std::filesystem::canonical(seen_path(process, library), error).filename();
  return !real.empty() && !mapped_file(process, real).empty();
}

// That the environment names and the runtime has loaded.
std::string profiler_of_environment(const Process& process) {
  if (!is_clr_switch_on(variable(process, "CORECLR_ENABLE_PROFILING").value_or(""))) return "";
  std::string clsid(variable(process, "CORECLR_PROFILER").value_or(""));
  if (clsid.empty() || canonical_clsid(clsid) == ORIEL_CORECLR_CLSID) return "";
  for (const char* name : {"CORECLR_PROFILER_PATH_64", "CORECLR_PROFILER_PATH"})
    if (const auto path = variable(process, name))
      return is_mapped(process, std::string(*path)) ? file_name(*path) : "";
  return clsid;
}

std::string obstacle_of_other_profiler(const Process& process) {
  std::string name = profiler_of_environment(process);
  // An engine that has left stays mapped.
  std::vector<std::string> loaded = profilers_in(process);
  std::erase_if(loaded, [](const std::string& path) { return file_name(path).starts_with(kEngineLibrary); });
  if (name.empty() && !loaded.empty()) name = file_name(loaded[0]);
  return name.empty() ? "" : "profiler " + name;
}

std::string obstacle_in_settings(const Process& process) {
  for (const char* name : {"EnableDiagnostics", "EnableDiagnostics_IPC"})
    if (std::string setting = clr_setting(process, name); !setting.empty() && !is_on(setting)) return setting;
  if (variable(process, "ORIEL_CONTROL") == "off") return "ORIEL_CONTROL=off";
  return "";
}

// By the permissions alone, and taking the process's groups for those that it needs: false if it surely may not.
bool may_read(const Process& process, const std::string& path) {
  for (size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    struct stat about {};
    if (stat((process.root + path.substr(0, end)).c_str(), &about) != 0) return true;
    const mode_t owners = about.st_mode >> 6, others = about.st_mode | about.st_mode >> 3;
    const mode_t needed = end == std::string::npos ? S_IROTH : S_IXOTH;
    if (((process.user == about.st_uid ? owners : others) & needed) == 0) return false;
    if (end == std::string::npos) return true;
  }
}

// The process must find the engine by the same path as this one.
std::string obstacle_at_engine(const Process& process, const std::string& engine) {
  if (engine.empty()) return "";
  if (!process.root.empty() && access((process.root + engine).c_str(), R_OK) != 0)
    return "liboriel.so is not in its mounts";
  return process.user == 0 || may_read(process, engine) ? "" : "it may not read liboriel.so";
}

bool waits_for_a_tool(const Process& process) {
  if (is_on(clr_setting(process, "DefaultDiagnosticPortSuspend"))) return true;
  std::string ports = clr_setting(process, "DiagnosticPorts");
  std::replace(ports.begin(), ports.end(), '=', ';');
  const std::vector<std::string> each = split(ports, ';');
  return std::any_of(each.begin() + (each.empty() ? 0 : 1), each.end(),
                     [](const std::string& port) { return port.find("nosuspend") == std::string::npos; });
}

std::string obstacle_at_port(const LiveProcess& live) {
  switch (live.place.state) {
    case PortState::kNoFolder:
      return "its TMPDIR does not exist";
    case PortState::kTooLong:
      return "its TMPDIR is too long";
    case PortState::kRemoved:
      return "its socket was removed";
    case PortState::kThere:
    case PortState::kNone:
      break;
  }
  if (!live.runtime.started) return waits_for_a_tool(live.process) ? "suspended at start" : "still starting";
  if (live.place.state == PortState::kNone) return kNoSocket;
  if (live.info && !*live.info) return (*live.info).message();
  return "";
}

}  // namespace

std::string obstacle_to_attaching(const LiveProcess& live, const Presence& oriel, const std::string& engine) {
  const Process& process = live.process;
  if (!process.readable) return process.user == geteuid() ? "it may not be looked into" : "another user";
  if (is_stopped(process)) return "does not answer (stopped)";
  if (std::string in_runtime = obstacle_in_runtime(live); !in_runtime.empty()) return in_runtime;
  if (oriel.inside) return kOrielInside;
  for (const std::string& obstacle :
       {obstacle_of_other_profiler(process), obstacle_in_settings(process), obstacle_at_engine(process, engine)})
    if (!obstacle.empty()) return obstacle;
  return obstacle_at_port(live);
}

}  // namespace oriel::cli
