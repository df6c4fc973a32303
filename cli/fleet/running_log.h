// The log of a program that runs, as it grows: what was recorded since it was last looked at.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "diagnostics/process.h"
#include "profile/profile.h"

namespace oriel::cli {

// A part of a log, by its counter (base/clock.h): times of what is near the log's end change while it grows.
struct LogPart {
  std::string file;
  uint64_t after = 0;
  uint64_t to = UINT64_MAX;
};

// What the part has of the whole: the filter with its times, as the log has them now. Errors: it cannot be read.
Result<profile::Filter> filter_for(const LogPart& part, profile::Filter whole);

// Where the program's log module writes a log already, that log is read beside it and left as it is. Else the module is
// started with a log in a folder of its own in the program's TMPDIR, whose files go when they are done with; so does
// the log of a push that was killed. One thread.
class RunningLog {
 public:
  // `process` has been read with what is inside. Errors say what is in the way, and what to do.
  // A log that is started has these features (live/control_words.h) beside the default ones.
  static Result<RunningLog> open(diagnostics::Process process, const std::vector<std::string>& features = {});
  RunningLog(RunningLog&& other) noexcept;
  RunningLog& operator=(RunningLog&&) = delete;
  // Stops the log that open() started, and removes its folder.
  ~RunningLog();

  // Whether the program has this log without us.
  bool is_users() const { return !is_own_; }
  bool program_has_ended() const;
  // The file that is written now, as this process sees it; "" if there is none any more. Of a log that open() started,
  // the one before is removed.
  std::string written();
  // Whether nothing follows: next(true) was called, or the program or its log has ended.
  bool is_over() const { return is_over_; }

  // What was recorded since the last call; with `last`, up to the end. The parts can be read until the next call. An
  // error if the process does not do as it is asked.
  Result<std::vector<LogPart>> next(bool last);
  // A part was read: the next one begins behind it.
  void has_read(const LogPart& part) {
    if (part.to != UINT64_MAX) after_ = part.to;
  }

 private:
  explicit RunningLog(diagnostics::Process process) : process_(std::move(process)) {}

  Status begin(const std::vector<std::string>& features);
  Status start_own(const std::vector<std::string>& features);
  Status enter(const std::string& folder, int flags = 0);
  Status take_own(const std::string& folder);
  Result<std::vector<LogPart>> next_of_own(bool last);
  Result<std::vector<LogPart>> next_of_users(bool last);
  std::string seen(const std::string& file) const;

  diagnostics::Process process_;
  bool is_own_ = false;
  std::string folder_;  // of the log, as the program sees it
  int entered_ = -1;    // the folder, open: it can be reached when the program is gone. Locked if it is ours
  std::string file_;    // that is written now, as the program sees it
  uint64_t after_ = 0;  // what comes before in the file is done
  std::string done_;    // a file of ours to remove, by its name in the folder
  bool is_over_ = false;
};

}  // namespace oriel::cli
