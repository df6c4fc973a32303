// From what async methods told, in the order of time, to their calls.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <unordered_map>
#include <vector>

#include "profile/build/async/async_handed.h"
#include "profile/build/async/async_runs.h"

namespace oriel::profile {

// Times are nanoseconds since the log's start, -1 if it was before that or is not yet.
struct ReplayedCall {
  static constexpr uint32_t kNone = UINT32_MAX;
  uint64_t method = 0;  // id
  int64_t start_ns = -1;
  int64_t end_ns = -1;
  int64_t ran_ns = 0;
  uint64_t exception = 0;
  uint32_t starter = kNone;  // the call in whose code it began
  uint32_t awaiter = kNone;  // the first that awaited it,
  uint32_t awaiter_il = 0;   // and where
  uint32_t waiting = kNone;  // the wait that is not over
  uint32_t ahead = 0;        // so often it was heard to go on or begin, without a wait or end that was heard after it
  uint32_t instead = kNone;  // of a call that another stands for
  bool suspended = false;    // ever
};

// No call, wait or run.
inline constexpr uint32_t kNoneReplayed = ReplayedCall::kNone;

// In which a call was on a thread.
struct ReplayedRun {
  int64_t begin_ns = 0;
  int64_t end_ns = -1;
  uint32_t thread = 0;
  uint32_t call = 0;
  uint32_t outer = ReplayedCall::kNone;  // the one that it ran inside of: index into runs
};

struct ReplayedWait {
  int64_t start_ns = 0;
  int64_t end_ns = -1;
  uint32_t call = 0;
  uint32_t il = 0;
  bool of_call = false;  // what it awaits is one of the calls
};

// Events of one thread nest: what runs inside of a method's run ends before it does. Where events were lost, what does
// not fit is left out.
class AsyncReplay {
 public:
  // Whether an await of that method at that offset is of that other method's result, by what its code tells: an await
  // of a ValueTask does not tell the task.
  using Awaits = std::function<bool(uint64_t method, uint32_t il, uint64_t awaited)>;
  explicit AsyncReplay(Awaits awaits, Handings handings = {})
      : awaits_(std::move(awaits)), handed_(std::move(handings)) {}

  // In the order of time.
  void play(const AsyncMark& mark);

  const std::vector<ReplayedCall>& calls() const { return calls_; }
  const std::vector<ReplayedWait>& waits() const { return waits_; }
  const std::vector<ReplayedRun>& runs() const { return runs_; }

 private:
  // One that is not over.
  struct Run {
    uint32_t call = ReplayedCall::kNone;
    uint32_t run = 0;                           // index into runs
    uint32_t last_begun = ReplayedCall::kNone;  // in its code
    int64_t inside_ns = 0;                      // of it, what other runs took
  };

  // The call whose task this is; kNone: none that is known.
  uint32_t call_of(uint32_t task) const;
  uint32_t open_call_of(uint32_t task) const;
  // The call that stands for it now.
  uint32_t now(uint32_t call) const;
  void resume(const AsyncMark& mark);
  void suspend(const AsyncMark& mark);
  void complete(const AsyncMark& mark);
  uint32_t make_call(const AsyncMark& mark);
  // It began on a thread that was in no other.
  void begin_alone(uint32_t call);
  // Takes the run that ends off its thread; of no call where its begin is not known.
  Run end_run(const AsyncMark& mark);
  // The call that is awaited, as far as one is known.
  uint32_t awaited_by(const Run& run, const AsyncMark& mark) const;
  // It is the call's task from now on.
  uint32_t name_call(uint32_t call, uint32_t task);
  // The call of an async void method that goes on. Which of several it is nothing tells: the one that has waited
  // longest.
  uint32_t next_without_task(uint64_t method);

  Awaits awaits_;
  HandedCalls handed_;
  std::vector<ReplayedCall> calls_;
  std::vector<ReplayedWait> waits_;
  std::unordered_map<uint32_t, uint32_t> of_task_;                   // calls
  std::unordered_map<uint64_t, std::deque<uint32_t>> without_task_;  // calls of async void methods that wait, by method
  std::vector<ReplayedRun> runs_;
  std::unordered_map<uint32_t, std::vector<Run>> open_;  // by thread, innermost last
};

}  // namespace oriel::profile
