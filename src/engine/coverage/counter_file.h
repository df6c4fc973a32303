// The file that counters lie in, where a profiler named one (base/files/coverage_file.h).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "base/files/coverage_file.h"
#include "base/status.h"

namespace oriel::coverage {

// Memory that is the process's for good: code that counts in it may run at any time.
class CounterFile {
 public:
  // In the place of what an earlier process left there, and of nothing else. Errors name the path and the reason.
  Status create(const std::string& path, bool counts);
  bool exists() const { return header_ != nullptr; }
  coverage_file::Header& header() { return *header_; }

  // A segment with so many bytes behind its header at least, all 0. Where the file cannot grow, as on a full disk, it
  // is anonymous memory, and that is said once; nullptr without memory.
  // `where`: there, in address space that was reserved for it.
  coverage_file::Segment* add(coverage_file::Kind kind, uint32_t width, uint64_t first, uint64_t bytes,
                              void* where = nullptr);
  // Behind the records so far, whole or not at all.
  void append(const std::string& record);

 private:
  Result<void*> grow(uint64_t bytes, void* where);
  Result<void*> map_new(int file, uint64_t bytes, void* where);

  std::string path_;
  dev_t device_ = 0;
  ino_t number_ = 0;
  uint64_t size_ = 0;
  coverage_file::Header* header_ = nullptr;
  coverage_file::Segment* records_ = nullptr;  // the last segment of them
  bool given_up_ = false;
};

}  // namespace oriel::coverage
