// Library uses that are known to be expensive, and the own methods that make them.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "profile/profile.h"

namespace oriel::profile {

enum class Use : uint8_t {
  kRegexMaking,  // parsing and compiling patterns
  kRegexMatching,
  kJsonMetadata,  // a serializer's type metadata, cached in its options
  kReflection,
  kConcatenation,  // of strings
  kCulture,        // culture-sensitive text comparison
  kEquality,       // of values whose type does not override Equals and GetHashCode
  kLinq,
  kLogFormatting,
  kExceptions,
  kFormatting,   // values to text
  kDatabase,     // queries: translation from LINQ, the provider, an in-process database
  kLocks,        // acquiring and releasing, without waiting
  kBoxing,       // allocation where own code boxes a value
  kLargeMemory,  // page faults of memory that is touched for the first time
  kCount,
};

struct UseTotals {
  Use use = Use::kCount;
  uint64_t periods = 0;
  uint32_t most_by = 0;  // index into functions: the own method with most of these samples below it; 0 if none are
                         // below own code
  uint64_t by_it = 0;
};

// Samples by use, in the order of Use; also uses without samples. The use is that of the outermost function with one
// between the leaf and the nearest own method. Callbacks into packages are not part of it, and pattern construction is
// not part of matching. Left out is what own code cannot change: uses by packages on their own, and reflection by
// frameworks. Page faults are those in the kernel category (category.h), not in allocation or GC. Oriel's samples are
// left out.
std::vector<UseTotals> uses(const Profile& profile);
// The totals of one use from its periods by nearest own function (0: none).
UseTotals use_totals(Use use, const std::map<uint32_t, uint64_t>& by_own);
// Periods of one use, by node.
std::vector<uint64_t> periods_of_use(Use use, const Profile& profile);

}  // namespace oriel::profile
