#include "profile/build/async/async_replay.h"

#include <algorithm>
#include <utility>

#include "oriel/oriel.h"

namespace oriel::profile {

QueuedCalls::QueuedCalls(QueuedMethods handings) : handings_(std::move(handings)) {
  for (const auto& [handed, handing] : handings_) {
    latest_[handing.by] = kNone;
    places_[{handing.by, handing.il}] = {};
  }
}

const Queueing* QueuedCalls::queueing_of(uint64_t method) const {
  const auto found = handings_.find(method);
  return found == handings_.end() ? nullptr : &found->second;
}

void QueuedCalls::begins(uint64_t method, uint32_t call) {
  if (const auto known = latest_.find(method); known != latest_.end()) known->second = call;
}

uint32_t QueuedCalls::begun_before(const Queueing& handing, uint32_t call, uint32_t wait) {
  const auto place = places_.find({handing.by, handing.il});
  if (place == places_.end()) return kNone;
  std::deque<uint32_t>& begun = place->second.begun;
  if (begun.empty()) {
    place->second.waiting.emplace_back(call, wait);
    return kNone;
  }
  const uint32_t result = begun.front();
  begun.pop_front();
  return result;
}

constexpr uint32_t kWithoutTask = UINT32_MAX;

void AsyncReplay::play(const AsyncMark& mark) {
  switch (mark.number) {
    case oriel_event_async_resume:
      return resume(mark);
    case oriel_event_async_suspend:
      return suspend(mark);
    case oriel_event_async_complete:
      return complete(mark);
    default:
      return;
  }
}

uint32_t AsyncReplay::call_of(uint32_t task) const {
  const auto found = of_task_.find(task);
  return task == 0 || found == of_task_.end() ? kNoneReplayed : found->second;
}

// Numbers of awaitables other than Task are reused: the number of a completed call now belongs to another one.
uint32_t AsyncReplay::open_call_of(uint32_t task) const {
  const uint32_t call = call_of(task);
  return call == kNoneReplayed || calls_[call].end_ns >= 0 ? kNoneReplayed : call;
}

uint32_t AsyncReplay::now(uint32_t call) const {
  return call == kNoneReplayed || calls_[call].instead == kNoneReplayed ? call : calls_[call].instead;
}

uint32_t AsyncReplay::next_without_task(uint64_t method) {
  std::deque<uint32_t>& waiting = without_task_[method];
  if (!waiting.empty()) {
    const uint32_t call = waiting.front();
    waiting.pop_front();
    return call;
  }
  // Or the call resumed before the thread on which it suspended reported that. Of several, the first.
  uint32_t first = kNoneReplayed;
  for (const auto& [thread, runs] : open_) {
    for (const Run& run : runs)
      if (calls_[run.call].method == method && calls_[run.call].ahead == 1) first = std::min(first, run.call);
  }
  return first;
}

uint32_t AsyncReplay::make_call(const AsyncMark& mark) {
  ReplayedCall call;
  call.method = mark.method;
  calls_.push_back(call);
  return static_cast<uint32_t>(calls_.size() - 1);
}

void AsyncReplay::begin_alone(uint32_t call) {
  const Queueing* const handing = handed_.queueing_of(calls_[call].method);
  if (handing == nullptr) return;
  const auto is_open = [&](uint32_t wait) { return calls_[waits_[wait].call].waiting == wait; };
  const QueuedCalls::Starter starter = handed_.starter_of(*handing, call, is_open);
  calls_[call].starter = starter.call;
  if (starter.wait == kNoneReplayed) return;
  calls_[call].awaiter = starter.call;
  calls_[call].awaiter_il = handing->il;
  waits_[starter.wait].of_call = true;
}

void AsyncReplay::resume(const AsyncMark& mark) {
  std::vector<Run>& runs = open_[mark.thread];
  uint32_t call = mark.task == kWithoutTask ? next_without_task(mark.method) : open_call_of(mark.task);
  if (call == kNoneReplayed) {
    call = make_call(mark);
    if (mark.task != 0) {
      if (mark.task != kWithoutTask) of_task_[mark.task] = call;
    } else {
      calls_[call].start_ns = mark.ns;
      handed_.begins(mark.method, call);
      if (runs.empty()) {
        begin_alone(call);
      } else {
        calls_[call].starter = runs.back().call;
        runs.back().last_begun = call;
      }
    }
  }
  ReplayedCall& its = calls_[call];
  if (const uint32_t wait = std::exchange(its.waiting, kNoneReplayed); wait != kNoneReplayed)
    waits_[wait].end_ns = mark.ns;
  // A thread cannot be in a call twice: the events in between were lost.
  const bool is_in_it = std::ranges::find(runs, call, &Run::call) != runs.end();
  if (!is_in_it) ++its.ahead;
  const uint32_t outer = runs.empty() ? kNoneReplayed : runs.back().run;
  runs.push_back({.call = call, .run = static_cast<uint32_t>(runs_.size())});
  runs_.push_back({.begin_ns = mark.ns, .thread = mark.thread, .call = call, .outer = outer});
}

AsyncReplay::Run AsyncReplay::end_run(const AsyncMark& mark) {
  std::vector<Run>& runs = open_[mark.thread];
  const auto is_it = [&](const Run& run) { return calls_[run.call].method == mark.method; };
  const auto found = std::find_if(runs.rbegin(), runs.rend(), is_it);
  if (found == runs.rend()) return {};
  const Run run = *found;
  for (; &runs.back() != &*found; runs.pop_back()) runs_[runs.back().run].end_ns = mark.ns;
  runs.pop_back();
  runs_[run.run].end_ns = mark.ns;
  const int64_t took = mark.ns - runs_[run.run].begin_ns;
  calls_[run.call].ran_ns += took - run.inside_ns;
  if (!runs.empty()) runs.back().inside_ns += took;
  return run;
}

// Another thread may have resumed the call before this one reported its suspension. Then the task is known already, for
// a call without a start.
uint32_t AsyncReplay::name_call(uint32_t call, uint32_t task) {
  if (task == kWithoutTask) return call;
  const auto [known, made] = of_task_.try_emplace(task, call);
  if (made || known->second == call) return call;
  ReplayedCall& begun = calls_[call];
  ReplayedCall& other = calls_[known->second];
  const bool was_over = other.end_ns >= 0 && other.end_ns < begun.start_ns;
  if (other.start_ns >= 0 || other.method != begun.method || was_over) {
    if (other.end_ns >= 0) known->second = call;
    return call;
  }
  other.start_ns = begun.start_ns;
  other.starter = begun.starter;
  other.ran_ns += begun.ran_ns;
  other.ahead += begun.ahead;
  begun.instead = known->second;
  return known->second;
}

uint32_t AsyncReplay::awaited_by(const Run& run, const AsyncMark& mark) const {
  if (mark.awaited != 0) return call_of(mark.awaited);
  const uint32_t last = now(run.last_begun);
  const bool may_be = last != kNoneReplayed && calls_[last].suspended;
  return may_be && awaits_(mark.method, mark.il, calls_[last].method) ? last : kNoneReplayed;
}

void AsyncReplay::suspend(const AsyncMark& mark) {
  const Run run = end_run(mark);
  uint32_t call = run.call;
  if (call == kNoneReplayed) call = call_of(mark.task);
  if (call == kNoneReplayed) call = make_call(mark);
  const uint32_t named = name_call(call, mark.task);
  calls_[named].suspended = calls_[call].suspended = true;
  ReplayedWait wait;
  wait.start_ns = mark.ns;
  wait.call = named;
  wait.il = mark.il;
  uint32_t awaited = awaited_by(run, mark);
  if (awaited == kNoneReplayed)
    awaited = now(handed_.begun_before({mark.method, mark.il}, named, static_cast<uint32_t>(waits_.size())));
  wait.of_call = awaited != kNoneReplayed;
  ReplayedCall& its = calls_[named];
  its.ahead -= its.ahead > 0 ? 1 : 0;
  // The awaited operation completed before this event, and another thread has resumed the call, maybe to its end.
  if (its.ahead > 0 || its.end_ns >= 0) {
    wait.end_ns = mark.ns;
  } else {
    its.waiting = static_cast<uint32_t>(waits_.size());
    if (mark.task == kWithoutTask) without_task_[mark.method].push_back(named);
  }
  waits_.push_back(wait);
  if (awaited == kNoneReplayed || calls_[awaited].awaiter != kNoneReplayed) return;
  calls_[awaited].awaiter = named;
  calls_[awaited].awaiter_il = mark.il;
}

void AsyncReplay::complete(const AsyncMark& mark) {
  uint32_t call = end_run(mark).call;
  if (call == kNoneReplayed) call = call_of(mark.task);
  if (call == kNoneReplayed) return;
  calls_[call].end_ns = mark.ns;
  calls_[call].exception = mark.exception;
}

void AsyncMarks::add(const Incoming& told) {
  const log::Event& event = told.event;
  AsyncMark& mark = marks_.emplace_back();
  mark.ns = static_cast<int64_t>(event.counter);
  mark.thread = told.thread;
  mark.number = event.number;
  mark.method = event.values[0];
  mark.task = static_cast<uint32_t>(event.values[1]);
  if (event.number == oriel_event_async_suspend) {
    mark.awaited = static_cast<uint32_t>(event.values[2]);
    mark.il = static_cast<uint32_t>(event.values[3]);
  }
  if (event.number == oriel_event_async_complete) mark.exception = event.values[2];
}

std::set<uint64_t> AsyncMarks::methods() const {
  std::set<uint64_t> methods;
  for (const AsyncMark& mark : marks_) methods.insert(mark.method);
  return methods;
}

AsyncReplay AsyncMarks::play(const ClockMap& clock, AsyncReplay::Awaits awaits, QueuedMethods handings) {
  std::ranges::stable_sort(marks_, {}, &AsyncMark::ns);
  AsyncReplay replay(std::move(awaits), std::move(handings));
  for (AsyncMark& mark : marks_) {
    mark.ns = clock.ns(static_cast<uint64_t>(mark.ns));
    replay.play(mark);
  }
  marks_ = {};
  return replay;
}

}  // namespace oriel::profile
