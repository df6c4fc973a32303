// Processor of call graph blocks: what a program's threads called, added up in the program itself. It becomes calls
// as logged ones do, so that all reports and exports of calls are reports of it too.
#pragma once

#include <cstdint>
#include <vector>

#include "log/format.h"
#include "profile/build/clock_map.h"
#include "profile/build/names.h"
#include "profile/build/probe_costs.h"
#include "profile/functions.h"
#include "profile/profile.h"

namespace oriel::profile {

class CallGraphs {
 public:
  // Starts a block; its nodes follow. `thread` is an index into the profile's threads. If there are several dumps, only
  // the last one's nodes are kept.
  void begin(uint32_t thread, const log::CallGraph& graph);
  void add(const log::CallNode& node);

  void add(const log::CallTiming& timing);
  void add(const log::CallEntries& entries);

  bool empty() const { return dump_ == 0; }

  // Replaces the calls in `profile`. `start` is the counter at the log's start; `costs` are the probe costs.
  void finish(const Names& names, const ClockMap& clock, uint64_t start, const ProbeCosts& costs, Functions& functions,
              Profile& profile);

 private:
  struct Row {
    uint32_t thread = 0;
    uint32_t parent = 0;  // index of a row; 0 if none
    bool running = false;
    uint64_t method = 0;
    uint64_t calls = 0;
    uint64_t exceptions = 0;
    uint64_t ticks = 0;  // with callees
    OwnSegments own;     // set by finish()
  };
  struct Objects {
    uint32_t row = 0;
    log::CallAllocation of;
  };
  struct Entries {
    uint32_t row = 0;
    log::CallEntries of;
  };
  void find_own_segments();
  double ns_a_tick(const ClockMap& clock, uint64_t start) const;
  std::vector<uint32_t> add_nodes(const Names& names, double rate, const ProbeCosts& costs, Functions& functions,
                                  Profile& profile) const;
  void add_allocations(const std::vector<uint32_t>& nodes, const Names& names, Functions& functions,
                       Profile& profile) const;
  void add_entries(const std::vector<uint32_t>& nodes, double rate, Profile& profile) const;

  uint64_t dump_ = 0;
  bool keep_ = false;
  uint32_t thread_ = 0;
  uint32_t base_ = 0;  // row of the block's node 0
  uint64_t last_counter_ = 0;
  std::vector<Row> rows_;  // [0] is unused
  std::vector<Objects> objects_;
  std::vector<Entries> entries_;
  CallTotal total_;
};

}  // namespace oriel::profile
