#include "diagnostics/calls.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <chrono>
#include <csignal>

#include "diagnostics/process_info.h"
#include "diagnostics/test_messages.h"
#include "diagnostics/test_ports.h"

namespace oriel::diagnostics {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

// The command of the request that was sent; -1 if none came.
int read_request(int client) {
  Bytes request(kHeaderBytes);
  const ssize_t got = recv(client, request.data(), request.size(), MSG_WAITALL);
  return got == static_cast<ssize_t>(request.size()) ? request[17] : -1;
}

void write_all(int client, const Bytes& bytes) {
  for (size_t at = 0; at < bytes.size();) {
    const ssize_t sent = send(client, bytes.data() + at, bytes.size() - at, MSG_NOSIGNAL);
    if (sent <= 0) return;
    at += static_cast<size_t>(sent);
  }
}

// Knows the request up to this version.
std::function<void(int)> runtime_that_knows(int version) {
  return [version](int client) {
    const int command = read_request(client);
    for (int known = 1; known <= version; ++known)
      if (command == process_info_request(known)[17]) return write_all(client, ok_reply(info_payload(known)));
    write_all(client, error_reply(kUnknownCommand));
  };
}

std::function<void(int)> says(const Bytes& bytes) {
  return [bytes](int client) {
    read_request(client);
    write_all(client, bytes);
  };
}

Result<ProcessInfo> ask(const Port& port, std::chrono::milliseconds limit = 10s) {
  return ask_process_info(std::span(&port, 1), limit).front();
}

class Calls : public testing::Test {
 protected:
  TestFolder folder_;
};

TEST_F(Calls, AsksOldRuntimesByWhatTheyKnow) {
  for (int version = 1; version <= 3; ++version) {
    const TestPort runtime(folder_, "old" + std::to_string(version), runtime_that_knows(version));
    const Result<ProcessInfo> info = ask(runtime.port());
    ASSERT_TRUE(info) << info.message();
    EXPECT_EQ(info->command_line, "dotnet Shop.dll");
    EXPECT_EQ(info->version, version >= 2 ? "10.0.12" : "");
  }
  const TestPort oldest(folder_, "oldest", runtime_that_knows(0));
  EXPECT_EQ(ask(oldest.port()).message(), "does not say what it is");
}

TEST_F(Calls, TakesAReplyInPieces) {
  const TestPort slow(folder_, "slow", [](int client) {
    read_request(client);
    for (const uint8_t byte : ok_reply(info_payload(3))) {
      write_all(client, {byte});
      std::this_thread::sleep_for(100us);
    }
  });
  ASSERT_TRUE(ask(slow.port()));
}

TEST_F(Calls, TellsRepliesThatAreNone) {
  const Bytes fine = ok_reply(info_payload(3));
  struct {
    Bytes said;
    const char* why;
  } const cases[] = {{{}, "closes the connection"},
                     {Bytes(fine.begin(), fine.begin() + 10), "cut short"},
                     {Bytes(fine.begin(), fine.end() - 1), "cut short"},
                     {Bytes(100'000, 'x'), "diagnostics protocol"},
                     {ok_reply({}), "cut short"},
                     {message_of(4, 0, {}), "damaged"},
                     {error_reply(0x8013135b), "does not say what it is"}};
  int number = 0;
  for (const auto& [said, why] : cases) {
    const TestPort port(folder_, "case" + std::to_string(number++), says(said));
    EXPECT_THAT(ask(port.port()).message(), HasSubstr(why));
  }
}

TEST_F(Calls, WaitsForNobodyLongerThanItMay) {
  const TestPort silent(folder_, "silent", [](int client) {
    read_request(client);
    read_request(client);
  });
  const TestPort never_accepts(folder_, "never", nullptr);
  const TestPort drips(folder_, "drips", [](int client) {
    for (int i = 0; i < 200 && send(client, "D", 1, MSG_NOSIGNAL) == 1; ++i) std::this_thread::sleep_for(20ms);
  });
  const TestPort fine(folder_, "fine", runtime_that_knows(2));
  const auto begin = std::chrono::steady_clock::now();
  const std::vector<Port> ports = {silent.port(),        never_accepts.port(), drips.port(),        fine.port(),
                                   never_accepts.port(), never_accepts.port(), never_accepts.port()};
  const auto infos = ask_process_info(ports, 200ms);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 3s);
  EXPECT_EQ(infos[0].message(), "does not answer");
  EXPECT_EQ(infos[1].message(), "does not answer");
  EXPECT_FALSE(infos[2]);
  EXPECT_TRUE(infos[3]);
  EXPECT_EQ(infos[6].message(), "does not answer") << "no more may wait to be accepted";
}

TEST_F(Calls, TellsWhyItCannotConnect) {
  Port port{folder_.path(), "none", getpid()};
  EXPECT_EQ(ask(port).message(), "nobody listens at its socket");
  port.folder += "/none";
  EXPECT_EQ(ask(port).message(), "nobody listens at its socket");
  close(open((folder_.path() + "/file").c_str(), O_CREAT | O_WRONLY, 0600));
  EXPECT_EQ(ask({folder_.path(), "file", getpid()}).message(), "nobody listens at its socket");
  EXPECT_THAT(ask({folder_.path(), std::string(200, 'x'), getpid()}).message(), HasSubstr("too long"));
}

TEST_F(Calls, TakesNoReplyOfAnotherProcess) {
  const TestPort runtime(folder_, "runtime", runtime_that_knows(3));
  Port port = runtime.port();
  port.pid = 1;
  EXPECT_EQ(ask(port).message(), "another process listens at its socket");
}

TEST_F(Calls, LeavesNothingOpen) {
  const auto open_files = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), std::filesystem::directory_iterator());
  };
  const TestPort runtime(folder_, "runtime", runtime_that_knows(1));
  const TestPort silent(folder_, "silent", nullptr);
  const auto before = open_files();
  ask_process_info(std::vector{runtime.port(), silent.port()}, 100ms);
  // The runtime of this test may still be closing its side.
  for (int i = 0; i < 1000 && open_files() > before; ++i) std::this_thread::sleep_for(1ms);
  EXPECT_EQ(open_files(), before);
}

}  // namespace
}  // namespace oriel::diagnostics
