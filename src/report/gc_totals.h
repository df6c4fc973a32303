// Sums over garbage collections, for the summary and the gc report.
#pragma once

#include <cstdint>
#include <map>

#include "report/common.h"

namespace oriel::report {

struct GcTotals {
  struct Generation {
    uint64_t count = 0;
    uint64_t induced = 0;
    int64_t pause_ns = 0;
    int64_t longest_ns = 0;
  };
  uint64_t count = 0;
  uint64_t induced = 0;
  int64_t pause_ns = 0;
  int64_t longest_ns = 0;
  int64_t longest_at_ns = 0;  // when the collection with the longest pause began
  std::map<uint32_t, Generation> by_generation;
};

GcTotals gc_totals(const profile::Profile& profile);
Json gc_totals_json(const profile::Profile& profile);

}  // namespace oriel::report
