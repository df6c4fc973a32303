// A profile weighed by samples, by logged calls, by allocations or by what of these is still alive.
//
// A weighed profile has stacks and samples like any other, so that code that aggregates or exports samples serves calls
// and allocations too. Profile::unit is the unit of its periods.
#pragma once

#include <span>
#include <string_view>

#include "base/status.h"
#include "profile/profile.h"

namespace oriel::profile {

enum class WeightKind {
  kSamples,
  kCallsTime,  // time of logged calls
  kBytes,      // allocated bytes; a stack ends with the type, below the method that allocates it
  kObjects,
  kAlive,  // bytes of sampled objects that survived at least one full collection; an estimate, like the next two
  kAlive2,
  kAlive10,
};

// A value of --weight, and its line in --help.
struct WeightInfo {
  WeightKind weight;
  const char* name;
  const char* description;
};
std::span<const WeightInfo> weights();

// The weight of that name. The error lists the known names.
Result<WeightKind> parse_weight(std::string_view name);

// Samples if there are any, else calls, else allocations; samples if the log is empty.
WeightKind natural_weight(const Profile& profile);

// An error if the log has no such data; it says how to run the program to record it.
Status check_weight(WeightKind weight, const Profile& profile);

enum class Recursion {
  kAsLogged,
  kFolded,  // as without_recursion (call_edges.h)
};

// The profile weighed by calls or allocations; kSamples returns it unchanged. Errors as check_weight.
Result<Profile> by_weight(WeightKind weight, const Profile& profile, Recursion recursion = Recursion::kAsLogged);

// Bytes of sampled objects that survived so many full collections at least, and were alive when the log ended; by the
// stacks that allocated them, each with the type as innermost frame. node_counts are objects.
Profile by_survival(const Profile& profile, uint32_t full_collections);

}  // namespace oriel::profile
