// What values of objects show: memory that could be saved, and what waits or is kept without being seen. A question
// each; what of it is worth telling is for the report to say.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "heap/dominators.h"
#include "heap/graph.h"

namespace oriel::heap {

enum class Question : uint8_t {
  kStrings,      // equal ones; bytes: of all but one of each. Rows are contents
  kArrays,       // likewise, without references
  kZeros,        // arrays with nothing but zeros; bytes: of all of them. Rows are types
  kCollections,  // at most half full; bytes: of the places that are free. Rows are types
  kBoxes,        // value types; bytes: of all of them. Rows are types
  kHandlers,     // what only an event holds; bytes: what they retain. Rows are events (HandlerKey)
  kTimers,       // that are set; bytes: what they alone hold by callback and state. Rows are callbacks (TimerKey)
  kAsync,        // methods that wait; bytes: what they retain. Rows are awaits (AsyncKey)
  kClosures,     // of lambdas; bytes: what they retain. Rows are types
  kFinalizers,   // to be run, of objects that nothing but native memory refers to; bytes: of these. Rows are types
  kPinned,       // by handles; bytes: of these. Rows are types
};

// Objects with something in common.
struct FindingRow {
  uint64_t key = 0;
  uint32_t type = 0;                // of the first: index into the snapshot's types
  uint32_t first = 0, objects = 0;  // in Finding::members
  uint64_t bytes = 0;
};

struct Finding {
  Question question = Question::kStrings;
  uint64_t bytes = 0;             // of all rows; where these are bytes retained, nothing counts twice
  std::vector<uint32_t> members;  // objects, those of a row behind one another
  std::vector<FindingRow> rows;   // by bytes, descending

  std::span<const uint32_t> of(const FindingRow& row) const { return {members.data() + row.first, row.objects}; }
};

// An event by what refers to its delegate: a group of roots, or the place of a type.
struct HandlerKey {
  static constexpr uint32_t kNoRoot = UINT32_MAX;
  uint32_t root = kNoRoot;  // index into Dominators::roots
  uint32_t type = 0;        // index into the snapshot's types
  uint8_t place = 0;
  static HandlerKey of(uint64_t key);
  uint64_t packed() const;
};

// Where an async method waits.
struct AsyncKey {
  uint32_t type = 0;   // index into the snapshot's types
  uint32_t await = 0;  // which one of its awaits, from 1; 0: not known, or it runs
  static AsyncKey of(uint64_t key) { return {static_cast<uint32_t>(key >> 32), static_cast<uint32_t>(key)}; }
  uint64_t packed() const { return uint64_t{type} << 32 | await; }
};

// A timer's callback by what it is called with: indexes into the snapshot's types, kNone for none.
struct TimerKey {
  static constexpr uint32_t kNone = (1u << 24) - 1;
  uint32_t target = kNone, state = kNone;
  static TimerKey of(uint64_t key) {
    return {static_cast<uint32_t>(key >> 24) & kNone, static_cast<uint32_t>(key) & kNone};
  }
  uint64_t packed() const { return uint64_t{target & kNone} << 24 | (state & kNone); }
};

// Those that have an answer, in the order of Question: all, or only those about bytes that could be saved and events.
// Of reachable objects only, but for kFinalizers.
enum class Asked : uint8_t { kAll, kWaste };
std::vector<Finding> findings_of(const Graph& graph, const Dominators& tree, Asked asked);

// The place that holds most of the objects, by the references of reachable ones to them.
struct MainPlace {
  uint32_t type = 0;  // index into the snapshot's types
  uint8_t place = 0;
  uint64_t references = 0, all = 0;  // 0: nothing refers to any
};
// One for each group of objects. No object may be in two groups.
std::vector<MainPlace> main_places(const Graph& graph, const Dominators& tree,
                                   std::span<const std::span<const uint32_t>> groups);

// Of a group of equal strings: how they begin, "" if the log does not have it.
std::string text_of(const Graph& graph, std::span<const uint32_t> objects);

}  // namespace oriel::heap
