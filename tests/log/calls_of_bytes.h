// A log of calls that any bytes stand for, two for each step: threads that enter and leave methods in every way, lose
// events, allocate, end, and are sampled. Counters rise from kFirstCounter, mostly by less than 100 a step.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "log/call_list.h"
#include "log/encoder.h"
#include "log/event.h"
#include "log/writer.h"
#include "oriel/oriel.h"

namespace oriel::log {

class CallsOfBytes {
 public:
  static constexpr uint64_t kFirstCounter = 10'000;

  // Returns the last counter.
  uint64_t write(std::span<const uint8_t> bytes, Writer& writer) {
    begin(writer);
    for (size_t at = 0; at + 1 < bytes.size(); at += 2) step(bytes[at], bytes[at + 1], writer);
    flush(0, writer);
    writer.end({kVersion2, {now_, kUnixUs + now_ / 1000}});
    static_cast<void>(writer.flush({}));
    return now_;
  }

 private:
  static constexpr uint64_t kUnixUs = 1'700'000'000'000'000;
  struct Thread {
    std::vector<uint32_t> open;
    CallList calls;
    uint64_t base = 0;
  };

  void begin(Writer& writer) {
    Intro intro;
    intro.clock = {now_, kUnixUs + now_ / 1000};
    intro.properties = {{"counter", "monotonic-ns"}};
    writer.intro(intro);
    Mapping mapping;
    mapping.start = mapping.end = intro.clock;
    mapping.classes = {{1, 24, 0, "Fixed"}, {2, 0, 0, "Varies"}};
    for (uint64_t id = 1; id <= 8; ++id) mapping.methods.push_back({id, 0, "M" + std::to_string(id), ""});
    writer.mapping(mapping);
    const StackNode nodes[] = {{1, 0, FrameKind::kManaged, 1}, {2, 1, FrameKind::kManaged, 2}};
    writer.stacks(nodes);
  }

  void step(uint8_t what, uint8_t with, Writer& writer) {
    now_ += 1 + with % 64 + (with == 255 ? 100'000 : 0);
    Thread& thread = threads_[current_];
    const uint32_t method = 1 + with % 8;
    switch (what % 16) {
      default:
        return enter(method, thread);
      case 4:
      case 5:
      case 6:
      case 7:
        return leave(CallKind::kLeave, 1, thread);
      case 8:
        return leave(CallKind::kLeaveByException, 1 + with % 4, thread);
      case 9:
        return leave(CallKind::kLeaveByTailCall, 1 + with % 2, thread);
      case 10:
        current_ = with % threads_.size();
        return;
      case 11:
        thread.calls.site(with % 3).stack(with % 4 == 3 ? 2 : 0);
        thread.calls.allocate(1 + with % 2, with % 2 == 0 ? 24 : with);
        return;
      case 12:
        thread.calls.segment(std::array{CallKind::kTimed, CallKind::kWaited, CallKind::kTaken}[with % 3], with);
        return;
      case 13:
        if (with % 4 == 0) thread.calls.lost(with), thread.open.clear();
        if (with % 4 == 1) thread.calls.leave(with % 3 == 0 ? 0 : method, now_);  // whatever is open
        return;
      case 14:
        return flush(with, writer);
      case 15:
        for (uint32_t i = 0; i < with * 2u; ++i)
          if (what < 128)
            enter(method, thread);
          else
            leave(CallKind::kLeave, 1, thread);
        return;
    }
  }

  void enter(uint32_t method, Thread& thread) {
    thread.open.push_back(method);
    thread.calls.enter(method, now_);
  }
  // So many calls, of which all but the last end unseen.
  void leave(CallKind how, size_t count, Thread& thread) {
    if (thread.open.empty()) return;
    thread.open.resize(thread.open.size() - std::min(thread.open.size(), count) + 1);
    thread.calls.add({how, thread.open.back(), now_});
    thread.open.pop_back();
  }

  void flush(uint8_t with, Writer& writer) {
    for (size_t i = 0; i < threads_.size(); ++i) {
      Thread& thread = threads_[i];
      // Some threads' calls come later than those of others.
      if (with % 3 == 1 && i % 2 == 0) continue;
      if (!thread.calls.records().empty()) thread.calls.write(writer, 100 + i, thread.base);
      thread.calls = {};
      thread.base = now_;
    }
    if (with % 16 == 5) tell(oriel_event_thread_stopped, 99, 100 + with % threads_.size(), writer);
    // As earlier writers put calls into blocks of events.
    if (with % 16 == 7) tell(oriel_event_method_enter, 100 + with / 16 % threads_.size(), 3, writer);
    const Sample samples[] = {{now_, with % 3u, 1}};
    if (with % 4 == 2) writer.samples(100 + with % 5u, samples);
    static_cast<void>(writer.flush({}));
  }
  void tell(uint32_t event, uint64_t thread, uint64_t value, Writer& writer) const {
    uint8_t bytes[kMaxFieldBytes];
    const RawEvent events[] = {{now_, event, {bytes, encode_field(bytes, value)}}};
    writer.events(thread, events, ClockPair{now_, kUnixUs + now_ / 1000});
  }

  std::array<Thread, 4> threads_;
  size_t current_ = 0;
  uint64_t now_ = kFirstCounter;
};

}  // namespace oriel::log
