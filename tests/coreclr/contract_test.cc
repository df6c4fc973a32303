// The contract of runtime adapters (tests/contract), tested on CoreCLR.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "coreclr/run_target.h"
#include "paths.h"

namespace oriel::test {
namespace {

using testing::EndsWith;

// Runs a program under the contract's module and returns its verdict.
std::string verdict(const std::string& program, const std::string& program_arguments, const std::string& required) {
  const std::filesystem::path out =
      std::filesystem::temp_directory_path() / ("oriel-verdict-" + std::to_string(getpid()));
  TargetOptions options;
  options.arguments = program_arguments;
  options.environment = {{"ORIEL_MODULE_PATH", std::string(test_paths::build) + "/lib/testing"},
                         {"ORIEL_PROFILERS", "contract:out=" + out.string() + ",require=" + required}};
  const TargetRun run = run_target(program, options);
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  std::stringstream text;
  text << std::ifstream(out).rdbuf();
  std::filesystem::remove(out);
  return text.str();
}

constexpr const char* kEveryProgram =
    "runtime_initialized+runtime_shutdown_end+domain_loaded+assembly_loaded+image_loaded+class_loaded+jit_begin+jit_"
    "done";

TEST(Contract, HoldsForThreads) {
  ORIEL_NEEDS_DOTNET();
  EXPECT_THAT(verdict("events", "threads", kEveryProgram + std::string("+thread_started+thread_stopped+thread_name")),
              EndsWith("verdict pass\n"));
}

TEST(Contract, HoldsForCollections) {
  ORIEL_NEEDS_DOTNET();
  EXPECT_THAT(verdict("events", "gc",
                      "gc_begin+gc_end+gc_event+suspend_begin+suspend_end+resume_begin+resume_end+runtime_initialized"),
              EndsWith("verdict pass\n"));
}

TEST(Contract, HoldsForExceptions) {
  ORIEL_NEEDS_DOTNET();
  EXPECT_THAT(verdict("events", "exceptions", "exception_throw+exception_clause+exception_unwind"),
              EndsWith("verdict pass\n"));
}

// Two threads load, unload and collect, so one suspension follows the other immediately.
TEST(Contract, HoldsForChurn) {
  ORIEL_NEEDS_DOTNET();
  EXPECT_THAT(verdict("churn", "2", "suspend_begin+resume_end"), EndsWith("verdict pass\n"));
}

TEST(Contract, HoldsForUnloads) {
  ORIEL_NEEDS_DOTNET();
  EXPECT_THAT(verdict("events", "unload", "assembly_unloaded+image_unloading+image_unloaded+method_free"),
              EndsWith("verdict pass\n"));
}

}  // namespace
}  // namespace oriel::test
