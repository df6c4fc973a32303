// All of this process's coverage: behind engine/coverage/covered.h and the public functions.
#pragma once

#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "engine/coverage/covered.h"
#include "engine/coverage/hit_counters.h"
#include "engine/coverage/thread_counters.h"

namespace oriel::coverage {

struct Table {
  std::mutex lock;  // all of it; modules are not called under it
  CounterFile file;
  uint32_t looks = 0;     // for methods with less to tell
  bool counting = false;  // how often, in the second of these; else in the first
  HitCounters hits{file};
  ThreadCounters counts{file};
  std::vector<std::unique_ptr<CoveredMethod>> methods;
  std::unordered_map<uint64_t, CoveredMethod*> by_place;              // by token_key
  std::unordered_map<const oriel_method*, CoveredMethod*> by_record;  // the same
  std::unordered_map<uint64_t, std::vector<uint64_t>> sums;           // of counts, by counter that code does not count
  std::vector<const oriel_image*> images;                             // those whose records are in the file
  std::vector<const oriel_profiler_desc*> ending;                     // whose callbacks hear of ended periods

  // What the profiler sees of a counter, or saw of it in the period that it ended.
  uint64_t count_of(const oriel_profiler_desc* profiler, uint64_t counter, bool ended) const;
  // Whether anything of the method ran in the period that the profiler ended.
  bool any_had_run(const oriel_profiler_desc* profiler, const CoveredMethod& method) const;
};

// Never destroyed.
Table& table();

}  // namespace oriel::coverage
