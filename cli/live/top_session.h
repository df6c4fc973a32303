// What `oriel top` does while a program runs: reads its log, makes views of it, shows them.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "diagnostics/usage.h"
#include "live/growing_log.h"
#include "live/top_terminal.h"
#include "live/watch.h"
#include "log/recent.h"
#include "top/state.h"
#include "top/view.h"

namespace oriel::cli {

struct TopSettings {
  std::chrono::milliseconds interval{2'000};
  std::optional<std::chrono::milliseconds> duration;  // nullopt: no end
  uint64_t count = 0;                                 // of views; 0: no end
  bool json = false;
  bool screen = false;  // if the terminal can
};

class TopSession : public Companion {
 public:
  using Clock = std::chrono::steady_clock;

  // `start_ticks` is when the process started (diagnostics::Process).
  TopSession(const TopSettings& settings, top::Program program, uint64_t start_ticks);
  ~TopSession() override;

  // With a log that the program had before: what is in it already belongs to the past.
  void begin_with_past(std::function<std::string()> log);

  void begin(std::function<std::string()> log) override;
  bool turn() override;
  int descriptor() const override;
  Clock::time_point next_turn() const override;
  void end(bool has_ended) override;
  void say(const std::string& message) override;

  // Why it ended before anybody wished it; ok if it did not.
  const Status& failure() const { return failure_; }

 private:
  std::chrono::milliseconds window() const;
  void begin_log(std::function<std::string()> log, log::RecentLog::First first);
  Status read(int64_t now_ns);
  Status make_view(int64_t now_ns);
  void show();
  void take_keys();
  void save();
  void print_last_screen();
  std::optional<top::ProcessFigures> process_figures(int64_t now_ns);

  const TopSettings settings_;
  top::Program program_;
  const uint64_t start_ticks_;
  std::unique_ptr<TopTerminal> terminal_;
  std::vector<std::string> messages_;  // for when the screen is gone

  std::function<std::string()> path_of_log_;
  GrowingLog log_;
  std::optional<log::RecentLog> recent_;
  Clock::time_point grew_, looked_;  // when the log was last seen to grow, and when it was last looked for

  struct UsageAt {
    int64_t ns = 0;
    diagnostics::Usage usage;
  };
  std::deque<UsageAt> usages_;
  top::Carried carried_;
  std::optional<top::View> view_;
  std::vector<uint8_t> saved_;  // what the view was made of
  top::State state_;
  uint64_t shown_ = 0;
  bool has_begun_ = false, is_over_ = false;
  Clock::time_point due_, end_, read_due_;
  Status failure_ = Status::ok();
};

}  // namespace oriel::cli
