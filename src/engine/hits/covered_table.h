// The coverage data of this process, behind engine/hits/covered.h and the public functions.
#pragma once

#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "engine/hits/covered.h"
#include "engine/hits/hit_counters.h"
#include "engine/hits/thread_counters.h"

namespace oriel::hits {

struct Table {
  std::mutex lock;  // guards everything; not held while calling modules
  CounterFile file;
  uint32_t looks = 0;     // for methods that need fewer probes
  bool counting = false;  // counts, in the second of these; else hits, in the first
  HitCounters hits{file};
  ThreadCounters counts{file};
  std::vector<std::unique_ptr<CountedMethod>> methods;
  std::unordered_map<uint64_t, CountedMethod*> by_place;              // by token_key
  std::unordered_map<const oriel_method*, CountedMethod*> by_record;  // likewise
  std::unordered_map<uint64_t, std::vector<uint64_t>> sums;           // for counts: terms of a counter without a probe
  std::vector<const oriel_image*> images;                             // images whose records are in the file
  std::vector<const oriel_profiler_desc*> ending;                     // whose callbacks for ended periods run
};

// Never destroyed.
Table& table();

// Adds a method's counters, zeroed, and tells the file of them; the place in the table that is to refer to it is the
// caller's to set. nullptr without memory, which is said once. The caller holds the lock, and has described the image
// and, if that has no path, the method.
CountedMethod* add_method(Table& all, oriel_method& method, const oriel_image& image, uint32_t token,
                          const Places& places);

}  // namespace oriel::hits
