// The file with the counters, if a profiler named one (base/files/coverage_file.h).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "base/files/coverage_file.h"
#include "base/status.h"

namespace oriel::hits {

// The mapped memory is never unmapped: code may count in it at any time.
class CounterFile {
 public:
  // Replaces only a file that an earlier process left. Errors name the path and the reason.
  Status create(const std::string& path, bool counts);
  bool exists() const { return header_ != nullptr; }
  coverage_file::Header& header() { return *header_; }

  // A segment with at least `bytes` behind its header, zeroed. If the file cannot grow (disk full), it is anonymous
  // memory, with one warning; nullptr without memory. `where`: maps it there, in reserved address space.
  coverage_file::Segment* add(coverage_file::Kind kind, uint32_t width, uint64_t first, uint64_t bytes,
                              void* where = nullptr);
  // The file grows no more, as nobody wants what is in it. Segments are anonymous memory from now on.
  void let_go() { given_up_ = true; }
  // After the records so far, completely or not at all.
  void append(const std::string& record);

 private:
  Result<void*> grow(uint64_t bytes, void* where);
  Result<void*> map_new(int file, uint64_t bytes, void* where);

  std::string path_;
  dev_t device_ = 0;
  ino_t number_ = 0;
  uint64_t size_ = 0;
  coverage_file::Header* header_ = nullptr;
  coverage_file::Segment* records_ = nullptr;  // the last segment of records
  bool given_up_ = false;
};

}  // namespace oriel::hits
