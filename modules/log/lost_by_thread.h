// What was lost between the threads and the writer since the log last told of it, by thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "log/format.h"

namespace oriel::log_module {

// The writer's.
class LostByThread {
 public:
  // Room for more of a thread; 0: it is not known.
  log::LostOfThread& of(uint64_t thread) {
    const auto known = std::ranges::find(rows_, thread, &log::LostOfThread::thread);
    return known != rows_.end() ? *known : rows_.emplace_back(log::LostOfThread{.thread = thread});
  }
  bool empty() const { return rows_.empty(); }
  const std::vector<log::LostOfThread>& rows() const { return rows_; }
  std::vector<log::LostOfThread> take() { return std::exchange(rows_, {}); }

 private:
  std::vector<log::LostOfThread> rows_;  // few: of threads that lost something in the last moments
};

}  // namespace oriel::log_module
