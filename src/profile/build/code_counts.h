// Processor of the program's code: what was loaded, and what was compiled when.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "log/format.h"
#include "oriel/oriel.h"
#include "profile/build/clock_map.h"
#include "profile/build/id_map.h"
#include "profile/build/incoming.h"
#include "profile/build/names.h"
#include "profile/functions.h"
#include "profile/profile.h"

namespace oriel::profile {

class CodeCounts {
 public:
  void add(const log::Load& load);
  // Some samples, as their block may say afterwards that one met a compilation.
  void saw(uint64_t thread, std::span<const log::Sample> samples);
  // The id of the node of such a sample; 0 if it has none.
  uint64_t node_of(uint64_t thread, uint64_t counter) const;
  // Of a sample told before. `thread`: index into the profile's threads. `node`: of its stack, 0 if it is not known.
  void add(uint32_t thread, uint32_t node, const log::Compiling& compiling);

  void method_jit(const Incoming& told);
  void compiled(const Incoming& told);
  void image_loaded(const Incoming& told);
  static constexpr Taking<CodeCounts> kTakes[] = {
      {log::Event::kMethodJit, &CodeCounts::method_jit},
      {oriel_event_jit_done, &CodeCounts::compiled},
      {oriel_event_image_loaded, &CodeCounts::image_loaded},
  };

  // Adds them to the profile, which has its samples, and the functions that they meet.
  void finish(const Names& names, const ClockMap& clock, Functions& functions, Profile& profile) const;

 private:
  struct CompilingRecord {
    uint32_t thread;
    uint64_t method;
    bool again;
    uint64_t counter;
    uint64_t periods;
    uint32_t node;  // of its sample, 0 if it is not known
  };

  std::vector<log::Sample> seen_;  // the last thread's, at least those of its last block
  uint64_t seen_thread_ = 0;
  std::vector<CompilingRecord> compiling_;
  IdMap<char> methods_;  // compiled
  uint64_t compilations_ = 0;
  uint64_t image_loads_ = 0;  // load blocks and image events tell the same: the one that tells more counts
  uint64_t image_events_ = 0;
};

}  // namespace oriel::profile
