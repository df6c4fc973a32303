// What a command line runs, and the file that will be executed.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"

namespace oriel::cli {

// The SDK's verb if the command is one of those that run the program in a child process ("run", "test", "build", "ef",
// …), else "".
std::string sdk_verb(const std::vector<std::string>& command);

// Whether such a verb does nothing but build.
bool builds(const std::string& verb);

// Whether what is executed there starts other programs and is none itself: a script, a shell, `make`.
bool is_launcher(const std::string& path);

struct Executable {
  std::string path;   // to execute
  int exit_code = 0;  // 0, or kNotFound or kNotExecutable with `message`
  std::string message;
};

// Finds the program as execvp would, along `search_path` (the value of PATH) if it has no slash.
Executable find_executable(const std::string& program, const std::string& search_path);

// Whether the file begins with "#!".
bool is_script(const std::string& path);

}  // namespace oriel::cli
