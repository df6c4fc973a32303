// What a profile of MoarVM says (raku --profile), whatever form it has: JSON, or the statements of SQL that make a
// database. Times are microseconds.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace oriel::imports {

// No number of a profile is larger, so that sums and nanoseconds do not overflow.
inline constexpr uint64_t kMostMoar = uint64_t{1} << 40;
// Nothing calls so deep: MoarVM's own writer would not come to an end.
inline constexpr size_t kMostMoarDepth = 100'000;

struct MoarRoutine {
  std::string name;  // "" of blocks
  std::string file;
  uint64_t line = 0;  // 0: not known
};

struct MoarType {
  std::string name;
  uint64_t bytes = 0;  // of an object, without what it has outside of the managed heap; 0: not known
};

// Calls of a routine on one way from the thread's start.
struct MoarCalls {
  uint32_t parent = 0;  // index + 1; 0: none
  uint32_t thread = 0;  // index
  uint64_t routine = 0;
  uint64_t entries = 0;
  uint64_t specialized = 0;
  uint64_t compiled = 0;
  uint64_t inlined = 0;
  uint64_t replaced = 0;
  uint64_t deoptimized = 0;
  uint64_t deoptimized_all = 0;
  uint64_t inclusive = 0;
  uint64_t exclusive = 0;  // less what measuring took
};

struct MoarAllocation {
  uint32_t calls = 0;  // index
  uint64_t type = 0;
  uint64_t count = 0;
  uint64_t avoided = 0;  // objects that specialized code did without
};

struct MoarThread {
  uint64_t id = 0;
  uint64_t start = 0;
  uint64_t total = 0;
};

// A thread's part in a collection.
struct MoarGc {
  uint64_t thread = 0;  // its id
  uint64_t number = 0;
  uint64_t start = 0;
  uint64_t took = 0;
  bool responsible = false;
  bool full = false;
  uint64_t kept = 0;
  uint64_t promoted = 0;
  uint64_t freed = 0;
  uint64_t roots = 0;
};

struct MoarProfile {
  std::map<uint64_t, MoarRoutine> routines;
  std::map<uint64_t, MoarType> types;
  std::vector<MoarThread> threads;
  std::vector<MoarCalls> calls;  // callers first
  std::vector<MoarAllocation> allocations;
  std::vector<MoarGc> gcs;
  uint64_t of_no_thread = 0;  // rows of calls that no thread's graph has
  // What a log does not have, counted.
  uint64_t freed = 0;         // numbers of freed objects, by type and collection
  uint64_t specializing = 0;  // threads with a time of the specializer
  uint64_t dispatches = 0;    // numbers of calls by kind of dispatch
};

bool is_moar_json(std::string_view beginning);
Status read_moar_json(std::string_view text, MoarProfile& profile);

bool is_moar_sql(std::string_view beginning);

}  // namespace oriel::imports
