// The runtime's own event source: its sampling of allocations, which needs no probes, the phases of collections,
// finalizers, waits for locks, its thread pool. Each of its events that ours are made of is a row of the table in
// runtime_source.cc, which says what to ask for and what reads it: a new one takes its row, and `raise_NAME` where its
// fields are read.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "oriel/oriel.h"

namespace oriel::coreclr {

class FollowedObjects;

// What belongs together, in words, and the runtime's version that tells it first.
struct ToldKind {
  const char* what;
  uint16_t since;
};

// By which a source tells its events apart, one bit. All that has it comes by one session.
struct SourceKeyword {
  uint64_t bit;
  ToldKind kind;
};

inline constexpr uint32_t kInformationalLevel = 4, kVerboseLevel = 5;

// One that the source delivers, on the thread that raises it.
struct SourceEvent {
  std::span<const uint8_t> fields;
  FollowedObjects& followed;
};

struct SourceRow {
  struct Numbered {
    uint32_t number;                        // the source's
    uint32_t first = 0, last = UINT32_MAX;  // versions whose fields are known
  };
  SourceKeyword keyword;
  uint32_t level;
  Numbered event;
  // Raises ours; nothing if the fields are not what they should be.
  void (*tell)(SourceEvent event);
  std::array<uint32_t, 2> ours;  // 0: none
  struct Runtimes {
    uint16_t first = 0, last = UINT16_MAX;
  } runtimes = {};  // whose versions tell ours so; where they are not all, another row is for the others
};
std::span<const SourceRow> source_rows();

// Whether the row is for this version of the runtime; one that does not tell, 0, is taken to be new.
constexpr bool is_row_of(const SourceRow& row, uint16_t major) {
  if (major == 0) return row.runtimes.last == UINT16_MAX;
  return row.runtimes.first <= major && major <= row.runtimes.last;
}

// Whether any of these events is made of the row's.
template <typename IsWanted>
bool is_for(const SourceRow& row, const IsWanted& is_wanted) {
  for (const uint32_t number : row.ours)
    if (number != 0 && is_wanted(number)) return true;
  return false;
}

// Raises what somebody wants to hear of an event of that version of the runtime.
void tell_source_event(uint16_t major, uint32_t number, uint32_t version, SourceEvent event);

}  // namespace oriel::coreclr
