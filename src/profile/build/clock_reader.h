// A log's clock and its threads' names, read before the rest: times are counters until the whole log was read.
#pragma once

#include <functional>
#include <string>
#include <unordered_map>

#include "base/status.h"
#include "log/decoder.h"
#include "log/range_decoder.h"
#include "profile/build/clock_map.h"
#include "profile/recorded.h"

namespace oriel::profile {

struct ClockReader : log::RangeSink {
  // All but what has names and clocks, which is most of a log.
  bool wants(log::Block kind) const override {
    using enum log::Block;
    for (const log::Block large : {kEvents, kCalls, kStacks, kSamples, kCallgraph, kCoverage, kHeap, kHeapObjects,
                                   kHeapReferences, kHeapValues, kStatistical})
      if (kind == large) return false;
    return true;
  }
  void on_intro(const log::Intro& read) override {
    if (intro.clock.counter == 0) intro = read;  // a recorder's segments have further ones
  }
  void on_clock(const ClockPair& pair) override { clock.add(pair); }
  void on_thread(const log::ThreadName& thread) override { threads[thread.id] = thread; }
  log::Intro intro;
  ClockMap clock;
  std::unordered_map<uint64_t, log::ThreadName> threads;
};

// Reads what is not in the index, which is the whole log by default. The clock is sealed.
inline Result<ClockReader> read_clock(const std::string& path, const log::SampleIndex& index = {},
                                      const std::function<void(uint64_t, uint64_t)>& progress = {}) {
  ClockReader reader;
  const auto outcome = log::decode_range(path, index, {log::kNoCounters, {}}, reader, progress);
  if (!outcome) return outcome.status();
  reader.clock.seal(reader.intro.clock, fallback_rate(reader.intro));
  return reader;
}

}  // namespace oriel::profile
