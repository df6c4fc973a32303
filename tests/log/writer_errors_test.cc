// No room, or not our file any more: the log ends at its last whole block, the error stays, the program goes on.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "log/place.h"
#include "log/recording_sink.h"
#include "log/sample_log.h"

namespace oriel::log {
namespace {

using testing::HasSubstr;

// No file of this process may grow while this lives.
class NoRoom {
 public:
  NoRoom() {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit none{0, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &none);
  }
  ~NoRoom() { setrlimit(RLIMIT_FSIZE, &before_); }
  NoRoom(const NoRoom&) = delete;
  NoRoom& operator=(const NoRoom&) = delete;

 private:
  rlimit before_{};
};

TEST(DiskFull, AnErrorThatStays) {
  const TemporaryFile file;
  auto created = Writer::create(file.path());
  ASSERT_TRUE(created.is_ok());
  Writer& writer = **created;
  writer.intro({});
  const NoRoom no_room;
  const Status first = writer.flush({});
  ASSERT_FALSE(first.is_ok());
  EXPECT_THAT(first.message(), HasSubstr(file.path() + ": File too large"));
  EXPECT_EQ(writer.bytes_written(), 0u);
  writer.end({});
  const Status second = writer.flush({});
  ASSERT_FALSE(second.is_ok());
  EXPECT_EQ(second.message(), first.message());
}

TEST(Writer, APathThatCannotBeWrittenIsNamedWithTheReason) {
  const auto created = Writer::create("/no/such/folder/x.oriel");
  ASSERT_FALSE(created.is_ok());
  EXPECT_THAT(created.message(), HasSubstr("/no/such/folder/x.oriel: No such file or directory"));
  EXPECT_THAT(created.message(), HasSubstr("-o"));
}

// Flushes until the limit of `limit` bytes stops it; what it wrote must be whole. Returns 0, or which step went wrong.
int fill_up(const std::string& path, rlim_t limit, bool compressed = false) {
  const rlimit bytes{limit, limit};
  if (setrlimit(RLIMIT_FSIZE, &bytes) != 0) return 1;
  auto created = Writer::create(path);
  if (!created.is_ok()) return 2;
  Writer& writer = **created;
  if (compressed) writer.compress();
  writer.intro({});
  std::vector<Sample> samples(50, Sample{1, 2, 3});
  for (uint64_t i = 0; i < samples.size(); ++i) samples[i].counter += i * i * i % 97;
  Status status = writer.flush({});
  for (int i = 0; i < 1000 && status.is_ok(); ++i) {
    writer.samples(1, samples);
    status = writer.flush({});
  }
  if (status.is_ok() || status.message().find("File too large") == std::string::npos) return 3;
  sigset_t pending;
  sigemptyset(&pending);
  sigpending(&pending);
  if (sigismember(&pending, SIGXFSZ)) return 4;
  if (writer.flush({}).is_ok()) return 5;
  return writer.bytes_written() <= limit ? 0 : 6;
}

void check_fill_up(bool ignore_signal) {
  const TemporaryFile file;
  constexpr rlim_t kLimit = 5000;
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    signal(SIGXFSZ, ignore_signal ? SIG_IGN : SIG_DFL);
    _exit(fill_up(file.path(), kLimit));
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status)) << "ended by signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0);

  const ByteVector content = file.content();
  EXPECT_GT(content.size(), kLimit / 2);
  EXPECT_LE(content.size(), kLimit);
  RecordingSink sink;
  const auto outcome = decode_file(file.path(), sink);
  ASSERT_TRUE(outcome.is_ok());
  EXPECT_EQ(outcome->torn_bytes, 0u);
  EXPECT_EQ(outcome->corrupt_blocks, 0u);
  EXPECT_TRUE(sink.problems.empty());
  EXPECT_EQ(sink.samples.size() % 50, 0u);
  EXPECT_GT(sink.samples.size(), 0u);
}

TEST(DiskFull, TheFileIsCutBackToItsLastWholeFlush) { check_fill_up(true); }

// The default action of SIGXFSZ ends the process: the program must not notice.
TEST(DiskFull, TheSignalDoesNotReachTheProgram) { check_fill_up(false); }

TEST(DiskFull, AtAnyMomentTheLogIsReadUpToItsLastFlush) {
  for (rlim_t limit = 200; limit < 20'000; limit += 397) {
    const TemporaryFile file;
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      signal(SIGXFSZ, SIG_IGN);
      _exit(fill_up(file.path(), limit, limit % 2 != 0));
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0) << limit;
    RecordingSink sink;
    const auto outcome = decode_file(file.path(), sink);
    ASSERT_TRUE(outcome.is_ok()) << limit << ": " << outcome.message();
    EXPECT_EQ(outcome->torn_bytes + outcome->corrupt_blocks + sink.problems.size(), 0u) << limit;
    EXPECT_EQ(sink.samples.size() % 50, 0u) << limit;
  }
}

TEST(Writer, TakesThePlaceOfLogsAndEmptyFilesOnly) {
  const TemporaryFile file;
  const std::string fifo = file.path() + ".fifo";
  const std::string text = file.path() + ".cs";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  std::ofstream(text) << "class Program { }";
  EXPECT_THAT(Writer::create(fifo).message(), HasSubstr("nobody reads the pipe"));
  EXPECT_THAT(create_log(fifo).message(), HasSubstr("is not a file"));
  EXPECT_THAT(Writer::create(text).message(), HasSubstr("already exists and is not a log"));
  std::string kept;
  std::getline(std::ifstream(text), kept);
  EXPECT_EQ(kept, "class Program { }");
  unlink(fifo.c_str());
  unlink(text.c_str());
  for (int i = 0; i < 2; i++) {
    auto created = Writer::create(file.path());
    ASSERT_TRUE(created.is_ok()) << created.message();
    (*created)->intro({});
    ASSERT_TRUE((*created)->flush({}).is_ok());
  }
}

TEST(Writer, AForkedChildDoesNotWriteIntoItsParentsLog) {
  const TemporaryFile file;
  auto created = Writer::create(file.path());
  ASSERT_TRUE(created.is_ok());
  (*created)->intro({});
  ASSERT_TRUE((*created)->flush({}).is_ok());
  const ByteVector before = file.content();
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    (*created)->end({});
    _exit((*created)->flush({}).is_ok() ? 1 : 0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(file.content(), before);
  EXPECT_TRUE((*created)->flush({}).is_ok());
}

// The number of the file that is open at `path`.
int open_number(const std::string& path) {
  for (int file = 3; file < 1024; ++file) {
    char name[4096];
    const ssize_t length = readlink(("/proc/self/fd/" + std::to_string(file)).c_str(), name, sizeof name);
    if (length > 0 && std::string_view(name, static_cast<size_t>(length)) == path) return file;
  }
  return -1;
}

TEST(Writer, TheLogHasANumberThatNoOtherFileGets) {
  const TemporaryFile log;
  auto created = Writer::create(log.path());
  ASSERT_TRUE(created.is_ok());
  EXPECT_GE(open_number(log.path()), 40);
  const int next = open("/dev/null", O_RDONLY);
  EXPECT_LT(next, 30) << "the program's own files have those that they have without a log";
  close(next);
}

TEST(Writer, AClosedLogEndsWithItsLastFlush) {
  const TemporaryFile log;
  auto created = Writer::create(log.path());
  ASSERT_TRUE(created.is_ok());
  (*created)->intro({});
  ASSERT_TRUE((*created)->flush({}).is_ok());
  const ByteVector before = log.content();
  close(open_number(log.path()));
  (*created)->end({});
  const Status status = (*created)->flush({});
  ASSERT_FALSE(status.is_ok());
  EXPECT_THAT(status.message(), HasSubstr("the program has closed it"));
  EXPECT_THAT(status.message(),
              HasSubstr("it ends after " + std::to_string(before.size()) + " bytes, which can be read"));
  EXPECT_EQ(log.content(), before);
}

TEST(Writer, AFileThatTookTheLogsNumberIsLeftAlone) {
  const TemporaryFile log, other;
  auto created = Writer::create(log.path());
  ASSERT_TRUE(created.is_ok());
  const int number = open_number(log.path());
  ASSERT_GE(number, 0);
  const int file = open(other.path().c_str(), O_WRONLY);
  ASSERT_EQ(dup2(file, number), number);  // as a program does that closes all files and opens its own
  close(file);
  (*created)->intro({});
  EXPECT_FALSE((*created)->flush({}).is_ok());
  created->reset();
  EXPECT_EQ(write(number, "its own", 7), 7);  // still open, at its start
  close(number);
  const std::string expected = "its own";
  EXPECT_EQ(other.content(), ByteVector(expected.begin(), expected.end()));
}

}  // namespace
}  // namespace oriel::log
