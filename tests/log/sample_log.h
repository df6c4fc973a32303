// Logs for tests: one with every record that a writer can write, and files that go away again.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "log/writer.h"

namespace oriel::log {

using ByteVector = std::vector<uint8_t>;

// A path in a folder of the test's own; the file is removed with this object.
class TemporaryFile {
 public:
  TemporaryFile();
  explicit TemporaryFile(const ByteVector& content);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& path() const { return path_; }
  ByteVector content() const;

 private:
  std::string path_;
};

// Writes a log of several flushes to `path`; every record of version 2 is in it.
void write_sample_log(const std::string& path, bool compressed = false);
ByteVector sample_log(bool compressed = false);

// Where each block of a whole log begins, and where the last ends.
std::vector<size_t> block_starts(const ByteVector& log);

}  // namespace oriel::log
