// Progress of long work, on stderr: only on a terminal, and only once it has taken half a second.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace oriel::cli {

class Progress {
 public:
  // `what` as in "reading shop-12.oriel".
  explicit Progress(std::string what);
  // Wipes the line.
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
