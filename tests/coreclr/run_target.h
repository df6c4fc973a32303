// Runs a C# program of tests/targets under Oriel with the probe module, and collects its output.
#pragma once

#include <cstdlib>
#include <map>
#include <string>
#include <vector>

namespace oriel::test {

struct TargetRun {
  int exit_code = -1;
  std::string output;              // stdout
  std::string errors;              // stderr
  std::vector<std::string> heard;  // the probe's lines
};

struct TargetOptions {
  std::string arguments = {};                           // the program's
  std::string events = {};                              // for the probe; empty: the probe is not loaded
  bool profiled = true;                                 // false: the plain program
  bool inspected = false;                               // with the library that can inspect the runtime
  std::map<std::string, std::string> environment = {};  // additional variables
};

// Whether dotnet is installed; otherwise tests skip themselves.
bool has_dotnet();
TargetRun run_target(const std::string& program, const TargetOptions& options);

// The lines that begin with "EVENT ".
std::vector<std::string> heard_of(const TargetRun& run, const std::string& event);
// The value of field= in a line, up to the next blank, or without its quotes if it is quoted. "" if there is none.
std::string field(const std::string& line, const std::string& name);

}  // namespace oriel::test

#define ORIEL_NEEDS_DOTNET() \
  if (!oriel::test::has_dotnet()) GTEST_SKIP() << "dotnet is not installed"
// What takes a minute and is like what other tests have.
#define ORIEL_ONLY_LONG() \
  if (!std::getenv("ORIEL_LONG")) GTEST_SKIP() << "only in ./check --long"
