// Categories of samples: whose code ran, or what the runtime did.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profile/profile.h"

namespace oriel::profile {

enum class Category : uint8_t {
  kOwn,         // the program's own code
  kPackage,     // the program's libraries
  kFramework,   // part of .NET, managed or native
  kGenerated,   // generated at run time: dynamic methods, regular expressions, serializers
  kJit,         // the JIT compiler, with all that it calls
  kPgo,         // PGO instrumentation (tier-1 instrumented code)
  kTiering,     // call counting, and selecting methods for recompilation
  kTypes,       // preparing methods for their first call: type loading, binding of calls
  kLookups,     // lookups in generic dictionaries and of static fields
  kLocks,       // acquiring and releasing locks, without waiting for them
  kCasts,       // casts and write barriers
  kStubs,       // thunks and stubs between calling and called methods
  kAllocation,  // the slow path through the runtime, when the thread's allocation context is used up
  kGc,          // the garbage collector, on its threads or the program's
  kExceptions,  // throwing and unwinding
  kSuspension,  // suspending the program's threads for reasons other than collections
  kStart,       // startup of the runtime, and of the main thread up to own code
  kWaiting,     // off CPU, in samples of real time
  kKernel,      // system calls, except in the runtime's work listed above
  kOriel,       // probes, and other work of Oriel on the program's threads
  kGuest,       // another profiler in the process
  kNative,      // any other native library
  kRuntime,     // the runtime, for an unknown purpose
  kUnknown,
};

// By node: the category of its own samples by their functions. For some samples the thread or a pause gives a better
// one (see Purposes).
std::vector<Category> node_categories(const Profile& profile);

// Samples of the program itself, without those in Oriel.
uint64_t program_periods(const Profile& profile);

// By node: the nearest node in own code among the node and its callers; 0 if there is none.
std::vector<uint32_t> nearest_own_nodes(const std::vector<Node>& nodes, const Profile& profile);
// By node: whether it or one of its callers is of a function that `is` one.
template <typename Is>
std::vector<bool> nodes_below(Is is, const Profile& profile) {
  std::vector<bool> below(profile.nodes.size());
  for (size_t i = 1; i < below.size(); ++i)
    below[i] = below[profile.nodes[i].parent] || is(profile.functions[profile.nodes[i].function]);
  return below;
}
// By node of the profile, as a function index.
std::vector<uint32_t> nearest_own(const Profile& profile);

struct Share {
  Category category = Category::kUnknown;
  std::string name;  // of a package, framework or library, without version; for kJit the kind of compilation; for kGc
                     // the phase
  uint64_t periods = 0;
};

// The category of a runtime thread's work, from its name; kUnknown for other threads.
Category category_of_thread(const Thread& thread);

// Whether a function is the program's own. If the log does not say, by name: whatever is not named like .NET's code.
bool is_own(const Function& function, const Profile& profile);

// All samples by category, heaviest first. Work on behalf of another purpose counts to that: system libraries called by
// .NET count to their caller, what the collector calls to the collector.
std::vector<Share> shares(const Profile& profile);

// The purpose of each sample, and of each node by its functions alone. They may differ: threads and pauses are known
// for samples only.
struct Purposes {
  std::vector<Share> all;           // without periods
  std::vector<uint32_t> of_sample;  // index into all
  std::vector<uint32_t> of_node;    // index into all
};
Purposes purposes(const Profile& profile);

struct CategoryTotals {
  Category category = Category::kUnknown;
  uint64_t periods = 0;
  uint32_t most_by = 0;  // index into functions: the own method with most of these samples below it; 0 if none are
                         // below own code
};

// Only categories with samples.
std::vector<CategoryTotals> category_totals(const Profile& profile);

struct OwnTotals {
  uint32_t function = 0;  // index into functions: own code
  uint64_t nearest = 0;   // samples in it and in its library callees (Just My Code)
  uint64_t total = 0;     // samples with the function anywhere in the stack
};

// Own functions by `nearest`, descending. Samples that are not below own code are in none.
std::vector<OwnTotals> own_totals(const Profile& profile);

}  // namespace oriel::profile
