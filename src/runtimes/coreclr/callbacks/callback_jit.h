// What the callbacks of compilations leave for those that follow.
#pragma once

#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "engine/things/entities.h"

namespace oriel::coreclr {

// Which native versions of methods were already reported. A method is compiled for each tier and each on-stack
// replacement; the runtime reports that it compiled the method, not which version is new.
class JitState {
 public:
  // Whether any version of the method was reported.
  bool knows(const oriel_method* method);
  // Whether the version that starts there is new; remembers it. Any thread.
  bool is_new(const oriel_method* method, uintptr_t version_start);
  // The method's code is gone.
  void forget(const oriel_method* method);

 private:
  std::mutex mutex_;
  std::unordered_map<uint32_t, std::vector<uintptr_t>> versions_;  // by the method's id
};

}  // namespace oriel::coreclr
