// The file in which a running program counts coverage, beside its log (docs/FORMAT.md). It is mapped into the program's
// memory, so the counts survive any end of the process. A header is followed by segments, each a multiple of kUnit
// bytes.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/varint.h"

namespace oriel::coverage_file {

inline constexpr char kMagic[8] = {'O', 'r', 'i', 'e', 'l', 'C', 'o', 'v'};
inline constexpr uint32_t kVersion = 2;
inline constexpr uint64_t kUnit = 64u << 10;

// Appended to the log's name.
inline constexpr const char* kEnding = ".counters";

inline constexpr uint64_t kNoPeriod = ~uint64_t{0};

struct Header {
  char magic[8];
  uint32_t version;
  uint32_t counts;                     // 1: execution counts; 0: hits
  std::atomic<uint64_t> bytes;         // of the file, up to the end of its last complete segment
  std::atomic<uint64_t> period;        // the present period: live and kept counters
  std::atomic<uint64_t> ended_period;  // the ended period, which may be in no log yet; kNoPeriod: none
};

enum class Kind : uint32_t {
  kRecords = 1,  // images and methods
  kLive,         // counters that code writes
  kKept,         // the live counters' values when other profilers were reset
  kEnded,        // the values when the log's last period ended
};

struct Segment {
  Kind kind;
  uint32_t width;              // size of a counter in bytes: 1 or 8
  uint64_t bytes;              // size of the segment, including this header
  uint64_t first;              // number of the first counter
  std::atomic<uint64_t> used;  // bytes of records, or number of counters
};
inline constexpr uint64_t kSegmentHeader = 64;
static_assert(sizeof(Segment) <= kSegmentHeader && sizeof(Header) <= kUnit);

// The distance in bytes of a counter from its segment's first. Eight-byte counters lie in segments of one unit each,
// one after the other, and the counter may lie in a later one.
inline constexpr uint64_t kCountsInUnit = (kUnit - kSegmentHeader) / 8;
constexpr uint64_t bytes_behind(uint64_t counter) { return counter * 8 + counter / kCountsInUnit * kSegmentHeader; }

inline uint8_t* data_of(Segment* segment) { return reinterpret_cast<uint8_t*>(segment) + kSegmentHeader; }

// The first byte of a record. An image continues like an image in the log's coverage block. A method continues like one
// there up to its name; then come the number of its first counter, the number of its points, and for each its place,
// outcome if it is one, and counter number within the method. A sum has the number of a counter without probes, the
// number of its terms, and their numbers. INT and STRING are the log's.
enum class Record : uint8_t { kImage = 1, kMethod = 2, kSum = 3 };

inline void put(std::string& record, uint64_t value) {
  uint8_t bytes[kMaxVarintBytes];
  record.append(reinterpret_cast<const char*>(bytes), static_cast<size_t>(write_varint(bytes, value) - bytes));
}

// Up to the first NUL, like the log's STRING.
inline void put(std::string& record, std::string_view text) {
  record += text.substr(0, text.find('\0'));
  record += '\0';
}

}  // namespace oriel::coverage_file
