// The engine comes to a running runtime, watches, leaves, and comes again.
#include "engine/attached.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>

#include "control/message.h"
#include "control/place.h"
#include "engine/engine.h"
#include "engine/lifecycle.h"
#include "engine/raise.h"

namespace oriel {
namespace {

// What a runtime answers that can be left.
class LeavableRuntime final : public Runtime {
 public:
  const char* name() const override { return "leavable"; }
  void apply(const RuntimeNeeds& needs) override { needs_ = needs; }
  void catch_up() override { ++caught_up; }
  Status leave() override {
    if (keeps) return Status::error("the runtime keeps it (0x80131370)");
    std::thread([after = lets_go_after] {
      std::this_thread::sleep_for(after);
      engine_detached();
    }).detach();
    return Status::ok();
  }
  oriel_method* method_at(uintptr_t, uintptr_t*, size_t*) override { return nullptr; }
  void describe(oriel_domain&) override {}
  void describe(oriel_assembly&) override {}
  void describe(oriel_image&) override {}
  void describe(oriel_class&) override {}
  void describe(oriel_method&) override {}
  oriel_class* class_of(oriel_object*) override { return nullptr; }

  bool wants_collections() const { return needs_.events.test(oriel_event_gc_begin); }
  std::atomic<int> caught_up{0};
  bool keeps = false;
  std::chrono::milliseconds lets_go_after{0};

 private:
  RuntimeNeeds needs_;
};

// What `oriel attach` does, by the control socket.
class Tool {
 public:
  Tool() : connection_(socket(AF_UNIX, SOCK_STREAM, 0)) {
    const sockaddr_un address = control::socket_address(path());
    for (int i = 0; i < 10'000; ++i) {
      if (connect(connection_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ADD_FAILURE() << "nothing listens at " << path();
  }
  ~Tool() { hang_up(); }

  static std::string folder() { return control::socket_folder(getenv("TMPDIR"), geteuid()); }
  static std::string path() { return folder() + "/" + control::socket_name(getpid()); }

  // Its answer on one line.
  std::string ask(const std::string& command) {
    const std::string line = command + "\n";
    if (send(connection_, line.data(), line.size(), MSG_NOSIGNAL) < 0) return "";
    std::string text;
    char bytes[1000];
    for (ssize_t size = 1; size > 0 && !control::is_whole_answer(text);) {
      size = read(connection_, bytes, sizeof bytes);
      text.append(bytes, static_cast<size_t>(std::max<ssize_t>(size, 0)));
    }
    std::ranges::replace(text, '\n', '|');
    return text;
  }
  void hang_up() {
    if (connection_ >= 0) close(connection_);
    connection_ = -1;
  }

 private:
  int connection_;
};

std::atomic<int> collections{0};

oriel_profiler_handle listener() {
  static const oriel_profiler_handle made = oriel_profiler_create(nullptr);
  oriel_profiler_set_gc_begin_callback(made,
                                       [](oriel_profiler*, uint32_t, uint32_t, oriel_gc_reason) { ++collections; });
  return made;
}

int heard_of_a_collection() {
  const int before = collections;
  raise_gc_begin(1, 0, ORIEL_GC_REASON_OTHER);
  return collections - before;
}

bool eventually_left() {
  for (int i = 0; i < 10'000 && current_runtime(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return !current_runtime();
}

// Modules are libraries, of which there are none here.
const AttachData kNoModules{.profilers = ";"};

class Attached : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    setenv("TMPDIR", testing::TempDir().c_str(), 1);
    listener();
  }
};

TEST_F(Attached, ComesAndLeavesAnyNumberOfTimes) {
  for (int round = 0; round < 20; ++round) {
    LeavableRuntime runtime;
    if (round % 2 == 1) std::this_thread::sleep_for(std::chrono::milliseconds(100));  // the server has ended
    ASSERT_TRUE(engine_attach(runtime, kNoModules));
    engine_attached();
    Tool tool;
    EXPECT_EQ(tool.ask("watch"), "ok||");
    EXPECT_EQ(runtime.caught_up, 1);
    EXPECT_TRUE(runtime.wants_collections());
    EXPECT_EQ(heard_of_a_collection(), 1);
    warn("a message");
    EXPECT_EQ(tool.ask("watch"), "ok|said\ta message||");
    EXPECT_EQ(tool.ask("watch"), "ok||");
    EXPECT_FALSE(engine_attach(runtime, kNoModules));
    EXPECT_EQ(tool.ask("detach"), "ok||");
    EXPECT_EQ(heard_of_a_collection(), 0);
    EXPECT_FALSE(current_runtime());
  }
  for (int i = 0; i < 1'000 && std::filesystem::exists(Tool::path()); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_FALSE(std::filesystem::exists(Tool::path())) << "the server ends with the attachment";
}

TEST_F(Attached, LeavesWithATool) {
  LeavableRuntime runtime;
  ASSERT_TRUE(engine_attach(runtime, kNoModules));
  engine_attached();
  Tool tool;
  Tool other;
  EXPECT_EQ(tool.ask("watch"), "ok||");
  EXPECT_TRUE(other.ask("status").starts_with("ok|engine\t"));
  other.hang_up();
  EXPECT_EQ(tool.ask("watch"), "ok||");
  tool.hang_up();
  EXPECT_TRUE(eventually_left());
}

TEST_F(Attached, DoesNothingMoreWhileTheRuntimeIsSlowToLetGo) {
  LeavableRuntime runtime;
  runtime.lets_go_after = std::chrono::milliseconds(700);
  ASSERT_TRUE(engine_attach(runtime, kNoModules));
  engine_attached();
  Tool tool;
  Tool other;
  EXPECT_EQ(tool.ask("watch"), "ok||");
  tool.hang_up();
  std::this_thread::sleep_for(std::chrono::milliseconds(400));
  EXPECT_THAT(other.ask("start\tlog"), testing::HasSubstr("was attached and has ended"));
  EXPECT_THAT(other.ask("attach\t;"), testing::HasSubstr("at work already"));
  EXPECT_EQ(other.ask("detach"), "ok||");
  EXPECT_FALSE(current_runtime());
}

TEST_F(Attached, IsEndedByAnybodyWhoControlsIt) {
  LeavableRuntime runtime;
  ASSERT_TRUE(engine_attach(runtime, kNoModules));
  engine_attached();
  Tool tool;
  EXPECT_EQ(tool.ask("watch"), "ok||");
  EXPECT_EQ(Tool().ask("detach"), "ok||");
  EXPECT_TRUE(eventually_left());
}

TEST_F(Attached, SaysWhichModuleCannotStart) {
  LeavableRuntime runtime;
  ASSERT_TRUE(engine_attach(runtime, {.profilers = "missing"}));
  engine_attached();
  Tool tool;
  EXPECT_TRUE(tool.ask("watch").starts_with("error\tcannot find module 'missing'"));
  EXPECT_EQ(tool.ask("detach"), "ok||");
  EXPECT_TRUE(eventually_left());
}

TEST_F(Attached, LeavesWhereItCannotBeControlled) {
  const std::string before = getenv("TMPDIR");
  setenv("TMPDIR", (before + "/none").c_str(), 1);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));  // until an earlier server has ended
  LeavableRuntime runtime;
  ASSERT_TRUE(engine_attach(runtime, kNoModules));
  engine_attached();
  while (runtime.caught_up == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_TRUE(eventually_left());
  setenv("TMPDIR", before.c_str(), 1);
}

// Last: the runtime keeps the engine.
class AttachedAndKept : public Attached {};

TEST_F(AttachedAndKept, SaysThatTheRuntimeKeepsIt) {
  static LeavableRuntime runtime;
  runtime.keeps = true;
  ASSERT_TRUE(engine_attach(runtime, kNoModules));
  engine_attached();
  Tool tool;
  EXPECT_EQ(tool.ask("watch"), "ok||");
  EXPECT_EQ(tool.ask("detach"), "error\tthe runtime keeps it (0x80131370)||");
  EXPECT_EQ(heard_of_a_collection(), 0);
}

}  // namespace
}  // namespace oriel
