// The objects of one heap snapshot and the references between them, in arrays: some 20 bytes an object and 5 a
// reference.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "log/heap_records.h"
#include "log/sink.h"

namespace oriel::heap {

// A value of an object that is not a reference.
struct ObjectValue {
  uint32_t object = 0;
  log::HeapValueKind kind = log::HeapValueKind::kContents;
  int64_t value = 0;
};

// What lies between the objects of a generation.
struct FreeSpace {
  uint64_t all = 0;      // bytes of its pieces
  uint64_t free = 0;     // of these, no object has them
  uint64_t largest = 0;  // in one place
  uint64_t places = 0;
};

struct Graph {
  static constexpr uint32_t kNoDetails = UINT32_MAX;
  // Numbers of places of references (Graph::places): those of a type's slots, then those of its elements' slots.
  static constexpr uint8_t kDependentHandle = 254;  // it is in no object's field: a dependent handle leads there
  static constexpr uint8_t kManyPlaces = 255;       // the type has too many to tell

  static constexpr size_t kGenerations = static_cast<size_t>(log::HeapGeneration::kFrozen) + 1;

  log::HeapSnapshot snapshot;        // with types and roots
  std::vector<uint32_t> types;       // by object: index into snapshot.types
  std::vector<uint32_t> words;       // by object: its size in words of 8 bytes
  std::vector<uint32_t> first_edge;  // by object, and one more: where its references begin in the next two
  std::vector<uint32_t> targets;     // by reference that is not null: the object
  std::vector<uint8_t> places;       // likewise: which place of its type holds it
  std::vector<uint8_t> generations;  // by object: a log::HeapGeneration; 0: it is younger than the pieces of the heap
  std::vector<FreeSpace> free;       // by log::HeapGeneration
  log::HeapDetails details;
  std::vector<uint32_t> details_of;  // by index into snapshot.types: index into details.types, or kNoDetails
  std::vector<ObjectValue> values;   // those that are not 0, by object
  std::vector<uint64_t> addresses;   // by object, if asked for
  std::string problem;  // a sentence if references or values are missing, because a part of the file is damaged

  uint32_t objects() const { return static_cast<uint32_t>(types.size()); }
  uint64_t bytes(uint32_t object) const { return uint64_t{words[object]} * 8; }
  std::span<const uint32_t> references(uint32_t object) const {
    return {targets.data() + first_edge[object], targets.data() + first_edge[object + 1]};
  }
  const log::HeapType& type(uint32_t object) const { return snapshot.types[types[object]]; }
  log::HeapTypeKind kind(uint32_t type) const {
    return details_of[type] == kNoDetails ? log::HeapTypeKind::kOther
                                          : static_cast<log::HeapTypeKind>(details.types[details_of[type]].kind);
  }
  // Whether objects of the type have such a value.
  bool has_value(uint32_t type, log::HeapValueKind kind) const;
  // Of objects of which no values and no generations are known: what is there for each of them and for each type.
  void leave_out_values();
  // 0 if it has none.
  int64_t value(uint32_t object, log::HeapValueKind kind) const;
};

enum class Addresses : uint8_t { kLeftOut, kRead };  // 8 bytes an object

// Reads a snapshot of a log by its number, or the one of a .gcdump file. An error, one sentence, if the log has none of
// that number, a chunk of its objects is damaged or missing, or the graph takes more memory than this machine has.
Result<Graph> load_graph(const std::string& path, uint64_t number, Addresses addresses = Addresses::kLeftOut);
// Likewise of what `tell` tells a sink, as log::decode_file does, with a limit of what the graph may take.
Result<Graph> graph_told(uint64_t number, uint64_t most_bytes, const std::function<Status(log::EventSink&)>& tell,
                         Addresses addresses = Addresses::kLeftOut);

// What a graph may take: the memory of this machine.
uint64_t most_graph_bytes();

// "entries", "[].value", "[]"; "a dependent handle"; "" if not known.
std::string place_name(const log::HeapType& type, uint8_t place);

}  // namespace oriel::heap
