// Which method an address in a trace's stacks belongs to, at a time: code may go, and other code come to its address.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace oriel::imports {

// A method's code as an event tells it.
struct CodeEvent {
  enum class What : uint8_t {
    kThere,     // it was there when recording began or ended
    kLoaded,    // it came at that time
    kUnloaded,  // it went
  };
  What what = What::kThere;
  uint64_t time = 0;
  uint64_t begin = 0;
  uint32_t size = 0;
  uint32_t method = 0;  // the caller's number for it
};

class CodeHistory {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  void add(const CodeEvent& event) { events_.push_back(event); }
  // After the last add.
  void seal();

  // The method at that address, kNone if none is known. Times should rise from call to call; for an earlier one the
  // latest time so far counts.
  uint32_t find(uint64_t address, uint64_t time);

  // Changes whenever an address that was asked for may have become another method's.
  uint64_t version() const { return version_; }

 private:
  struct Code {
    uint64_t end = 0;
    uint32_t method = kNone;
  };
  using Map = std::map<uint64_t, Code>;  // by begin; they do not overlap

  static void put(Map& map, const CodeEvent& event, bool& replaced);
  static bool cut_out(Map& map, uint64_t begin, uint64_t end);
  static uint32_t find_in(const Map& map, uint64_t address);
  void advance(uint64_t time);

  std::vector<CodeEvent> events_;  // sorted by time once sealed
  size_t next_ = 0;
  Map now_;     // by what was loaded so far
  Map always_;  // for addresses of which nothing was loaded
  uint64_t version_ = 0;
};

}  // namespace oriel::imports
