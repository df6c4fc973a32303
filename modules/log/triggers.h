// What makes a flight recorder save by itself. It is found in what the log's writer takes out of the buffers, so it
// costs the program's threads nothing beyond the events. Only for the writer's thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "modules/control_group.h"
#include "modules/save_when.h"

namespace oriel::log_module {

using modules::SaveWhen;

// Why a log is saved.
struct SaveCause {
  std::string word;  // in the file's name: "exception"
  std::string why;   // "System.TimeoutException thrown in Shop.Pay"
};

class Triggers {
 public:
  using Clock = std::chrono::steady_clock;

  // Each kind of cause counts once in `rest` at most; signals always.
  void set(const SaveWhen& when, std::chrono::seconds rest);

  // An event that was taken out of a buffer: the values of its fields, its text, and its stack, the innermost address
  // first.
  struct Seen {
    uint32_t number = 0;
    uint64_t counter = 0;
    std::span<const uint64_t> values = {};
    std::string_view text = {};
    std::span<const uintptr_t> stack = {};
  };
  void see(const Seen& event) {
    if (!waits_for_events_ || cause_) return;
    look_at(event);
  }

  // To be called now and then: whether it is time to save, and why.
  std::optional<SaveCause> due(Clock::time_point now);

 private:
  enum class Kind { kException, kPause, kRequest, kCpu };
  static constexpr size_t kKinds = 4;
  // How much of the processors was used up to a time.
  struct Used {
    Clock::time_point when;
    uint64_t ns = 0;
  };

  void look_at(const Seen& event);
  void look_at_activity(const Seen& event);
  bool is_wanted_class(uint64_t id);
  void note(Kind kind, SaveCause cause);
  void watch_cpu(Clock::time_point now);

  SaveWhen when_;
  Clock::duration rest_{};
  bool waits_for_events_ = false;
  Clock::time_point not_before_[kKinds] = {};
  std::optional<SaveCause> cause_;
  std::unordered_map<uint64_t, bool> classes_;             // by id: whether an exception of it is one
  std::unordered_map<std::string, std::string> requests_;  // that are about to end, by id: "GET /slow"
  std::deque<Used> used_;
  double processors_ = 1;
};

}  // namespace oriel::log_module
