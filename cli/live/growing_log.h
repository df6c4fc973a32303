// The log of a running program, read as it grows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/files/input_file.h"
#include "base/status.h"
#include "log/recent.h"

namespace oriel::cli {

class GrowingLog {
 public:
  // Starts with the file's beginning.
  Status open(const std::string& path);
  const std::string& path() const { return path_; }
  // How much of it has been read, in bytes.
  uint64_t at() const { return at_; }

  // Passes on what has been written since the last call.
  Status read(log::RecentLog& to, int64_t now_ns);

 private:
  std::string path_;
  std::optional<InputFile> file_;
  uint64_t at_ = 0;
};

}  // namespace oriel::cli
