// Reconstructs calls from the events of async methods, in time order.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <unordered_map>
#include <vector>

#include "profile/build/async/async_handed.h"
#include "profile/build/async/async_runs.h"

namespace oriel::profile {

// Times are nanoseconds since the start of the log; -1 if earlier, or not yet.
struct ReplayedCall {
  static constexpr uint32_t kNone = UINT32_MAX;
  uint64_t method = 0;  // method id
  int64_t start_ns = -1;
  int64_t end_ns = -1;
  int64_t ran_ns = 0;
  uint64_t exception = 0;
  uint32_t starter = kNone;  // the call whose code started it
  uint32_t awaiter = kNone;  // the first call that awaited it,
  uint32_t awaiter_il = 0;   // and where
  uint32_t waiting = kNone;  // its current wait
  uint32_t ahead = 0;        // resumptions without a suspension or completion so far, because events of several threads
                             // may be out of order
  uint32_t instead = kNone;  // the call that this one was merged into
  bool suspended = false;    // whether it ever was
};

// No call, wait or run.
inline constexpr uint32_t kNoneReplayed = ReplayedCall::kNone;

// An interval in which a call ran on a thread.
struct ReplayedRun {
  int64_t begin_ns = 0;
  int64_t end_ns = -1;
  uint32_t thread = 0;
  uint32_t call = 0;
  uint32_t outer = ReplayedCall::kNone;  // the enclosing run: index into runs
};

struct ReplayedWait {
  int64_t start_ns = 0;
  int64_t end_ns = -1;
  uint32_t call = 0;
  uint32_t il = 0;
  bool of_call = false;  // whether it awaits one of the calls
};

// Events of one thread nest: inner runs end before outer ones. Events that do not fit, because others were lost, are
// ignored.
class AsyncReplay {
 public:
  // Whether the await in `method` at `il` is for the result of method `awaited`, according to its code: the event of an
  // await of a ValueTask does not name a task.
  using Awaits = std::function<bool(uint64_t method, uint32_t il, uint64_t awaited)>;
  explicit AsyncReplay(Awaits awaits, QueuedMethods handings = {})
      : awaits_(std::move(awaits)), handed_(std::move(handings)) {}

  // Must be called in time order.
  void play(const AsyncMark& mark);

  const std::vector<ReplayedCall>& calls() const { return calls_; }
  const std::vector<ReplayedWait>& waits() const { return waits_; }
  const std::vector<ReplayedRun>& runs() const { return runs_; }

 private:
  // A run that has not ended.
  struct Run {
    uint32_t call = ReplayedCall::kNone;
    uint32_t run = 0;                           // index into runs
    uint32_t last_begun = ReplayedCall::kNone;  // the last call that its code started
    int64_t inside_ns = 0;                      // of it, spent in inner runs
  };

  // The call with this task; kNone if not known.
  uint32_t call_of(uint32_t task) const;
  uint32_t open_call_of(uint32_t task) const;
  // The call that it was merged into, or itself.
  uint32_t now(uint32_t call) const;
  void resume(const AsyncMark& mark);
  void suspend(const AsyncMark& mark);
  void complete(const AsyncMark& mark);
  uint32_t make_call(const AsyncMark& mark);
  // A call started on a thread that was in no other call.
  void begin_alone(uint32_t call);
  // Removes the run that ends from its thread. The result has no call if the run's start is not known.
  Run end_run(const AsyncMark& mark);
  // The call that is awaited, if known.
  uint32_t awaited_by(const Run& run, const AsyncMark& mark) const;
  // Assigns the task to the call. Returns the call that it is merged into, or itself.
  uint32_t name_call(uint32_t call, uint32_t task);
  // The call of an async void method that is resumed. Events do not identify it, so it is the one that has waited
  // longest.
  uint32_t next_without_task(uint64_t method);

  Awaits awaits_;
  QueuedCalls handed_;
  std::vector<ReplayedCall> calls_;
  std::vector<ReplayedWait> waits_;
  std::unordered_map<uint32_t, uint32_t> of_task_;                   // calls by task
  std::unordered_map<uint64_t, std::deque<uint32_t>> without_task_;  // suspended calls of async void methods, by method
  std::vector<ReplayedRun> runs_;
  std::unordered_map<uint32_t, std::vector<Run>> open_;  // by thread, innermost last
};

}  // namespace oriel::profile
