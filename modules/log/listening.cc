#include "listening.h"

#include <algorithm>

#include "ears.h"
#include "log/event.h"
#include "log_file.h"

namespace oriel::log_module {
namespace {

// The first walk makes the engine load what walks need.
void prepare_walks() {
  const uintptr_t* frames = nullptr;
  oriel_stack_walk_here(&frames, nullptr);
}

// Whether any event has stacks, so that frees of code must be received. Exceptions do not count: they have stacks
// only with sampling, which receives frees anyway.
bool has_stacks(const Options& options) {
  const auto has_stack = [&](const log::EventDescription& event) {
    const bool of_exceptions = event.number == oriel_event_exception_throw || event.number == oriel_event_process_abort;
    return event.has_stack && options.events[event.number] && !of_exceptions;
  };
  return options.allocation_stacks || !options.allocations_followed.empty() ||
         std::ranges::any_of(log::all_events(), has_stack);
}

// The events to receive: those to log, and those needed for stacks.
EventSet events_for(const Options& options, bool stacks) {
  EventSet events = options.events;
  const bool sampling = options.sample_mode != ORIEL_SAMPLE_NONE;
  if (sampling) events.set(oriel_event_sample_hit);
  if (!sampling && !stacks && !options.allocations_when_grown) return events;
  // The stack tree must know when code is freed.
  return events.set(oriel_event_method_free).set(oriel_event_image_unloaded);
}

}  // namespace

void Listening::want(const Options& options) {
  const bool stacks = has_stacks(options);
  Recorder& recorder = ears().recorder();
  recorder.all_samples = options.allocations_sampled;
  recorder.exception_stacks = logs_exception_stacks(options);
  awaits_locks_ = options.locks_when_seen;
  awaits_pauses_ = options.phases_when_paused;
  awaits_growth_ = options.allocations_when_grown;
  if (stacks || recorder.exception_stacks || options.locks_when_seen || options.allocations_when_grown) prepare_walks();
  set(events_for(options, stacks), ever_logged(options),
      options.allocation_stacks && options.events[oriel_event_gc_allocation]);
  oriel_set_meters(ears().handle, options.meters.c_str());
  oriel_set_activities(ears().handle, options.activities.c_str());
}

// The runtime needs time to start reporting locks and phases of collections, which a program that does not need them
// should not pay; and sampled allocations are of interest only while the heap grows.
void Listening::add_on_demand(const LogFile& file) {
  constexpr uint64_t kMuch = 100'000'000;  // nanoseconds
  if (file.saw_lock_wait() && awaits_locks_.exchange(false)) add(EventSet().set(oriel_event_monitor_acquired), true);
  if (ears().recorder().gc_paused_ns.load(std::memory_order_relaxed) >= kMuch && awaits_pauses_.exchange(false))
    add(with_phases({}), true);
  const bool hear_allocations = awaits_growth_ && file.heap_grows();
  if (hear_allocations == hears_allocations_) return;
  hears_allocations_ = hear_allocations;
  // The lifetimes of objects sampled earlier stay on.
  if (hear_allocations)
    add(followed_allocations(), true);
  else
    add(EventSet().set(oriel_event_gc_allocation_followed), false);
}

void Listening::set(const EventSet& events, const EventSet& may_be, bool stacks) {
  const std::lock_guard guard(lock_);
  const EventSet before = heard();
  wanted_ = events;
  added_ &= may_be;
  stacks_ = stacks;
  is_open_ = true;
  update(before);
}

void Listening::add(const EventSet& events, bool on) {
  const std::lock_guard guard(lock_);
  if (!is_open_) return;
  const EventSet before = heard();
  added_ = on ? added_ | events : added_ & ~events;
  update(before);
}

void Listening::close() {
  const std::lock_guard guard(lock_);
  is_open_ = false;
  wanted_ = added_ = {};
  stop_listening(ears().handle, EventSet().set());
}

void Listening::update(const EventSet& before) {
  const EventSet now = heard();
  listen(ears().handle, now & ~before);
  stop_listening(ears().handle, before & ~now);
  if (!now[oriel_event_gc_allocation]) return;
  if (stacks_)
    listen_with_stacks(ears().handle);
  else
    listen(ears().handle, EventSet().set(oriel_event_gc_allocation));
}

}  // namespace oriel::log_module
