// The runtime's own event source: allocation sampling without probes, phases of collections, finalizers, lock
// contention, the thread pool. Each of its events that Oriel's events are made from is a row of the table in
// runtime_source.cc, which says what to enable and which function reads it. A new event takes a row, and `raise_NAME`
// where its fields are read.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "engine/followed_objects.h"
#include "oriel/oriel.h"

namespace oriel::coreclr {

// A group of events, in words, and the first version of the runtime that reports it.
struct EventGroup {
  const char* what;
  uint16_t since;
};

// A keyword of an event source, one bit. All its events come by one session.
struct SourceKeyword {
  uint64_t bit;
  EventGroup kind;
};

inline constexpr uint32_t kInformationalLevel = 4, kVerboseLevel = 5;

// An event that the source delivers, on the thread that raises it.
struct SourceEvent {
  std::span<const uint8_t> fields;
  FollowedObjects& followed;
};

struct SourceRow {
  struct Numbered {
    uint32_t number;                        // the event's number in the source
    uint32_t first = 0, last = UINT32_MAX;  // versions whose fields are known
  };
  SourceKeyword keyword;
  uint32_t level;
  Numbered event;
  // Raises Oriel's events, or nothing if the fields are not as expected.
  void (*tell)(SourceEvent event);
  std::array<uint32_t, 2> ours;  // Oriel's events that are made from it; 0: none
  struct Runtimes {
    uint16_t first = 0, last = UINT16_MAX;
  } runtimes = {};  // the versions for which the row holds; other rows cover the others
};
std::span<const SourceRow> source_rows();

// Whether the row is for this version of the runtime; an unknown version, 0, is taken to be new.
constexpr bool is_row_of(const SourceRow& row, uint16_t major) {
  if (major == 0) return row.runtimes.last == UINT16_MAX;
  return row.runtimes.first <= major && major <= row.runtimes.last;
}

// Whether any wanted event is made from the row's.
template <typename IsWanted>
bool is_for(const SourceRow& row, const IsWanted& is_wanted) {
  for (const uint32_t number : row.ours)
    if (number != 0 && is_wanted(number)) return true;
  return false;
}

// Raises the events that listeners want from an event of the source; `major` is the runtime's version.
void deliver_source_event(uint16_t major, uint32_t number, uint32_t version, SourceEvent event);

}  // namespace oriel::coreclr
