#include "log_file.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <filesystem>

#include "log/decoder.h"
#include "log/properties.h"
#include "modules/fake_engine.h"
#include "recorder.h"

namespace oriel::log_module {
namespace {

// What a decoded log held.
struct Contents : log::EventSink {
  std::map<uint64_t, log::ClassName> classes;
  std::map<uint64_t, log::MethodName> methods;
  std::map<uint64_t, log::NativeName> natives;
  std::map<uint64_t, log::ThreadName> threads;
  std::map<uint64_t, log::StackNode> nodes;
  std::vector<log::Sample> samples;
  std::vector<uint32_t> events;
  std::vector<log::OptionChange> options;
  std::vector<log::Counter> counters;
  std::string intro_runtime;

  void on_intro(const log::Intro& intro) override { intro_runtime = intro.runtime; }
  void on_options(const log::OptionChange& change) override { options.push_back(change); }
  void on_counter(const log::Counter& counter) override { counters.push_back(counter); }
  void on_class(const log::ClassName& name) override { classes[name.id] = name; }
  void on_method(const log::MethodName& name) override { methods[name.id] = name; }
  void on_native(const log::NativeName& name) override { natives[name.id] = name; }
  void on_thread(const log::ThreadName& name) override { threads[name.id] = name; }
  void on_stack_node(const log::StackNode& node) override { nodes[node.id] = node; }
  void on_sample(uint64_t, const log::Sample& sample) override { samples.push_back(sample); }
  void on_event(const log::Event& event) override { events.push_back(event.number); }

  std::string stack(uint64_t node) {
    std::string text;
    for (; node; node = nodes[node].parent) {
      const bool managed = nodes[node].kind == log::FrameKind::kManaged;
      text += (managed ? methods[nodes[node].frame].name : natives[nodes[node].frame].name) + ";";
      if (nodes[node].truncated) text += "...";
    }
    return text;
  }
};

class LogFileTest : public testing::Test {
 protected:
  LogFileTest() {
    fake::engine() = {};
    fake::engine().classes = {{1, "Shop.Cart"}};
    fake::engine().methods = {{1, "Main()", &fake::engine().classes[0]}, {2, "Add(int)", &fake::engine().classes[0]}};
    fake::engine().threads = {{1, 100, "main"}};
    const auto managed = [](uint32_t id) {
      return oriel_frame{ORIEL_FRAME_MANAGED, oriel_method_by_id(id), nullptr, nullptr, 0};
    };
    fake::engine().frames = {{0x1000, managed(1)},
                             {0x0fff, managed(1)},
                             {0x2000, managed(2)},
                             {0x1fff, managed(2)},
                             {0x3000, {ORIEL_FRAME_NATIVE, nullptr, "/lib/libc.so", "memcpy", 0}}};
    options_.out = path_;
    options_.events.set(oriel_event_exception_throw).set(oriel_event_thread_name);
    profiler_handle_ = nullptr;
    listen(profiler_handle_, EventSet().set());
    EXPECT_TRUE(profiler_.recorder.rings.reserve());
    auto file = LogFile::create(plan_of(options_), profiler_.recorder, intro_of(plan_of(options_)));
    EXPECT_TRUE(file) << file.message();
    file_ = std::move(*file);
  }
  ~LogFileTest() override { std::filesystem::remove(path_); }

  void sample(std::vector<uintptr_t> frames, bool truncated = false) {
    fake::Context context;
    context.os_thread = 100;
    context.time = oriel_clock();
    context.truncated = truncated;
    context.frames = std::move(frames);
    callback_sample_hit(&profiler_, nullptr, &context);
  }

  Contents read() {
    Contents contents;
    const auto outcome = log::decode_file(path_, contents);
    EXPECT_TRUE(outcome) << outcome.message();
    return contents;
  }

  std::string path_ = testing::TempDir() + "log_file_test-" + std::to_string(getpid()) + ".oriel";
  Options options_;
  oriel_profiler profiler_;
  oriel_profiler_handle profiler_handle_;
  std::unique_ptr<LogFile> file_;
};

TEST_F(LogFileTest, NamesWhatSamplesAndEventsReferTo) {
  sample({0x3000, 0x2000, 0x1000});
  callback_exception_throw(&profiler_, reinterpret_cast<oriel_object*>(0x10));
  file_->drain();
  ASSERT_TRUE(file_->finish());
  Contents contents = read();
  EXPECT_EQ(contents.intro_runtime, "fake 1.0");
  ASSERT_EQ(contents.samples.size(), 1u);
  EXPECT_EQ(contents.stack(contents.samples[0].node), "memcpy;Add(int);Main();");
  EXPECT_EQ(contents.classes[1].name, "Shop.Cart");
  EXPECT_EQ(contents.threads[1].name, "main");
  EXPECT_EQ(contents.events, std::vector<uint32_t>{oriel_event_exception_throw});
}

TEST_F(LogFileTest, WritesEachStackOnce) {
  for (int i = 0; i < 100; i++) sample({0x2000, 0x1000});
  file_->drain();
  ASSERT_TRUE(file_->flush());
  const unsigned resolved = fake::engine().resolved;
  for (int i = 0; i < 100; i++) sample({0x2000, 0x1000});
  file_->drain();
  ASSERT_TRUE(file_->finish());
  EXPECT_EQ(fake::engine().resolved, resolved);
  Contents contents = read();
  EXPECT_EQ(contents.samples.size(), 200u);
  EXPECT_EQ(contents.nodes.size(), 2u);
}

TEST_F(LogFileTest, CodeThatWasFreedIsLookedUpAgain) {
  sample({0x2000, 0x1000});
  file_->drain();
  fake::engine().frames[0x2000].method = oriel_method_by_id(1);
  callback_method_free(&profiler_, oriel_method_by_id(2));
  sample({0x2000, 0x1000});
  file_->drain();
  ASSERT_TRUE(file_->finish());
  Contents contents = read();
  ASSERT_EQ(contents.samples.size(), 2u);
  EXPECT_EQ(contents.stack(contents.samples[0].node), "Add(int);Main();");
  EXPECT_EQ(contents.stack(contents.samples[1].node), "Main();Main();");
}

TEST_F(LogFileTest, MarksWhereAWalkBroke) {
  sample({0x2000}, true);
  sample({0x2000});
  file_->drain();
  ASSERT_TRUE(file_->finish());
  Contents contents = read();
  ASSERT_EQ(contents.samples.size(), 2u);
  EXPECT_EQ(contents.stack(contents.samples[0].node), "Add(int);...");
  EXPECT_EQ(contents.stack(contents.samples[1].node), "Add(int);");
}

TEST_F(LogFileTest, HearsMoreThanItLogs) {
  callback_exception_throw(&profiler_, reinterpret_cast<oriel_object*>(0x10));
  callback_method_free(&profiler_, oriel_method_by_id(1));
  file_->drain();
  ASSERT_TRUE(file_->finish());
  EXPECT_EQ(read().events, std::vector<uint32_t>{oriel_event_exception_throw});
}

// So that no thread can keep the writer from the others.
TEST_F(LogFileTest, TakesManyEventsOfOneThreadInSeveralDrains) {
  constexpr size_t kEvents = 250'000;
  for (size_t i = 0; i < kEvents; i++) callback_exception_throw(&profiler_, reinterpret_cast<oriel_object*>(0x10));
  unsigned drains = 1;
  while (file_->drain() >= 100) drains++;
  EXPECT_GE(drains, 3u);
  ASSERT_TRUE(file_->finish());
  EXPECT_EQ(read().events.size(), kEvents);
}

TEST_F(LogFileTest, ARenamedThreadIsNamedAgain) {
  sample({0x1000});
  file_->drain();
  ASSERT_TRUE(file_->flush());
  fake::engine().threads[0].name = "worker";
  callback_thread_name(&profiler_, oriel_thread_by_id(1), "worker");
  file_->drain();
  ASSERT_TRUE(file_->finish());
  EXPECT_EQ(read().threads[1].name, "worker");
}

TEST_F(LogFileTest, ReadsUpToItsLastFlushWithoutAnEnd) {
  sample({0x1000});
  file_->drain();
  ASSERT_TRUE(file_->flush());
  EXPECT_EQ(read().samples.size(), 1u);
}

TEST_F(LogFileTest, HasItsOptionsAndHowTheyChange) {
  const auto options = parse_options("sample=none,calls=Shop.*,out=elsewhere.oriel");
  ASSERT_TRUE(options) << options.message();
  file_->add(change_to(*options));
  file_->add({.clock = {oriel_clock(), 1}, .module = "log", .running = false, .options = {}, .properties = {}});
  ASSERT_TRUE(file_->finish());
  const std::vector<log::OptionChange> logged = read().options;
  ASSERT_EQ(logged.size(), 3u);
  EXPECT_EQ(logged[0].module, "log");
  EXPECT_EQ(logged[0].options, "");
  EXPECT_TRUE(logged[0].properties.empty()) << "the intro has them";
  EXPECT_EQ(logged[1].options, "sample=none,calls=Shop.*") << "without the file";
  EXPECT_NE(std::ranges::find(logged[1].properties, std::pair<std::string, std::string>("calls", "Shop.*")),
            logged[1].properties.end());
  EXPECT_TRUE(logged[1].running);
  EXPECT_FALSE(logged[2].running);
}

// Takes 20 ms of processor time in a child process.
void run_child() {
  const pid_t child = fork();
  if (child == 0) {
    constexpr clock_t kTime = CLOCKS_PER_SEC / 50;
    while (clock() < kTime) continue;
    _exit(0);
  }
  EXPECT_EQ(waitpid(child, nullptr, 0), child);
}

TEST_F(LogFileTest, CountsWhatChildProcessesDidSinceItBegan) {
  const auto children = [&] {
    EXPECT_TRUE(file_->finish());
    const std::vector<log::Counter> all = read().counters;
    return std::ranges::find(all, log::counter::kChildrenCpu, &log::Counter::name) != all.end();
  };
  run_child();
  EXPECT_TRUE(children());
  auto file = LogFile::create(plan_of(options_), profiler_.recorder, intro_of(plan_of(options_)));
  ASSERT_TRUE(file) << file.message();
  file_ = std::move(*file);
  EXPECT_FALSE(children()) << "it ended before";
}

TEST(LogFile, SaysWhichPathCannotBeWritten) {
  Options options;
  options.out = "/nonexistent-folder/x.oriel";
  Recorder recorder;
  const auto file = LogFile::create(plan_of(options), recorder, intro_of(plan_of(options)));
  ASSERT_FALSE(file);
  EXPECT_NE(file.message().find("/nonexistent-folder/x.oriel"), std::string::npos);
}

}  // namespace
}  // namespace oriel::log_module
