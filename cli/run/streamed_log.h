// The pipe or socket that a run's log goes to.
#pragma once

#include <memory>
#include <string>

#include "base/files/open_file.h"
#include "base/status.h"

namespace oriel::cli {

class StreamedLog {
 public:
  // Opens the pipe, and waits a little for its reader, which may have been started just before. Its reader does not see
  // an end before this is gone. nullptr if `path` is neither a pipe nor a socket. An error if nobody reads it.
  static Result<std::unique_ptr<StreamedLog>> open(const std::string& path);

  // Whether something went through the pipe since then; of a socket nobody knows, and it is assumed.
  bool was_written() const;

 private:
  explicit StreamedLog(int pipe) : pipe_(pipe), before_ns_(modified_ns()) {}
  int64_t modified_ns() const;

  OpenFile pipe_;
  int64_t before_ns_;
};

}  // namespace oriel::cli
