#include "log/piece_calls.h"

#include <algorithm>

#include "log/call_stack.h"
#include "oriel/oriel.h"

namespace oriel::log {
namespace {

// A recursion may be a million calls deep, but no program has many of them. A reader follows more than that, so that it
// has all calls that an index tells of.
constexpr size_t kMostOpenCalls = 1u << 22, kMostThreads = 1u << 14;
// How many the stacks of a piece may have that were opened in it.
constexpr size_t kMostOpened = 1u << 16;

}  // namespace

PieceCalls::Thread& PieceCalls::thread_of(uint64_t id, uint64_t counter) {
  Thread& thread = threads_[id];
  if (!thread.is_in_piece) {
    thread.is_in_piece = true;
    thread.id = id;
    thread.counter = thread.last = thread.waited_ns = thread.waiting_ns = 0;
    in_piece_.push_back(&thread);
  }
  if (counter != 0) {
    if (thread.counter == 0) thread.counter = counter;
    thread.last = counter;
    thread.waiting_ns = 0;
  }
  follows_ = follows_ && threads_.size() <= kMostThreads;
  return thread;
}

void PieceCalls::enter(Thread& thread, uint64_t counter, uint64_t method) {
  ++sums_.enters;
  sums_.first_enter = std::min(sums_.first_enter, counter);
  thread.open.push_back(method);
  ++open_;
  follows_ = follows_ && open_ <= kMostOpenCalls;
}

void PieceCalls::end_calls(Thread& thread, size_t count) {
  thread.open.resize(thread.open.size() - count);
  thread.kept = std::min(thread.kept, thread.open.size());
  open_ -= count;
}

void PieceCalls::leave(Thread& thread, uint64_t method) {
  const LeftCalls left = left_calls(thread.open.size(), method, [&](size_t at) { return thread.open[at]; });
  sums_.without_enter += left.is_paired ? 0 : 1;
  sums_.without_leave += left.without_leave();
  end_calls(thread, left.ended);
}

void PieceCalls::lose(Thread& thread, uint64_t events) {
  ++sums_.gaps;
  sums_.lost_events += events;
  sums_.without_leave += thread.open.size();
  end_calls(thread, thread.open.size());
  thread.is_after_gap = true;
}

// It comes before the call that ends it. Without calls there is nothing that waits.
void PieceCalls::wait(Thread& thread, uint64_t ns) {
  if (!thread.open.empty()) (thread.counter == 0 ? thread.waited_ns : thread.waiting_ns) += ns;
}

void PieceCalls::add(uint64_t id, std::span<const Call> calls) {
  if (!follows_) return;
  Thread& thread = thread_of(id, calls.front().counter);
  for (const Call& call : calls) {
    if (call.number == oriel_event_method_enter)
      enter(thread, call.counter, call.method);
    else
      leave(thread, call.method);
  }
  thread.last = calls.back().counter;
}

bool PieceCalls::add(const Event& event) {
  switch (event.number) {
    case oriel_event_gc_allocation:
      ++sums_.allocated;
      return true;
    case Event::kSegment:
      if (follows_ && event.values[1] != 0) wait(thread_of(event.thread, 0), event.values[1]);
      return true;
    case oriel_event_method_enter:
      if (follows_) enter(thread_of(event.thread, event.counter), event.counter, event.values[0]);
      return true;
    case oriel_event_method_leave:
    case oriel_event_method_tail_call:
    case oriel_event_method_exception_leave:
      if (follows_) leave(thread_of(event.thread, event.counter), event.values[0]);
      return true;
    case Event::kCallsLost:
      if (follows_) lose(thread_of(event.thread, event.counter), event.values[0]);
      return true;
    default:
      return false;
  }
}

void PieceCalls::lose(uint64_t thread) {
  if (follows_) lose(thread_of(thread, 0), 0);
}

void PieceCalls::end_all() {
  for (auto& [id, thread] : threads_) {
    thread.open.clear();
    thread.before = thread.kept = 0;
  }
  open_ = 0;
}

bool PieceCalls::stacks(std::vector<PassedStack>& stacks) const {
  size_t opened = 0;
  for (const Thread* thread : in_piece_) opened += thread->open.size() - thread->kept;
  if (!follows_ || opened > kMostOpened) return false;
  for (const Thread* thread : in_piece_) {
    PassedStack& stack = stacks.emplace_back();
    stack.thread = thread->id;
    stack.counter = thread->counter;
    stack.last = thread->last;
    stack.waited_ns = thread->waited_ns;
    stack.waiting_ns = thread->waiting_ns;
    stack.ended = thread->before - thread->kept;
    stack.is_after_gap = thread->is_after_gap;
    stack.opened.assign(thread->open.begin() + static_cast<ptrdiff_t>(thread->kept), thread->open.end());
  }
  return true;
}

void PieceCalls::begin_piece() {
  sums_ = {};
  for (Thread* thread : in_piece_) {
    thread->before = thread->kept = thread->open.size();
    thread->is_in_piece = thread->is_after_gap = false;
    if (thread->open.empty()) threads_.erase(uint64_t{thread->id});
  }
  in_piece_.clear();
  if (!follows_) threads_.clear();
}

}  // namespace oriel::log
