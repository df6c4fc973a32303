#include "profile/build/threads.h"

namespace oriel::profile {

// The last entry, which stands for all further threads.
uint32_t Threads::rest() {
  if (left_out_++ == 0)
    seen_.push_back({UINT64_MAX, UINT64_MAX, 0, "[threads that are more than a log of its size can hold]"});
  return static_cast<uint32_t>(seen_.size() - 1);
}

uint32_t Threads::find(uint64_t id) {
  if (indexes_.size() >= most_ && indexes_.find(id) == nullptr) return rest();
  bool made = false;
  uint32_t& index = indexes_.at(id, &made);
  if (made) {
    index = static_cast<uint32_t>(seen_.size());
    seen_.push_back({id, UINT64_MAX, 0, {}});
  }
  last_id_ = id;
  last_index_ = index;
  return index;
}

void Threads::take_name(const log::Event& event) {
  if (event.number == oriel_event_thread_name) set_name(index(event.values[0]), event.text);
}

void Threads::name(const Incoming& told) { take_name(told.event); }

void Threads::begin_or_end(const Incoming& told) { seen(index(told.event.values[0]), told.event.counter); }

std::vector<Thread> Threads::finish(const Names& names, const ClockMap& clock) {
  std::vector<Thread> threads;
  for (Seen& seen : seen_) {
    Thread thread;
    thread.id = seen.id;
    if (const log::ThreadName* name = names.thread(seen.id)) {
      thread.os_id = name->os_id;
      thread.managed = name->managed;
      thread.name = name->name;
    }
    if (thread.name.empty()) thread.name = std::move(seen.name);
    if (seen.first <= seen.last) {
      thread.first_ns = clock.ns(seen.first);
      thread.last_ns = clock.ns(seen.last);
    }
    // After a single event, such as its start, the thread's end is unknown.
    if (seen.first == seen.last) thread.last_ns = -1;
    threads.push_back(std::move(thread));
  }
  return threads;
}

void count_samples(Profile& profile) {
  for (const Sample& sample : profile.samples) {
    Thread& thread = profile.threads[sample.thread];
    thread.samples += sample.periods;
    if (thread.last_ns < 0) thread.last_ns = sample.ns;
  }
}

}  // namespace oriel::profile
