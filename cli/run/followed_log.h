// The log of a program that runs: held open from when it is there, and so found again wherever it is moved to.
#pragma once

#include <cstdint>
#include <string>

#include "run/log_files.h"

namespace oriel::cli {

class FollowedLog {
 public:
  FollowedLog() = default;
  ~FollowedLog();
  FollowedLog(const FollowedLog&) = delete;
  FollowedLog& operator=(const FollowedLog&) = delete;

  // Looks for a log of the template that is new since `before`, and of no other run than `run`, and opens the first.
  // Whether one is open now.
  bool look(const LogTemplate& pattern, const LogFiles& before, const std::string& run);

  bool was_there() const { return file_ >= 0; }
  // Where it was seen first, and where it is now: "" if it was removed.
  const std::string& begun_at() const { return path_; }
  std::string now_at() const;
  uint64_t size() const;

 private:
  std::string path_;
  int file_ = -1;
};

}  // namespace oriel::cli
