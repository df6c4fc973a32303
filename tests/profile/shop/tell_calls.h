// Feeds calls and allocations to a builder, event by event. Methods are M1, M2, … and classes T1, T2, …; counters are
// nanoseconds; threads have the OS ids 101, 102, ….
#pragma once

#include <algorithm>
#include <string>

#include "oriel/oriel.h"
#include "profile/build/builder.h"

namespace oriel::testing {

class CallTeller {
 public:
  CallTeller() {
    intro_.clock = {kZero, kZeroUnixUs};
    intro_.properties = {{"command", "dotnet calls.dll"}, {"counter", "monotonic-ns"}};
    builder_.on_intro(intro_);
    builder_.on_clock(intro_.clock);
    for (uint64_t id = 1; id <= 20; ++id) {
      builder_.on_method({id, 0, "M" + std::to_string(id), ""});
      builder_.on_class({id, 0, 0, "T" + std::to_string(id)});
    }
    on(1).on(2).on(1);
  }

  void limit(uint64_t from, uint64_t to) { builder_.limit_calls(kZero + from, kZero + to); }

  // Adds a property to the intro.
  CallTeller& property(const std::string& key, const std::string& value) {
    intro_.properties.emplace_back(key, value);
    builder_.on_intro(intro_);
    return *this;
  }

  // A change of the log module's options.
  CallTeller& options(uint64_t at, const log::OptionChange& change) {
    log::OptionChange made = change;
    made.clock = {kZero + at, kZeroUnixUs + at / 1000};
    made.module = "log";
    builder_.on_clock(made.clock);
    builder_.on_options(made);
    most_ = std::max(most_, at);
    return *this;
  }

  // Replaces the default name M1 or T1.
  CallTeller& name_method(uint64_t id, const std::string& name, const std::string& raw_name = "") {
    builder_.on_method({id, 0, name, raw_name});
    return *this;
  }
  CallTeller& name_class(uint64_t id, const std::string& name) {
    builder_.on_class({id, 0, 0, name});
    return *this;
  }
  CallTeller& count(const std::string& name, uint64_t value) {
    builder_.on_counter({name, value});
    return *this;
  }

  // Selects the thread of the following events.
  CallTeller& on(uint64_t thread) {
    thread_ = thread;
    builder_.on_thread({thread, 100 + thread, true, "T" + std::to_string(thread)});
    return *this;
  }
  CallTeller& enter(uint64_t at, uint64_t method) { return tell(oriel_event_method_enter, at, {method}); }
  CallTeller& leave(uint64_t at, uint64_t method) { return tell(oriel_event_method_leave, at, {method}); }
  CallTeller& leave_by_exception(uint64_t at, uint64_t method) {
    return tell(oriel_event_method_exception_leave, at, {method});
  }
  CallTeller& leave_by_tail_call(uint64_t at, uint64_t method) {
    return tell(oriel_event_method_tail_call, at, {method});
  }
  CallTeller& allocate(uint64_t klass, uint64_t bytes, uint64_t site = 0) {
    return tell(oriel_event_gc_allocation, last_, {klass, bytes, 0, site});
  }
  // A sampled allocation.
  CallTeller& sample(uint64_t at, uint64_t klass, uint64_t bytes, uint64_t represented) {
    return tell(oriel_event_gc_allocation_sampled, at, {klass, bytes, represented});
  }
  // A sampled allocation that is tracked under a number, and the end of its tracking.
  CallTeller& follow(uint64_t at, uint64_t klass, uint64_t bytes, uint64_t represented, uint64_t number) {
    return tell(oriel_event_gc_allocation_followed, at, {klass, bytes, represented, number});
  }
  CallTeller& gone(uint64_t at, uint64_t number) { return tell(oriel_event_gc_followed_gone, at, {number}); }
  CallTeller& follow_part(uint64_t at, uint64_t part) { return tell(oriel_event_gc_followed_part, at, {part}); }
  CallTeller& collect(uint64_t from, uint64_t to, uint64_t number, uint64_t generation) {
    tell(oriel_event_gc_begin, from, {number, generation, 0});
    return tell(oriel_event_gc_end, to, {number, generation});
  }
  // A stack below another node (0: none). Returns its id, from 1.
  uint64_t stack(uint64_t parent, uint64_t method, bool truncated = false) {
    builder_.on_stack_node({++stacks_, parent, log::FrameKind::kManaged, method, truncated});
    return stacks_;
  }
  // Selects the stack of the following allocations; 0 for none.
  CallTeller& with(uint64_t stack) {
    stack_ = stack;
    return *this;
  }
  // A thread's calls as a call graph.
  CallTeller& graph(uint64_t thread, const std::vector<log::CallNode>& nodes) {
    on(thread);
    log::CallGraph head;
    head.dump = 1;
    head.thread = thread;
    head.threads = 1;
    head.counter = kZero + 1'000'000;
    builder_.on_call_graph(head);
    for (const log::CallNode& node : nodes) builder_.on_call_node(node);
    return *this;
  }
  // Data of the segment that ends with the next call event.
  CallTeller& timed(uint64_t ticks) { return tell(log::Event::kSegment, last_, {ticks, 0, 0}); }
  CallTeller& waited(uint64_t ns) { return tell(log::Event::kSegment, last_, {0, ns, 0}); }
  CallTeller& taken(uint64_t ticks) { return tell(log::Event::kSegment, last_, {0, 0, ticks}); }
  // 70 ticks for a separately timed segment, 25 for any other, 10 for an allocation.
  CallTeller& costs() {
    return count("probes.timed", 70'000).count("probes.reading", 25'000).count("probes.allocation", 10'000);
  }
  CallTeller& lost(uint64_t at, uint64_t events) { return tell(log::Event::kCallsLost, at, {events}); }
  CallTeller& end_thread(uint64_t at, uint64_t thread) { return tell(oriel_event_thread_stopped, at, {thread}); }

  profile::Profile finish() {
    const uint64_t ms = 1 + most_ / 1'000'000;
    builder_.on_clock({kZero + ms * 1'000'000, kZeroUnixUs + ms * 1000});
    log::DecodeOutcome outcome;
    outcome.ended = true;
    profile::Profile profile = builder_.finish(outcome);
    profile.file = "calls.oriel";
    return profile;
  }

 private:
  static constexpr uint64_t kZero = 1'000'000'000;
  static constexpr uint64_t kZeroUnixUs = 1'780'000'000'000'000;

  CallTeller& tell(uint32_t number, uint64_t at, std::initializer_list<uint64_t> values) {
    log::Event event;
    event.number = number;
    event.thread = thread_;
    event.counter = kZero + at;
    event.stack = stack_;
    for (const uint64_t value : values) event.values[event.value_count++] = value;
    builder_.on_event(event);
    last_ = at;
    most_ = std::max(most_, at);
    return *this;
  }

  log::Intro intro_;
  profile::Builder builder_;
  uint64_t thread_ = 1;
  uint64_t stacks_ = 0;
  uint64_t stack_ = 0;
  uint64_t last_ = 0;
  uint64_t most_ = 0;
};

}  // namespace oriel::testing
