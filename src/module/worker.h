// A module's own thread beside the program's: does a piece of work every so often, until it is stopped. Its files are
// its own (base/files/own_files.h): what it writes to is opened, written and closed there and nowhere else.
#pragma once

#include <pthread.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>

#include "base/status.h"

namespace oriel::modules {

class Worker {
 public:
  // Nothing of what a thread is given to do may throw.
  using Task = std::function<void()>;
  using Opening = std::function<Status()>;
  // Returns how long to wait until the next time; negative: never again.
  using Work = std::function<std::chrono::milliseconds()>;

  // Starts the thread, has it do `open` and waits for that. It is a profiler's own (oriel_thread_attach_tools), and the
  // program's signals do not reach it. `name` has at most 15 bytes. Errors are those of `open`, or that the system
  // refuses a thread, or that it took longer than kOpenAtMost, as a disk that is gone: `open` then goes on by itself,
  // and what it works on must live on. After an error there is no thread to stop.
  Status start(const char* name, Opening open);

  // From now on there is work, first after `first`. Once, after start.
  void work_every(std::chrono::milliseconds first, Work work);

  // Has the work done now, but not sooner than kRest after the last, and so seldom that it takes one part in
  // kHurryShare of a processor, whoever hurries how often. Any thread; may lock, not async-safe.
  void hurry();

  // Has the thread do that next and waits for it, `wait` at most; it then goes on by itself, so that what it works on
  // must be its own. False if it was not done in time, or the thread is ending. Any thread. What is done every so often
  // begins to wait anew.
  bool do_now(Task task, std::chrono::milliseconds wait);

  // Waits for the work under way, has the thread do `last` and ends it. False if the first takes longer than `wait` or
  // the second longer than kLastAtMost, as for one that waits for a disk; the thread then goes on by itself, and what
  // it works on is its own for good: this too must live on.
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
  std::optional<int> keep_;  // own_files_to_keep()
  Opening open_;
  pthread_t thread_{};
  bool started_ = false;  // and not yet stopped
  std::mutex mutex_;
  std::condition_variable changed_;  // the rest, which `mutex_` guards
  Status opened_ = Status::ok();
  Work work_;
  std::chrono::milliseconds pause_{-1};     // until the next work
  std::chrono::milliseconds rest_ = kRest;  // before it is done for who hurries
  std::deque<Task> tasks_;
  uint64_t tasks_given_ = 0, tasks_done_ = 0;
  Task last_;
  State state_ = State::kOpening;
  bool stopping_ = false;
  bool hurried_ = false;
};

}  // namespace oriel::modules
