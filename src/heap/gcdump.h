// Heap dumps of other tools (.gcdump: dotnet-gcdump, PerfView, Visual Studio), read as if they were logs with one
// snapshot of the heap. They do not have the names of fields, and roots only by kind, but for static fields.
//
// Sizes are rounded up to 8 bytes, as the heap does. dotnet-gcdump counts objects of a type apart from 1 kB on, by
// size; here they are of their type.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "heap/graph.h"
#include "log/decoder.h"

namespace oriel::heap {

struct Gcdump {
  Graph graph;                       // with addresses; snapshot 1, whose types have their numbers as class ids
  std::vector<std::string> names;    // by type
  std::vector<std::string> modules;  // by type: path of the file that defines it, "" if not known
  uint64_t unix_us = 0;              // when it was made, 0 if not known
  std::string host;                  // likewise where, and of which process
  std::string process;
  uint64_t pid = 0;
};

// Whether the file begins as one; false too if it cannot be read.
bool is_gcdump(const std::string& path);

// The error is what is wrong, to follow a file's name: "it ends too early". Any bytes may be given. The graph takes no
// more than `most_bytes`.
Result<Gcdump> parse_gcdump(std::span<const uint8_t> bytes, uint64_t most_bytes);

// Tells the sink what a log would: the process, its types as classes, and the heap block. Errors as log::decode_file.
Result<log::DecodeOutcome> tell_gcdump(const std::string& path, log::EventSink& sink);
// As load_graph.
Result<Graph> load_gcdump(const std::string& path);

}  // namespace oriel::heap
