// A flight recorder's files: nobody sees a saved log that is not complete, and what did not fit is counted.
#include "flight_recorder.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "log/decoder.h"
#include "log/properties.h"
#include "modules/fake_engine.h"
#include "recorder.h"
#include "saving.h"

namespace oriel::log_module {
namespace {

namespace fs = std::filesystem;

struct Held : log::EventSink {
  uint64_t samples = 0;
  std::map<std::string, uint64_t> lost;
  bool ended = false;

  void on_sample(uint64_t, const log::Sample& sample) override { samples += sample.periods; }
  void on_lost(const log::Lost& one) override {
    if (one.reason.starts_with("recorder-")) lost[one.reason] = one.count;  // others are the process's
  }
  void on_end(const log::End&) override { ended = true; }
};

class FlightRecorderTest : public testing::Test {
 protected:
  FlightRecorderTest() {
    fake::engine() = {};
    fake::engine().classes = {{1, "Shop.Cart"}};
    fake::engine().methods = {{1, "Main()", &fake::engine().classes[0]},
                              {2, std::string(40'000, 'x') + "()", &fake::engine().classes[0]}};
    fake::engine().threads = {{1, 100, "main"}};
    for (const uint32_t id : {1u, 2u})
      fake::engine().frames[id * 0x1000] = {ORIEL_FRAME_MANAGED, oriel_method_by_id(id), nullptr, nullptr, 0};
    fs::create_directory(folder_);
    options_.out = path("run.oriel");
    options_.events.set(oriel_event_mark);
    options_.held = {.bytes = 30'000, .time = std::chrono::seconds(60)};
    listen(nullptr, EventSet().set());
    EXPECT_TRUE(profiler_.recorder.rings.reserve());
    const FilePlan plan = plan_of(options_);
    EXPECT_TRUE(flight_.open(plan, plan.path, intro_of(plan)));
    auto file = LogFile::create(plan, profiler_.recorder, intro_of(plan), 0, flight_.ring());
    EXPECT_TRUE(file) << file.message();
    file_ = std::move(*file);
  }
  ~FlightRecorderTest() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_)) names.push_back(entry.path().filename());
    std::ranges::sort(names);
    return names;
  }

  // A sample in the method, of which others take many more bytes than the recorder has.
  void sample(uint32_t method, uint32_t periods = 1) {
    fake::Context context;
    context.os_thread = 100;
    context.time = oriel_clock();
    context.periods = periods;
    context.frames = {method * 0x1000};
    callback_sample_hit(&profiler_, nullptr, &context);
  }
  void begin_segment() {
    const FilePlan plan = plan_of(options_);
    auto next = LogFile::open(plan, profiler_.recorder, 0, flight_.ring());
    ASSERT_TRUE(next) << next.message();
    ASSERT_TRUE(file_->finish_segment());
    ASSERT_TRUE((*next)->begin(plan, intro_of(plan), file_.get()));
    file_ = std::move(*next);
  }
  static Held read(const std::string& file) {
    Held held;
    const auto outcome = log::decode_file(file, held);
    EXPECT_TRUE(outcome) << outcome.message();
    return held;
  }

  std::string folder_ = testing::TempDir() + "flight_recorder_test-" + std::to_string(getpid());
  Options options_;
  oriel_profiler profiler_;
  FlightRecorder flight_;
  std::unique_ptr<LogFile> file_;
};

using Names = std::vector<std::string>;
using Lost = std::map<std::string, uint64_t>;

TEST_F(FlightRecorderTest, ASavedLogHasItsNameOnceItIsComplete) {
  sample(1, 3);
  file_->drain();
  ASSERT_TRUE(file_->flush());
  int parts = 0;
  const auto between = [&] {
    ++parts;
    EXPECT_EQ(files(), (Names{"run.oriel", "run.oriel.tail", "saved.oriel.part"}));
  };
  ASSERT_TRUE(save_ring(*flight_.ring(), path("saved.oriel"), {}, between));
  EXPECT_GT(parts, 0);
  EXPECT_EQ(files(), (Names{"run.oriel", "run.oriel.tail", "saved.oriel"}));
  const Held held = read(path("saved.oriel"));
  EXPECT_EQ(held.samples, 3u);
  EXPECT_TRUE(held.ended);
}

TEST_F(FlightRecorderTest, WhatIsSavedReplacesAFinishedLogAndNothingElse) {
  ASSERT_TRUE(save_ring(*flight_.ring(), path("saved.oriel"), {}, [] {}));
  sample(1);
  file_->drain();
  ASSERT_TRUE(file_->flush());
  ASSERT_TRUE(save_ring(*flight_.ring(), path("saved.oriel"), {}, [] {}));
  EXPECT_EQ(read(path("saved.oriel")).samples, 1u);

  std::ofstream(path("letter")) << "Dear reader";
  EXPECT_EQ(save_ring(*flight_.ring(), path("letter"), {}, [] {}).message(),
            "the log cannot be written: '" + path("letter") +
                "' already exists and is not a log; name another file with -o, or remove it");
  EXPECT_NE(save_ring(*flight_.ring(), path("no/such.oriel"), {}, [] {}).message().find("/no/such.oriel: No such file"),
            std::string::npos);
  // What has come meanwhile stays.
  const auto come_between = [&] { std::ofstream(path("late.oriel")) << "Dear reader"; };
  EXPECT_FALSE(save_ring(*flight_.ring(), path("late.oriel"), {}, come_between));
  EXPECT_EQ(fs::file_size(path("late.oriel")), 11u);
  EXPECT_EQ(files(), (Names{"late.oriel", "letter", "run.oriel", "run.oriel.tail", "saved.oriel"}));
}

TEST_F(FlightRecorderTest, AProcessThatDiesWhileItSavesLeavesNoLog) {
  const pid_t child = fork();
  if (child == 0) {
    static_cast<void>(save_ring(*flight_.ring(), path("saved.oriel"), {}, [] { _exit(0); }));
    _exit(1);
  }
  int status = 1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
  EXPECT_EQ(files(), (Names{"run.oriel", "run.oriel.tail", "saved.oriel.part"}));
  ASSERT_TRUE(save_ring(*flight_.ring(), path("saved.oriel"), {}, [] {}));
  EXPECT_EQ(files(), (Names{"run.oriel", "run.oriel.tail", "saved.oriel"}));
}

TEST_F(FlightRecorderTest, WhatDidNotFitIsCountedInTheNextSegment) {
  sample(1, 2);
  file_->drain();
  ASSERT_TRUE(file_->flush());
  sample(2, 3);
  for (int i = 0; i < 5; ++i) callback_mark(&profiler_, "deploy");
  file_->drain();
  ASSERT_TRUE(file_->flush());
  ASSERT_TRUE(file_->has_dropped());
  EXPECT_TRUE(read(path("run.oriel")).lost.empty());

  // A log that is saved now says it as well.
  ASSERT_TRUE(save_ring(*flight_.ring(), path("saved.oriel"), file_->lost(), [] {}));
  const Lost lost = {{log::lost::RECORDER_SAMPLES, 3}, {log::lost::RECORDER_EVENTS, 5}};
  EXPECT_EQ(read(path("saved.oriel")).lost, lost);

  begin_segment();
  EXPECT_FALSE(file_->has_dropped());
  sample(1, 4);
  file_->drain();
  ASSERT_TRUE(file_->flush());
  const Held held = read(path("run.oriel"));
  EXPECT_EQ(held.samples, 6u);
  EXPECT_EQ(held.lost, lost);
  begin_segment();
  EXPECT_EQ(read(path("run.oriel")).lost, lost) << "each segment says what is lost in it";
}

}  // namespace
}  // namespace oriel::log_module
