// The program of a command line, and the file to execute.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"

namespace oriel::cli {

// The SDK's verb if it runs the program in a child process ("run", "test", "build", "ef", …); else "".
std::string sdk_verb(const std::vector<std::string>& command);

// Whether the verb only builds.
bool builds(const std::string& verb);

// Whether the executable only starts other programs: a script, a shell, `make`.
bool is_launcher(const std::string& path);

struct Executable {
  std::string path;   // to execute
  int exit_code = 0;  // 0; or kNotFound or kNotExecutable, with `message`
  std::string message;
};

// Finds the program like execvp, in `search_path` (the value of PATH) if it has no slash.
Executable find_executable(const std::string& program, const std::string& search_path);

// Whether the file starts with "#!".
bool is_script(const std::string& path);

}  // namespace oriel::cli
