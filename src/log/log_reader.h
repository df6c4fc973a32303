// Reads the blocks of a log, from a file or from memory, whatever kind of file it is. A file is read in windows, so
// that it may be larger than memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "log/block_reader.h"
#include "log/log_bytes.h"

namespace oriel::log {

class LogReader {
 public:
  // Fail if nothing can be read: no such file, no permission, not an Oriel log, an unknown version. `name` stands for a
  // file's; the bytes outlive the reader.
  static Result<LogReader> open(const std::string& path);
  static Result<LogReader> in(std::span<const uint8_t> bytes, const std::string& name);

  // The next block, whose data is valid until the next call; false if there is none, or if failed().
  bool next(FoundBlock& found, const BlockReader::Problem& problem);

  // Where next() looks for the next block.
  uint64_t position() const { return window_.begin + blocks_.used(); }
  // Goes on from there, which must be the end of a check block, in a file of which own_bytes() is not 0.
  void go_to(uint64_t offset);

  uint64_t version() const { return version_; }
  uint64_t file_bytes() const { return file_bytes_; }  // with those of a tail
  uint64_t log_bytes() const { return log_bytes_; }    // of a recorder's file less
  // Of these, those of the log's file, where it is read in windows: without its tail. 0 for recorders' files, and bytes
  // in memory.
  uint64_t own_bytes() const { return file_ ? file_->own_size() : 0; }
  // After the last block: the bytes behind it.
  uint64_t torn_bytes() const { return log_bytes_ - position(); }
  uint64_t damaged_stretches() const { return blocks_.damaged_stretches(); }
  // That the file could not be read to its end.
  const Status& failed() const { return failed_; }

 private:
  // Bytes of a log that were read, and room for more.
  struct Window {
    std::span<const uint8_t> bytes = {};
    uint64_t begin = 0;  // in the log
    bool is_last = false;
    std::unique_ptr<uint8_t[]> room = {};
    size_t capacity = 0;
  };

  LogReader(uint64_t version, uint64_t bytes)
      : blocks_(version), version_(version), file_bytes_(bytes), log_bytes_(bytes) {}
  void set_whole(std::span<const uint8_t> log);
  static Status fill(const LogBytes& log, const std::string& path, size_t capacity, Window& window);
  Status next_window();

  BlockReader blocks_;
  uint64_t version_;
  uint64_t file_bytes_;
  uint64_t log_bytes_;
  Window window_;
  std::optional<LogBytes> file_;
  std::string path_;
  std::vector<uint8_t> ring_;  // of a recorder's file: its log
  Status failed_ = Status::ok();
};

}  // namespace oriel::log
