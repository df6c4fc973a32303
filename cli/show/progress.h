// What long work has done so far, for a person who waits.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace oriel::cli {

// Progress of long work on stderr: only on a terminal, and only after half a second.
class Progress {
 public:
  // `what` is like "reading shop-12.oriel".
  explicit Progress(const std::string& what);
  // Erases the line.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void update(uint64_t done, uint64_t total);

 private:
  std::string what_;
  bool terminal_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace oriel::cli
