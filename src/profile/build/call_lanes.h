// Processor of logged calls and allocations. What threads call does not depend on other threads, so they are dealt out
// to lanes (call_lane.h), which decode and sum calls in the background. What comes out is the same with any number of
// processors.
//
// Objects with calls are not copied.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "log/class_sizes.h"
#include "log/event.h"
#include "log/format.h"
#include "log/sample_index.h"
#include "oriel/oriel.h"
#include "profile/build/call_lane.h"
#include "profile/build/clock_map.h"
#include "profile/build/incoming.h"
#include "profile/build/names.h"
#include "profile/build/probe_costs.h"
#include "profile/functions.h"
#include "profile/profile.h"

namespace oriel::profile {

class CallLanes {
 public:
  // Counts only what happens between these counters; calls that overlap the range count with that part. Totals are of
  // the whole log. To be called before anything else.
  void limit(const log::CounterRange& range) { range_ = range; }
  const log::CounterRange& limit() const { return range_; }

  // A block of a thread's calls. False, and nothing happens, if it is larger than any that a writer makes.
  bool add(uint32_t thread, const log::BlockView& block, const log::CallsBlock& head, const log::Cursor& contents);
  // Calls that were decoded.
  void add(uint32_t thread, std::span<const log::Call> calls) { lane_of(thread).add(thread, calls); }
  // The blocks that follow need the sizes of classes.
  void add(const log::ClassName& klass);

  // What threads did since is not known; or one thread.
  void lose_all();
  void lose(uint32_t thread);

  // Calls and allocations that are passed over: all before the range, or all after it.
  void pass_over(const log::PassedCalls& passed);
  void pass_over(uint32_t thread, const log::PassedStack& passed);

  // What does not come in blocks, and the ends of threads.
  void take(const Incoming& told);
  void end_thread(const Incoming& told);
  static constexpr Taking<CallLanes> kTakes[] = {
      {oriel_event_method_enter, &CallLanes::take},     {oriel_event_method_leave, &CallLanes::take},
      {oriel_event_method_tail_call, &CallLanes::take}, {oriel_event_method_exception_leave, &CallLanes::take},
      {oriel_event_gc_allocation, &CallLanes::take},    {log::Event::kSegment, &CallLanes::take},
      {log::Event::kCallsLost, &CallLanes::take},       {oriel_event_thread_stopped, &CallLanes::end_thread},
      {log::Event::kThreadEnd, &CallLanes::end_thread},
  };

  // Waits until all is decoded; nothing may be added afterwards. `node_of` turns the id of a stack's node into its
  // index in the profile.
  void join(const std::function<uint32_t(uint64_t)>& node_of);
  // After join(): tells `see` each thread that has calls, and the first and the last counter of what was added of it.
  void each_thread(const std::function<void(uint32_t, const log::CounterRange&)>& see) const;
  // After join(): the blocks that were not whole.
  DamagedBlocks damaged() const;

  // After join(). Closes the open calls at `last_counter`, where the log ends, and moves all into `profile`, whose
  // threads' indexes are those of add() and whose nodes those of the stacks. Adds the functions that they meet. `costs`
  // are what the probes took.
  void finish(const Names& names, const ClockMap& clock, uint64_t last_counter, const ProbeCosts& costs,
              Functions& functions, Profile& profile);

 private:
  CallLane& lane_of(uint32_t thread);

  log::CounterRange range_;
  log::ClassSizes known_sizes_;
  std::vector<ClassSizesTold> class_sizes_;                  // all that were told before a block, in order
  std::vector<ClassSize> new_sizes_;                         // and since
  std::vector<uint64_t> ended_;                              // by thread, its end; 0 if not known
  std::array<std::shared_ptr<CallLane>, kCallLanes> lanes_;  // those that have anything
  CallTotal passed_;
  uint64_t first_passed_ = UINT64_MAX;  // the counter of the first enter that was passed over
};

}  // namespace oriel::profile
