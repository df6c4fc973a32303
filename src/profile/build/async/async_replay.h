// Reconstructs calls from the events of async methods, in time order.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "oriel/oriel.h"
#include "profile/build/clock_map.h"
#include "profile/build/incoming.h"

namespace oriel::profile {

// One event, as logged.
struct AsyncMark {
  int64_t ns = 0;          // the counter, until all events are read
  uint64_t method = 0;     // id
  uint64_t exception = 0;  // id of its class, 0 if none; only for complete
  uint32_t thread = 0;     // index into threads
  uint32_t number = 0;     // oriel_event_async_resume, _suspend or _complete
  uint32_t task = 0;       // 0 if not yet known
  uint32_t awaited = 0;    // awaited task; only for suspend, like il
  uint32_t il = 0;
};

struct Queueing {
  uint64_t by = 0;  // id of the async method that queues it
  uint32_t il = 0;  // where it queues it, and usually awaits it
};
using QueuedMethods = std::unordered_map<uint64_t, Queueing>;  // by the id of the queued method

// Finds the async method that started a call on another thread, by Task.Run or the like. No event names the starting
// call. Among the calls that await at the place where the work was queued, the one that has waited longest is taken,
// because pools work in FIFO order; if there is none, the method's latest call.
class QueuedCalls {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;
  struct Starter {
    uint32_t call = kNone;
    uint32_t wait = kNone;  // the starter's wait for the queued call
  };

  explicit QueuedCalls(QueuedMethods handings);

  // Call it for each call, in time order.
  void begins(uint64_t method, uint32_t call);
  // A call started on a thread that was in no other call. `is_open`(wait): the wait has not ended.
  template <typename IsOpen>
  Starter starter_of(const Queueing& handing, uint32_t call, const IsOpen& is_open);
  // For a call that waits: the queued call that started before; kNone if there is none, or if it does not await a
  // queued call.
  uint32_t begun_before(const Queueing& handing, uint32_t call, uint32_t wait);
  // nullptr if no async method queues it.
  const Queueing* queueing_of(uint64_t method) const;

 private:
  using Place = std::pair<uint64_t, uint32_t>;
  struct AtPlace {
    std::deque<std::pair<uint32_t, uint32_t>> waiting;  // (call, wait) pairs
    std::deque<uint32_t> begun;                         // calls that nothing waits for yet
  };

  QueuedMethods handings_;
  std::unordered_map<uint64_t, uint32_t> latest_;  // by queueing method: its latest call
  std::map<Place, AtPlace> places_;
};

template <typename IsOpen>
QueuedCalls::Starter QueuedCalls::starter_of(const Queueing& handing, uint32_t call, const IsOpen& is_open) {
  AtPlace& place = places_[{handing.by, handing.il}];
  while (!place.waiting.empty()) {
    const auto [its, wait] = place.waiting.front();
    place.waiting.pop_front();
    if (is_open(wait)) return {its, wait};
  }
  place.begun.push_back(call);
  return {latest_[handing.by], kNone};
}

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

// Processor of resumptions, suspensions and completions: keeps them until those of all threads are read.
class AsyncMarks {
 public:
  void add(const Incoming& told);
  static constexpr Taking<AsyncMarks> kTakes[] = {
      {oriel_event_async_resume, &AsyncMarks::add},
      {oriel_event_async_suspend, &AsyncMarks::add},
      {oriel_event_async_complete, &AsyncMarks::add},
  };

  // Ids of the methods that they are of.
  std::set<uint64_t> methods() const;
  // Plays them in time order, and forgets them.
  AsyncReplay play(const ClockMap& clock, AsyncReplay::Awaits awaits, QueuedMethods handings);

 private:
  std::vector<AsyncMark> marks_;
};

}  // namespace oriel::profile
