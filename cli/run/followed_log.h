// Follows the log of a running program: keeps it open, so that it is found again if it is moved.
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

  // Finds the first log that matches the template, is new since `before` and does not belong to another run than `run`,
  // and opens it. Returns whether a log is open.
  bool look(const LogTemplate& pattern, const LogFiles& before, const std::string& run);

  bool was_there() const { return file_ >= 0; }
  // The path where it was first seen, and the current path: "" if it was removed.
  const std::string& begun_at() const { return path_; }
  std::string now_at() const;
  uint64_t size() const;

 private:
  std::string path_;
  int file_ = -1;
};

}  // namespace oriel::cli
