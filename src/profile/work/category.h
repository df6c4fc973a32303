// What the time of samples was for: whose code ran, or what the runtime did.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profile/profile.h"

namespace oriel::profile {

enum class Category : uint8_t {
  kOwn,         // the program's own code
  kPackage,     // a library's of its
  kFramework,   // comes with .NET, managed or not
  kGenerated,   // made at run time: dynamic methods, regular expressions, serializers
  kJit,         // the JIT compiler, and all that it calls
  kPgo,         // counting for dynamic PGO, in code that is to be compiled again
  kTiering,     // counting calls, and choosing what is compiled again
  kTypes,       // methods prepared for their first call: types loaded, calls bound
  kLookups,     // slots of generic dictionaries and static fields
  kLocks,       // taking and leaving locks, without waiting for them
  kCasts,       // casts and write barriers
  kStubs,       // thunks and stubs between calling and called methods
  kAllocation,  // by way of the runtime, where the thread's own piece of the heap is used up
  kGc,          // the garbage collector, on its threads or the program's
  kExceptions,  // throwing, unwinding
  kSuspension,  // stopping the program's threads for other reasons
  kStart,       // of the runtime, and of the program's main thread until its own code
  kWaiting,     // without a processor, where samples are of real time
  kKernel,      // system calls, but for those of the runtime's own work above
  kOriel,       // probes, and what else is done on the program's threads
  kGuest,       // another profiler in the process
  kNative,      // a library that is none of these
  kRuntime,     // the runtime, no telling for what
  kUnknown,
};

// By node: what its own samples are for, as its functions tell; of some the thread or a pause tells better.
std::vector<Category> node_categories(const Profile& profile);

// Samples of the program itself: all but those in Oriel.
uint64_t program_periods(const Profile& profile);

// By node: the nearest of own code, the node itself or one of its callers; 0 if there is none.
std::vector<uint32_t> nearest_own_nodes(const std::vector<Node>& nodes, const Profile& profile);
// The same of the profile's nodes, as the function's index.
std::vector<uint32_t> nearest_own(const Profile& profile);

struct Share {
  Category category = Category::kUnknown;
  std::string name;  // of a package, framework or library, without version; of the JIT compiler's: which compilations;
                     // of the collector's: which phase
  uint64_t periods = 0;
};

// What a thread of the runtime's is there for, by its name; kUnknown of all others.
Category category_of_thread(const Thread& thread);

// Whether a function is the program's own. In a log that does not say so, by name: whatever is not named as .NET is.
bool is_own(const Function& function, const Profile& profile);

// All samples, by what they are for; most first. What serves another purpose counts to that: native code of the
// system's libraries to its caller, unless that is no part of .NET, what the collector calls to the collector.
std::vector<Share> shares(const Profile& profile);

// What each sample is for, and what each node would be: threads and pauses, which only samples tell, may have another
// answer for a node's samples than its functions have.
struct Purposes {
  std::vector<Share> all;           // without periods
  std::vector<uint32_t> of_sample;  // index into all
  std::vector<uint32_t> of_node;    // likewise
};
Purposes purposes(const Profile& profile);

struct CategoryTotals {
  Category category = Category::kUnknown;
  uint64_t periods = 0;
  uint32_t most_by = 0;  // index into functions: the own method below which most of it is; 0: none is above any of it
};

// Those that have samples.
std::vector<CategoryTotals> category_totals(const Profile& profile);

struct OwnTotals {
  uint32_t function = 0;  // index into functions: own code
  uint64_t nearest = 0;   // samples in it, and in what is not own code and was called by it
  uint64_t total = 0;     // with the function anywhere in the stack
};

// Own functions, most `nearest` first. Samples below no own function are in none.
std::vector<OwnTotals> own_totals(const Profile& profile);

}  // namespace oriel::profile
