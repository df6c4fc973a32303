#include "profile/build/memory/memory_limit.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "base/files/descriptor.h"
#include "base/process/maps_line.h"
#include "base/text/words.h"

namespace oriel::profile {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kIsMeasured = false;  // shadow memory and freed memory would count
#else
constexpr bool kIsMeasured = true;
#endif

// This process's resident memory; 0 if the system does not say.
uint64_t resident_bytes() {
  const std::string text = system_text("/proc/self/statm");  // all pages, then resident ones
  char* second = nullptr;
  std::strtoull(text.c_str(), &second, 10);
  return std::strtoull(second, nullptr, 10) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

// Bytes of the mappings that this process can read: no less than are resident. An emulator keeps the code that it has
// translated, which is resident and not among its program's mappings.
uint64_t mapped_bytes() {
  uint64_t bytes = 0;
  MapsLine mapping;
  for (const std::string& line : split(system_text("/proc/self/maps"), '\n'))
    if (parse_maps_line(line, mapping) && mapping.is_readable) bytes += mapping.end - mapping.start;
  return bytes;
}

// By bytes of a log. Records include the file itself, which is in memory while it is read. The profile and reports take
// twice as much.
constexpr uint64_t kRecords = 6, kNames = 2;
constexpr uint64_t kOfAThread = 48;  // its name, start and end
// Real logs are up to five times as large uncompressed.
constexpr uint64_t kUnpacked = 4;

}  // namespace

void MemoryLimit::open(uint64_t log_bytes) {
  constexpr uint64_t kOfAnyLog = 3'000'000, kThreadsOfAnyLog = 10'000;
  names_ = kNames * log_bytes + kOfAnyLog;
  threads_ = log_bytes / kOfAThread + kThreadsOfAnyLog;
  unpacked_left_ = kUnpacked * log_bytes;
  if (!kIsMeasured) return;
  most_ = resident_bytes() + kRecords * log_bytes + kOfAnyLog;
}

void MemoryLimit::add_unpacked(uint64_t bytes) {
  if (names_ == UINT64_MAX) return;  // no limit
  bytes = std::min(bytes, unpacked_left_);
  unpacked_left_ -= bytes;
  names_ += kNames * bytes;
  threads_ += bytes / kOfAThread;
  raise_limit(kRecords * bytes);
}

void MemoryLimit::look() { full_ = most_ != UINT64_MAX && resident_bytes() > most_ && mapped_bytes() > most_; }

}  // namespace oriel::profile
