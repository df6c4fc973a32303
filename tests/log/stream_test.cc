// Logs that go into a pipe or a socket.
#include "log/stream.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "log/recording_sink.h"
#include "log/sample_log.h"
#include "log/writer.h"

namespace oriel::log {
namespace {

using testing::HasSubstr;

// A pipe with a name, that the test reads.
class Stream : public testing::Test {
 protected:
  Stream() {
    EXPECT_EQ(mkfifo(path().c_str(), 0600), 0);
    reader_ = open(path().c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    EXPECT_GE(reader_, 0);
  }
  ~Stream() override {
    stop_reading();
    unlink(path().c_str());
  }
  std::string path() const { return file_.path() + ".pipe"; }
  void stop_reading() {
    if (reader_ >= 0) close(reader_);
    reader_ = -1;
  }

  // All that comes until the writer closes its end, which it may not have opened yet.
  static ByteVector all_of(int file) {
    pollfd first{file, POLLIN, 0};
    poll(&first, 1, 60'000);
    fcntl(file, F_SETFL, 0);
    ByteVector all;
    std::array<uint8_t, 4096> part;
    for (ssize_t got; (got = read(file, part.data(), part.size())) > 0;)
      all.insert(all.end(), part.begin(), part.begin() + got);
    return all;
  }

  TemporaryFile file_;
  int reader_ = -1;
};

std::vector<std::string> lines_of(const ByteVector& log) {
  RecordingSink sink;
  const auto outcome = decode_bytes(log.data(), log.size(), sink);
  EXPECT_TRUE(outcome.is_ok() && outcome->ended);
  EXPECT_EQ(sink.problems, std::vector<std::string>());
  return sink.lines;
}

TEST_F(Stream, APipeGetsTheWholeLog) {
  ByteVector got;
  std::thread reading([&] { got = all_of(reader_); });
  write_sample_log(path());
  reading.join();
  EXPECT_EQ(lines_of(got).size(), lines_of(sample_log()).size());
}

TEST_F(Stream, ASocketGetsTheWholeLog) {
  const std::string path = file_.path() + ".socket";
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.data(), path.size());
  const int listening = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  ASSERT_EQ(bind(listening, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  EXPECT_THAT(Writer::create(path).message(), HasSubstr("nobody listens"));
  ASSERT_EQ(listen(listening, 1), 0);
  ByteVector got;
  std::thread reading([&] {
    const int connection = accept(listening, nullptr, nullptr);
    got = all_of(connection);
    close(connection);
  });
  write_sample_log(path);
  reading.join();
  EXPECT_EQ(lines_of(got).size(), lines_of(sample_log()).size());
  EXPECT_TRUE(check_socket(path));
  close(listening);
  EXPECT_THAT(check_socket(path).message(), HasSubstr("nobody listens"));
  unlink(path.c_str());
}

TEST_F(Stream, TwoWritersDoNotMixInAPipe) {
  const auto first = Writer::create(path());
  ASSERT_TRUE(first);
  EXPECT_THAT(Writer::create(path()).message(), HasSubstr("another process writes its log to this pipe"));
}

// Without a signal, which would end the program.
TEST_F(Stream, AReaderThatGoesAwayEndsTheLogAndNothingElse) {
  const auto writer = Writer::create(path());
  ASSERT_TRUE(writer);
  (*writer)->intro({});
  EXPECT_TRUE((*writer)->flush({}));
  stop_reading();
  (*writer)->process({});
  const Status failed = (*writer)->flush({});
  EXPECT_THAT(failed.message(), HasSubstr("Broken pipe; its reader has what came before"));
  EXPECT_EQ((*writer)->flush({}).message(), failed.message());
}

// A program's end would wait for it for ever.
TEST_F(Stream, AReaderThatTakesNothingEndsTheLogToo) {
  const auto writer = Writer::create(path());
  ASSERT_TRUE(writer);
  (*writer)->intro({});
  std::vector<Counter> counters;
  for (uint64_t i = 0; i < 5000; ++i) counters.push_back({"a counter with a long name " + std::to_string(i), i});
  (*writer)->counters(counters);
  EXPECT_THAT((*writer)->flush({}).message(), HasSubstr("nobody takes it out; its reader has what came before"));
}

}  // namespace
}  // namespace oriel::log
