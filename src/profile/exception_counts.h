// Processor of exceptions: how many of each class were thrown, and which methods caught them.
#pragma once

#include <cstdint>
#include <map>

#include "log/event.h"
#include "profile/names.h"
#include "profile/profile.h"

namespace oriel::profile {

class ExceptionCounts {
 public:
  // Whether the event was about an exception. `stack`: index into the profile's nodes, 0 if not known.
  bool add(const log::Event& event, uint32_t stack);
  void finish(const Names& names, Profile& profile) const;

 private:
  struct Counts {
    uint64_t thrown = 0;
    uint64_t caught = 0;
    std::map<uint64_t, uint64_t> caught_in;  // by method id
    std::map<uint32_t, uint64_t> thrown_at;  // by stack
  };
  std::map<uint64_t, Counts> by_class_;
};

}  // namespace oriel::profile
