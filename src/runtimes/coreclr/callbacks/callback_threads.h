// What the callbacks of threads leave for those that follow.
#pragma once

#include <mutex>
#include <string>
#include <unordered_map>

#include "runtimes/coreclr/com/profiling.h"

namespace oriel::coreclr {

// Names that were given to threads before they ran.
class ThreadNames {
 public:
  void keep(ThreadID thread, std::string name);
  // The name kept for the thread, which is then forgotten; "" if there is none.
  std::string take(ThreadID thread);

 private:
  std::mutex mutex_;
  std::unordered_map<ThreadID, std::string> names_;
};

}  // namespace oriel::coreclr
