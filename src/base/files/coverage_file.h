// The file in which a running program counts coverage, beside its log (docs/FORMAT.md). The program has it mapped into
// memory, so that what ran is there whatever ends the process. It begins with a header; segments follow, each a whole
// number of kUnit bytes.
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

// What stands behind a log's name in the name of the file.
inline constexpr const char* kEnding = ".counters";

inline constexpr uint64_t kNoPeriod = ~uint64_t{0};

struct Header {
  char magic[8];
  uint32_t version;
  uint32_t counts;                     // 1: how often code ran; 0: whether
  std::atomic<uint64_t> bytes;         // of the file, up to the end of its last whole segment
  std::atomic<uint64_t> period;        // of what is counted now, and kept
  std::atomic<uint64_t> ended_period;  // of what has ended and may be in no log yet; kNoPeriod: there is none
};

enum class Kind : uint32_t {
  kRecords = 1,  // images and methods
  kLive,         // counters as code counts
  kKept,         // what they had when others began to count anew
  kEnded,        // what they had when the log's last period ended
};

struct Segment {
  Kind kind;
  uint32_t width;              // of a counter, in bytes: 1 or 8
  uint64_t bytes;              // of all of it, with this
  uint64_t first;              // number of the first counter
  std::atomic<uint64_t> used;  // of records, bytes; of counters, how many
};
inline constexpr uint64_t kSegmentHeader = 64;
static_assert(sizeof(Segment) <= kSegmentHeader && sizeof(Header) <= kUnit);

// Counters of eight bytes lie in segments of one unit each, one segment behind the other. How far behind the first
// counter of a segment another is, which may lie in a later one.
inline constexpr uint64_t kCountsInUnit = (kUnit - kSegmentHeader) / 8;
constexpr uint64_t bytes_behind(uint64_t counter) { return counter * 8 + counter / kCountsInUnit * kSegmentHeader; }

inline uint8_t* data_of(Segment* segment) { return reinterpret_cast<uint8_t*>(segment) + kSegmentHeader; }

// A record begins with one of these. An image then has what the log's coverage block has of one; a method what stands
// there of one up to its name, then the number of its first counter, how many points it has, and of each place, outcome
// if it is one, and the number of its counter among the method's. A sum has the number of a counter that nobody counts
// in, how many others it is the sum of, and their numbers. INT and STRING are the log's.
enum class Record : uint8_t { kImage = 1, kMethod = 2, kSum = 3 };

inline void put(std::string& record, uint64_t value) {
  uint8_t bytes[kMaxVarintBytes];
  record.append(reinterpret_cast<const char*>(bytes), static_cast<size_t>(write_varint(bytes, value) - bytes));
}

// Up to a 0, as the log's STRING.
inline void put(std::string& record, std::string_view text) {
  record += text.substr(0, text.find('\0'));
  record += '\0';
}

}  // namespace oriel::coverage_file
