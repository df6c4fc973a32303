// The contract asked of the scripted runtime, and of engines that break it (the module must notice).
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "paths.h"

namespace {

class Contract : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("oriel-contract-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  // Plays a script under the module; its verdict.
  std::string verdict(const std::string& script, const std::string& arguments) {
    const std::string file = folder_ / "script", out = folder_ / "verdict";
    std::ofstream(file) << script;
    const std::string module = oriel::test_paths::contract_module, host = oriel::test_paths::scripted_host;
    const std::string command = "ORIEL_MODULE_PATH=" + module + " ORIEL_PROFILERS='contract:out=" + out + "," +
                                arguments + "' " + host + " " + file;
    EXPECT_EQ(system(command.c_str()), 0) << command;
    std::stringstream text;
    text << std::ifstream(out).rdbuf();
    return text.str();
  }
  static bool passes(const std::string& verdict) {
    return verdict.size() > 13 && verdict.compare(verdict.size() - 13, 13, "verdict pass\n") == 0;
  }

  std::filesystem::path folder_;
};

constexpr const char* kEverything =
    "domain app\nassembly A\nimage A.dll assembly=A\nclass A.C image=A.dll\nclass A.Bad image=A.dll fail\n"
    "image Bad.dll assembly=A fail\n"
    "method M class=A.C\nmethod N class=A.C\nmethod F class=A.C\nclass A.Oops image=A.dll\n"
    "jit M\njit N\njit F fail\nsleep ms=100\nparallel 4\nrename worker\ngc generation=1\nend\n"
    "throw A.Oops through=N caught=M\nrun M N ms=20\nfree N\nunload image A.dll\n";

TEST_F(Contract, HoldsForTheScriptedRuntime) {
  const std::string said =
      verdict(kEverything,
              "require=runtime_initialized+runtime_shutdown_begin+runtime_shutdown_end+domain_loaded+assembly_loaded+"
              "image_loading+image_loaded+image_failed+image_unloading+image_unloaded+class_loaded+class_failed+"
              "class_unloaded+jit_begin+jit_done+jit_failed+method_free+thread_started+thread_stopped+thread_name+"
              "gc_begin+gc_end+gc_event+suspend_begin+suspend_end+resume_begin+resume_end+exception_throw+"
              "exception_clause+exception_unwind,late=exception_throw+gc_begin+gc_end");
  EXPECT_TRUE(passes(said)) << said;
}

TEST_F(Contract, HoldsUnderManyThreadsThatLoadAndUnload) {
  const std::string said = verdict(
      "parallel 8\nrepeat 40\nassembly A{t}_{i}\nimage I{t}_{i} assembly=A{t}_{i}\nclass C{t}_{i} image=I{t}_{i}\n"
      "method M{t}_{i} class=C{t}_{i}\njit M{t}_{i}\njit M{t}_{i}\nthrow C{t}_{i} through=M{t}_{i}\ngc\n"
      "unload image I{t}_{i}\nunload assembly A{t}_{i}\nend\nend\n",
      "require=method_free+image_unloaded+assembly_unloaded");
  EXPECT_TRUE(passes(said)) << said;
  EXPECT_NE(said.find("event image_unloaded 320\n"), std::string::npos) << said;
}

TEST_F(Contract, IsWrittenAlsoWhenTheProcessExitsWithoutAWord) {
  const std::string said = verdict("domain app\nexit code=0\n", "require=runtime_shutdown_end+domain_loaded");
  EXPECT_TRUE(passes(said)) << said;
}

TEST_F(Contract, FailsWhereARequiredEventNeverComes) {
  const std::string said = verdict("domain app\n", "require=image_loaded");
  EXPECT_NE(said.find("violation required event never came (1): image_loaded\nverdict fail\n"), std::string::npos)
      << said;
}

TEST_F(Contract, NoticesWhatIsOutOfOrder) {
  const std::string said =
      verdict("assembly A\nimage I assembly=A\nclass C image=I\nmethod M class=C\njit M\nsleep ms=100\ngc\n",
              "late=gc_end+jit_begin,require=gc_begin");
  EXPECT_NE(said.find("violation jit_done without jit_begin"), std::string::npos) << said;
  EXPECT_NE(said.find("verdict fail"), std::string::npos) << said;
}

}  // namespace
