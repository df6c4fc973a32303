// Which native versions of methods were told of already. A method is compiled again for each tier and for each on-stack
// replacement; the runtime says only that it compiled it, not which version is new.
#pragma once

#include <mutex>
#include <unordered_map>
#include <vector>

#include "engine/entities.h"

namespace oriel::coreclr {

class JitState {
 public:
  // Whether any version of the method was told of.
  bool knows(const oriel_method* method);
  // Whether the version that starts there is new, and remembers it. Any thread.
  bool is_new(const oriel_method* method, uintptr_t version_start);
  // The method's code is gone.
  void forget(const oriel_method* method);

 private:
  std::mutex mutex_;
  std::unordered_map<uint32_t, std::vector<uintptr_t>> versions_;  // by the method's id
};

}  // namespace oriel::coreclr
