#include "coreclr/run_target.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/process/coreclr_clsid.h"
#include "paths.h"

namespace oriel::test {
namespace {

namespace fs = std::filesystem;

std::string shell_quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string contents(const fs::path& path) {
  std::ifstream in(path);
  std::stringstream all;
  all << in.rdbuf();
  return all.str();
}

struct TemporaryFolder {
  TemporaryFolder() {
    std::string pattern = (fs::temp_directory_path() / "oriel-test-XXXXXX").string();
    path = mkdtemp(pattern.data());
  }
  ~TemporaryFolder() { fs::remove_all(path); }
  fs::path path;
};

std::map<std::string, std::string> environment_of(const TargetOptions& options, const fs::path& probe_file) {
  std::map<std::string, std::string> all;
  const std::string build = test_paths::build;
  if (options.profiled) {
    all["CORECLR_ENABLE_PROFILING"] = "1";
    all["CORECLR_PROFILER"] = ORIEL_CORECLR_CLSID;
    all["CORECLR_PROFILER_PATH"] = build + (options.inspected ? "/tests/inspected" : "/lib") + "/liboriel.so";
    all["ORIEL_MODULE_PATH"] = build + "/tests/modules";
    if (!options.events.empty())
      all["ORIEL_PROFILERS"] = "probe:out=" + probe_file.string() + ",events=" + options.events;
  }
  for (const auto& [name, value] : options.environment) all[name] = value;
  return all;
}

}  // namespace

bool has_dotnet() { return std::system("dotnet --version >/dev/null 2>&1") == 0; }

TargetRun run_target(const std::string& program, const TargetOptions& options) {
  const TemporaryFolder folder;
  const fs::path probe_file = folder.path / "probe";
  std::string command = "env";
  for (const auto& [name, value] : environment_of(options, probe_file))
    command += " " + name + "=" + shell_quoted(value);
  command += " dotnet " + shell_quoted(std::string(test_paths::build) + "/targets/" + program + "/" + program + ".dll");
  command +=
      " " + options.arguments + " >" + shell_quoted(folder.path / "out") + " 2>" + shell_quoted(folder.path / "err");
  TargetRun run;
  const int status = std::system(command.c_str());
  if (WIFEXITED(status)) run.exit_code = WEXITSTATUS(status);
  run.output = contents(folder.path / "out");
  run.errors = contents(folder.path / "err");
  std::ifstream lines(probe_file);
  for (std::string line; std::getline(lines, line);) run.heard.push_back(line);
  return run;
}

std::vector<std::string> heard_of(const TargetRun& run, const std::string& event) {
  std::vector<std::string> lines;
  for (const std::string& line : run.heard) {
    if (line.starts_with(event + " ")) lines.push_back(line);
  }
  return lines;
}

std::string field(const std::string& line, const std::string& name) {
  const size_t found = line.find(" " + name + "=");
  if (found == std::string::npos) return {};
  const std::string rest = line.substr(found + name.size() + 2);
  if (rest.starts_with('"')) return rest.substr(1, rest.find('"', 1) - 1);
  return rest.substr(0, rest.find(' '));
}

}  // namespace oriel::test
