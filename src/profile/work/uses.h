// What the program's own code uses libraries for that is known to be dear, and which of its methods do.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "profile/profile.h"

namespace oriel::profile {

enum class Use : uint8_t {
  kRegexMaking,  // parsing and compiling patterns
  kRegexMatching,
  kJsonMetadata,  // what a serializer finds out of types, kept with its options
  kReflection,
  kConcatenation,  // of strings
  kCulture,        // comparing texts by the rules of a language
  kEquality,       // of values whose type has no Equals and GetHashCode of its own
  kLinq,
  kLogFormatting,
  kExceptions,
  kFormatting,   // texts made of values
  kDatabase,     // queries: the library that makes them of code, the provider, and a database in the process
  kLocks,        // taking and leaving them, without waiting
  kBoxing,       // allocating, where own code boxes a value
  kLargeMemory,  // page faults of memory that is touched for the first time
  kCount,
};

struct UseTotals {
  Use use = Use::kCount;
  uint64_t periods = 0;
  uint32_t most_by = 0;  // index into functions: the own method below which most of it is; 0: none is above it
  uint64_t by_it = 0;
};

// Samples by what they are used for, counted between the leaf and the own method nearest to it: of several uses there,
// to the outermost, but what it calls back of a package is not it, and making a pattern is not matching it. What
// packages use by themselves is left out, and what frameworks reflect on, as nobody can change that by changing own
// code. Page faults are those of the kernel's share (category.h), not of allocating or collecting; nothing is Oriel's.
// In the order of Use; those without samples too.
std::vector<UseTotals> uses(const Profile& profile);
// What samples of one use come to, by the own function nearest; 0: none is.
UseTotals use_totals(Use use, const std::map<uint32_t, uint64_t>& by_own);
// Those of one use, by node.
std::vector<uint64_t> periods_of_use(Use use, const Profile& profile);

}  // namespace oriel::profile
