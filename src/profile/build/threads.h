// Processor of threads: their names and lifetimes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "log/event.h"
#include "oriel/oriel.h"
#include "profile/build/clock_map.h"
#include "profile/build/id_map.h"
#include "profile/build/incoming.h"
#include "profile/build/names.h"
#include "profile/profile.h"

namespace oriel::profile {

class Threads {
 public:
  // Limits the number of threads; further ones are merged into one.
  void expect(uint64_t most) { most_ = most; }
  // Number of records about threads beyond the limit.
  uint64_t left_out() const { return left_out_; }
  // The index of a thread; adds the thread if it is new.
  uint32_t index(uint64_t id) { return id == last_id_ && last_index_ != UINT32_MAX ? last_index_ : find(id); }
  // Records that the thread existed at that time.
  void seen(uint32_t index, uint64_t counter) {
    Seen& seen = seen_[index];
    if (counter < seen.first) seen.first = counter;
    if (counter > seen.last) seen.last = counter;
  }
  void set_name(uint32_t index, std::string_view name) { seen_[index].name = name; }
  // Takes a thread's name from an event, if it has one.
  void take_name(const log::Event& event);

  // All threads by index; the samples are not counted yet.
  std::vector<Thread> finish(const Names& names, const ClockMap& clock);

  void name(const Incoming& told);
  void begin_or_end(const Incoming& told);
  static constexpr Taking<Threads> kTakes[] = {
      {oriel_event_thread_name, &Threads::name},
      {oriel_event_thread_started, &Threads::begin_or_end},
      {oriel_event_thread_stopped, &Threads::begin_or_end},
      {log::Event::kThreadStart, &Threads::begin_or_end},
      {log::Event::kThreadEnd, &Threads::begin_or_end},
  };

 private:
  uint32_t find(uint64_t id);
  uint32_t rest();

  struct Seen {
    uint64_t id = 0;
    uint64_t first = UINT64_MAX;
    uint64_t last = 0;
    std::string name;  // from an event; a mapping's name takes precedence
  };
  IdMap<uint32_t> indexes_;
  std::vector<Seen> seen_;
  uint64_t most_ = UINT64_MAX;
  uint64_t left_out_ = 0;
  uint64_t last_id_ = 0;  // of the last call of index()
  uint32_t last_index_ = UINT32_MAX;
};

// Counts each thread's samples, and extends last_ns by them.
void count_samples(Profile& profile);

}  // namespace oriel::profile
