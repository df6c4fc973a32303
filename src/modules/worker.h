// A module's own thread: does its work periodically until it is stopped. It has a separate descriptor table
// (base/files/own_files.h): its output files are opened, written and closed only on this thread.
#pragma once

#include <pthread.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>

#include "base/monotonic_condition.h"
#include "base/status.h"

namespace oriel::modules {

class Worker {
 public:
  // None of these functions may throw.
  using Task = std::function<void()>;
  using Opening = std::function<Status()>;
  // Returns the time to wait until the next call; negative: never again.
  using Work = std::function<std::chrono::milliseconds()>;

  // Starts the thread, makes it call `open` and waits for that. It is a profiler's own thread
  // (oriel_thread_attach_tools), with all signals blocked. `name` has at most 15 bytes. Errors are those of `open`,
  // that the system refuses a thread, or that `open` took longer than kOpenAtMost, for instance on a failing disk:
  // `open` then continues by itself, and its data must stay alive. After an error there is no thread to stop.
  Status start(const char* name, Opening open);

  // Starts the periodic work, the first time after `first`. Once, after start.
  void run_periodically(std::chrono::milliseconds first, Work work);

  // Makes the work happen now, but not sooner than kRest after the last time, and using at most one part in kHurryShare
  // of a processor, however often it is called. Any thread; may lock, not async-safe.
  void hurry();

  // Makes the thread do the task next and waits for it up to `wait`; after that it continues by itself, so the task
  // must own its data. False if it did not finish in time, or the thread is ending. Any thread. The pause until the
  // next periodic work restarts.
  bool do_now(Task task, std::chrono::milliseconds wait);

  // Waits for the work under way, makes the thread do `last` and ends it. False if the first takes longer than `wait`
  // or the second longer than kLastAtMost, for instance on a blocked disk; the thread then continues by itself and
  // keeps its data for good: this object too must stay alive.
  bool stop(std::chrono::milliseconds wait, Task last);

 private:
  static constexpr std::chrono::milliseconds kRest{5};
  static constexpr int kHurryShare = 200;
  static constexpr std::chrono::milliseconds kOpenAtMost{10'000};
  static constexpr std::chrono::milliseconds kLastAtMost{10'000};
  enum class State { kOpening, kWorking, kEnding, kLeft };

  void run();
  void enter(State state);
  void work_until_stopped(std::unique_lock<std::mutex>& lock);
  void do_tasks(std::unique_lock<std::mutex>& lock);

  const char* name_ = "";
  std::optional<int> keep_;  // descriptor_to_keep()
  Opening open_;
  pthread_t thread_{};
  bool started_ = false;  // and not yet stopped
  std::mutex mutex_;
  MonotonicCondition changed_;  // the rest is guarded by `mutex_`
  Status opened_ = Status::ok();
  Work work_;
  std::chrono::milliseconds pause_{-1};     // until the next work
  std::chrono::milliseconds rest_ = kRest;  // minimum pause before hurried work
  std::deque<Task> tasks_;
  uint64_t tasks_given_ = 0, tasks_done_ = 0;
  Task last_;
  State state_ = State::kOpening;
  bool stopping_ = false;
  bool hurried_ = false;
};

}  // namespace oriel::modules
