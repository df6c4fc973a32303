#include "program.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "exit_codes.h"

namespace oriel::cli {
namespace {

// Options of the `dotnet` host that have a value in the next argument.
constexpr std::array<std::string_view, 7> kHostOptions = {"--additionalprobingpath",
                                                          "--depsfile",
                                                          "--runtimeconfig",
                                                          "--fx-version",
                                                          "--roll-forward",
                                                          "--additional-deps",
                                                          "--roll-forward-on-no-candidate-fx"};
// Verbs that leave the work, or part of it, to other processes.
constexpr std::array<std::string_view, 10> kParentVerbs = {"build",   "clean", "msbuild", "pack", "publish",
                                                           "restore", "run",   "test",    "tool", "watch"};

std::string base_name(const std::string& path) { return std::filesystem::path(path).filename().string(); }

bool is_assembly(const std::string& argument) { return argument.ends_with(".dll") || argument.ends_with(".exe"); }

// The first argument of `dotnet` that is not an option of the host: a dll or a verb; "" if there is none.
std::string dotnet_subject(const std::vector<std::string>& command) {
  for (size_t i = 1; i < command.size(); i++) {
    if (std::find(kHostOptions.begin(), kHostOptions.end(), command[i]) != kHostOptions.end()) {
      i++;
    } else if (command[i] != "exec" && !command[i].starts_with('-')) {
      return command[i];
    }
  }
  return "";
}

std::string fit_for_file_name(std::string name) {
  for (char& c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c)) && std::string_view("._-+").find(c) == std::string_view::npos)
      c = '_';
  }
  return name.empty() ? "program" : name;
}

bool is_dotnet(const std::vector<std::string>& command) {
  return !command.empty() && base_name(command[0]) == "dotnet";
}

// 0 if the file can be executed, else the exit code that says why not.
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

std::string program_name(const std::vector<std::string>& command) {
  if (command.empty()) return "program";
  std::string name = base_name(command[0]);
  if (is_dotnet(command)) {
    const std::string subject = dotnet_subject(command);
    if (is_assembly(subject)) {
      name = std::filesystem::path(subject).stem().string();
    } else if (!subject.empty()) {
      name = "dotnet-" + subject;
    }
  }
  return fit_for_file_name(name);
}

std::string sdk_verb(const std::vector<std::string>& command) {
  if (!is_dotnet(command)) return "";
  const std::string subject = dotnet_subject(command);
  const bool known = std::find(kParentVerbs.begin(), kParentVerbs.end(), subject) != kParentVerbs.end();
  return known ? subject : "";
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
  std::ifstream file(path, std::ios::binary);
  char magic[2] = {};
  return file.read(magic, 2) && magic[0] == '#' && magic[1] == '!';
}

}  // namespace oriel::cli
