// Where messages go in a program that does what it likes with its descriptors.
#include "engine/messages.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <climits>
#include <cstdio>
#include <string>
#include <thread>

#include "engine/engine.h"
#include "engine/running_engine.h"

namespace oriel {
namespace {

// While one exists, stderr's number is that of a file of the program's.
class FileForStderr {
 public:
  FileForStderr() : before_(dup(STDERR_FILENO)) { dup2(fileno(file_), STDERR_FILENO); }
  ~FileForStderr() {
    dup2(before_, STDERR_FILENO);
    close(before_);
    fclose(file_);
  }
  FileForStderr(const FileForStderr&) = delete;
  FileForStderr& operator=(const FileForStderr&) = delete;

  off_t size() const { return lseek(fileno(file_), 0, SEEK_END); }

 private:
  FILE* const file_ = tmpfile();
  const int before_;
};

TEST(Messages, GoToStderr) {
  EXPECT_EQ(test::said_by([] { warn("so it is"); }), "oriel: so it is\n");
}

TEST(Messages, AreOneLineThatControlsNoTerminal) {
  EXPECT_EQ(test::said_by([] { warn("new\nline \x1b[31mred\x7f"); }), "oriel: new line  [31mred \n");
}

TEST(Messages, AreNotWrittenToAFileThatHasItsNumber) {
  remember_stderr();
  const FileForStderr file;
  warn("lost");
  EXPECT_EQ(file.size(), 0);
}

// The program waits for nobody who does not read what Oriel says.
TEST(Messages, AreLostWhereAPipeIsFull) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  fcntl(ends[1], F_SETFL, O_NONBLOCK);
  while (write(ends[1], "full", 4) > 0) {
  }
  fcntl(ends[1], F_SETFL, 0);
  const int before = dup(STDERR_FILENO);
  dup2(ends[1], STDERR_FILENO);
  remember_stderr();
  warn("lost");
  warn(std::string(100'000, 'x').c_str());
  dup2(before, STDERR_FILENO);
  remember_stderr();
  for (const int file : {before, ends[0], ends[1]}) close(file);
}

TEST(Messages, AreCutToWhatAPipeTakesAtOnce) {
  EXPECT_EQ(test::said_by([] { warn(std::string(10'000, 'x').c_str()); }).size(), size_t{PIPE_BUF});
}

// The engine's own thread, which other tests may have started, may take a message first, and say it when this test no
// longer listens.
TEST(Messages, OfToolsAreLeftToTheEngine) {
  const auto said = [] {
    return test::said_by([] {
      std::thread([] {
        oriel_thread_attach_tools();
        warn("said");
      }).join();
      print_deferred_messages();
    });
  };
  EXPECT_TRUE(test::eventually([&] { return said().ends_with("oriel: said\n"); }));
}

}  // namespace
}  // namespace oriel
