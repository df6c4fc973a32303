// The flight recorder of a log: the ring that its segments are in, what makes it save, and what it has saved.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "base/status.h"
#include "log/ring_file.h"
#include "log_file.h"
#include "triggers.h"

namespace oriel::log_module {

// For the log's writer, where nothing else is said.
class FlightRecorder {
 public:
  // Creates the ring as the plan has it; `path` is its file from the root. Errors name the path and the reason.
  Status open(const FilePlan& plan, const std::string& path, const log::Intro& intro);
  // Applies what may change of the plan.
  void apply(const FilePlan& plan);
  void close();

  // nullptr: it was not opened.
  log::RingFile* ring() const { return ring_.get(); }
  bool runs() const { return ring_ != nullptr; }

  // Shows the triggers the events of this file, which is the next segment.
  void watch(LogFile& segment) { segment.watch_with(&triggers_); }
  // Whether the segment, the last one, is as long as it may be.
  bool is_segment_due(const LogFile& segment) const;
  // Says once that something did not fit into the ring.
  void say_if_dropped(const LogFile& segment);

  // Saves what is held, with what is in the segment's buffers, in the file of that name, or of one that says when.
  // Returns its name. A mark says in the log why.
  Result<std::string> save(LogFile& segment, const SaveCause& cause, const std::string& path);
  // Saves if a trigger says so, and says where, or why it could not.
  void save_if_due(LogFile& segment);
  // Remembers what is held, for details().
  void note_held();
  // What is held, for a person; "" if there is no recorder. Any thread.
  std::string details() const;

 private:
  std::unique_ptr<log::RingFile> ring_;
  Triggers triggers_;
  std::string path_;
  modules::FileLimits limits_;
  uint32_t keep_ = 0;  // saved files that stay
  bool any_removal_failed_ = false, any_save_failed_ = false, any_dropped_ = false;
  mutable std::mutex lock_;  // guards the rest, and `limits_`
  log::RingFile::Held held_;
  std::string saved_;  // the last one
  uint32_t times_saved_ = 0;
};

}  // namespace oriel::log_module
