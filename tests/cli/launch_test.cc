#include "run/launch.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "exit_codes.h"
#include "temp_folder.h"

namespace oriel::cli {
namespace {

ProcessResult shell(const std::string& script) {
  return launch("/bin/sh", {"sh", "-c", script}, [](pid_t pid) {
    return Environment{"PATH=/usr/bin:/bin", "TOLD_PID=" + std::to_string(pid)};
  });
}

TEST(Launch, PassesTheExitCodeOn) {
  EXPECT_EQ(shell("exit 0").exit_code, 0);
  EXPECT_EQ(shell("exit 255").exit_code, 255);
  EXPECT_EQ(shell("exit 7").signal, 0);
}

TEST(Launch, DeathBySignalIs128AndItsNumber) {
  const ProcessResult ending = shell("kill -KILL $$");
  EXPECT_EQ(ending.signal, SIGKILL);
  EXPECT_EQ(ending.exit_code, kSignalBase + SIGKILL);
}

TEST(Launch, EnvironmentKnowsTheProcess) { EXPECT_EQ(shell("test $TOLD_PID = $$").exit_code, 0); }

TEST(Launch, ProgramInheritsNoBlockedOrIgnoredSignal) {
  signal(SIGINT, SIG_DFL);  // a shell's background jobs inherit SIG_IGN and would pass it on
  EXPECT_EQ(shell("exec grep -q '^SigBlk:\t0000000000000000$' /proc/self/status").exit_code, 0);
  EXPECT_EQ(shell("kill -INT $$; exit 9").exit_code, kSignalBase + SIGINT);
}

TEST(Launch, WorksWhereTheEndOfChildrenIsIgnored) {
  signal(SIGCHLD, SIG_IGN);
  const ProcessResult ending = shell("exit 5");
  signal(SIGCHLD, SIG_DFL);
  EXPECT_EQ(ending.exit_code, 5);
}

TEST(Launch, TellsWhatCannotBeStarted) {
  TempFolder folder;
  const std::string text = folder.write("text", "no program", true);
  const std::string script = folder.write("script", "#!/no/such/interpreter\n", true);
  const auto plain = [](pid_t) { return Environment{}; };
  EXPECT_EQ(launch(text, {"text"}, plain).exit_code, kNotExecutable);
  const ProcessResult ending = launch(script, {"script"}, plain);
  EXPECT_EQ(ending.exit_code, kNotFound);
  EXPECT_NE(ending.message.find("interpreter"), std::string::npos);
}

// Launches `script` in a process, and sends it `number` once the script has created the file `ready`.
int ending_after_signal(const std::string& script, const std::string& ready, int number) {
  const pid_t launcher = fork();
  if (launcher == 0) _exit(shell(script).exit_code);
  while (access(ready.c_str(), F_OK) != 0) usleep(2000);
  kill(launcher, number);
  int status = 0;
  waitpid(launcher, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

TEST(Launch, SignalsSentToTheToolReachTheProgram) {
  for (const auto& [number, name] : {std::pair{SIGTERM, "TERM"}, {SIGHUP, "HUP"}, {SIGINT, "INT"}}) {
    TempFolder folder;
    const std::string ready = folder.path() + "/ready";
    const std::string script =
        std::string("trap 'exit 33' ") + name + "; : > " + ready + "; while :; do sleep 0.01; done";
    EXPECT_EQ(ending_after_signal(script, ready, number), 33) << name;
  }
}

}  // namespace
}  // namespace oriel::cli
