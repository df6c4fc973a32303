// A process's end, with and without a word from its runtime; children of fork.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "paths.h"

namespace {

struct Outcome {
  int status = 0;  // exit code
  std::string said;
};

Outcome play(const std::string& script, const std::string& profilers) {
  const std::string file = std::filesystem::temp_directory_path() / ("oriel-script-" + std::to_string(getpid()));
  std::ofstream(file) << script;
  const std::string modules = oriel::test_paths::test_modules, host = oriel::test_paths::scripted_host;
  const std::string command =
      "ORIEL_MODULE_PATH=" + modules + " ORIEL_PROFILERS='" + profilers + "' " + host + " " + file + " 2>&1";
  FILE* const pipe = popen(command.c_str(), "r");
  Outcome run;
  char buffer[256];
  while (fgets(buffer, sizeof buffer, pipe)) run.said += buffer;
  run.status = WEXITSTATUS(pclose(pipe));
  std::filesystem::remove(file);
  return run;
}

constexpr const char* kEnd = "tracer: domain app\ntracer: shutdown_end\ntracer: cleanup after 1\n";

TEST(Process, EndsWithOneShutdownAndOneCleanup) {
  const Outcome run = play("domain app\n", "tracer");
  EXPECT_EQ(run.said, kEnd);
  EXPECT_EQ(run.status, 0);
}

TEST(Process, ThatExitsWithoutAWordStillCleansUpOnceAndKeepsItsExitCode) {
  const Outcome run = play("domain app\nexit code=42\n", "tracer");
  EXPECT_EQ(run.said, kEnd);
  EXPECT_EQ(run.status, 42);
}

TEST(Process, ThatExitsOnAnotherThreadStillCleansUp) {
  const Outcome run = play("domain app\nparallel 1\nexit code=3\nend\n", "tracer");
  EXPECT_EQ(run.said, kEnd);
  EXPECT_EQ(run.status, 3);
}

TEST(Process, KnowsWhichMethodsAreTrivial) {
  const std::string methods =
      "assembly A\nimage I assembly=A\nclass C image=I\nmethod get_Name class=C trivial\nmethod Run class=C\n"
      "method get_Size class=C trivial\n";
  EXPECT_EQ(play(methods + "trivial get_Name yes\ntrivial Run no\ntrivial get_Size yes\n", "tracer").status, 0);
  const Outcome wrong = play(methods + "trivial Run yes\n", "tracer");
  EXPECT_NE(wrong.said.find("whether Run is trivial: no, not yes"), std::string::npos) << wrong.said;
  EXPECT_NE(wrong.status, 0);
}

TEST(Process, ChildrenOfForkRaiseNothingAndCleanNothingUp) {
  const Outcome run = play("domain app\nassembly a\n", "tracer:fork");
  EXPECT_EQ(run.said, "tracer: domain app\ntracer: child ended 0\ntracer: shutdown_end\ntracer: cleanup after 1\n");
}

TEST(Process, RunsOnWithoutAModuleThatCannotBeLoaded) {
  const Outcome run = play("domain app\n", "missing;tracer");
  EXPECT_EQ(run.said.find("oriel: cannot find module 'missing'"), 0u) << run.said;
  EXPECT_NE(run.said.find(kEnd), std::string::npos) << run.said;
  EXPECT_EQ(run.status, 0);
}

TEST(Process, WithoutModulesIsLeftAlone) {
  const Outcome run = play("domain app\nassembly a\nparallel 2\nend\n", "");
  EXPECT_EQ(run.said, "");
  EXPECT_EQ(run.status, 0);
}

}  // namespace
