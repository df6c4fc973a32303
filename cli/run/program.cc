#include "run/program.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/files/file_template.h"
#include "base/files/input_file.h"
#include "base/text/path.h"
#include "exit_codes.h"

namespace oriel::cli {
namespace {

// SDK verbs that do all work in their own process. All others, such as those that build and run, and `dotnet ef`, use
// child processes.
constexpr std::array<std::string_view, 14> kOwnVerbs = {"add",       "help",   "list",     "new",     "nuget",
                                                        "package",   "remove", "sdk",      "search",  "sln",
                                                        "reference", "store",  "solution", "workload"};

// Programs that start others.
constexpr std::array<std::string_view, 13> kLaunchers = {"ash",  "bash", "dash", "fish",    "ksh",   "make", "ninja",
                                                         "pwsh", "sh",   "time", "timeout", "xargs", "zsh"};

// 0 if the file can be executed, else the exit code for the reason.
int executable_state(const std::string& path) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0) return kNotFound;
  if (S_ISDIR(status.st_mode) || access(path.c_str(), X_OK) != 0) return kNotExecutable;
  return 0;
}

Executable describe(const std::string& program, const std::string& path, int state) {
  Executable found{path, state, ""};
  if (state == kNotFound) {
    found.message = fmt::format("there is no program '{}'; check its spelling, or give its path", program);
  } else if (state == kNotExecutable) {
    found.message = program.ends_with(".dll")
                        ? fmt::format("'{}' cannot be executed by itself; run it with dotnet: oriel run -- dotnet {}",
                                      path, program)
                        : fmt::format("'{}' is not executable; make it so with chmod +x, or name another file", path);
  }
  return found;
}

}  // namespace

std::string sdk_verb(const std::vector<std::string>& command) {
  const std::string subject = dotnet_subject(command);
  const bool is_file = subject.find('/') != std::string::npos && !subject.ends_with(".cs");
  const bool is_program = is_file || subject.ends_with(".dll") || subject.ends_with(".exe");
  return is_program || std::ranges::find(kOwnVerbs, subject) != kOwnVerbs.end() ? "" : subject;
}

bool is_launcher(const std::string& path) {
  const std::string name = file_name(path);
  return std::ranges::find(kLaunchers, name) != kLaunchers.end() || is_script(path);
}

bool builds(const std::string& verb) {
  return verb == "build" || verb == "msbuild" || verb == "pack" || verb == "publish";
}

Executable find_executable(const std::string& program, const std::string& search_path) {
  if (program.find('/') != std::string::npos) return describe(program, program, executable_state(program));
  Executable best = describe(program, program, kNotFound);
  for (size_t start = 0; start <= search_path.size() && !program.empty();) {
    const size_t end = std::min(search_path.find(':', start), search_path.size());
    const std::string folder = end == start ? "." : search_path.substr(start, end - start);
    const std::string path = folder + "/" + program;
    const int state = executable_state(path);
    if (state == 0) return describe(program, path, 0);
    if (state == kNotExecutable && best.exit_code == kNotFound) best = describe(program, path, state);
    start = end + 1;
  }
  return best;
}

bool is_script(const std::string& path) {
  const Result<InputFile> file = InputFile::open(path, UINT64_MAX);
  char magic[2] = {};
  return file && file->read(0, magic, sizeof magic) && magic[0] == '#' && magic[1] == '!';
}

}  // namespace oriel::cli
