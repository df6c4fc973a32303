// One profile, weighed in different ways: by samples, or by what the log's calls and allocations add up to.
//
// A weighed profile has stacks and samples as any other, so that whoever aggregates or exports samples can do so with
// calls and allocations too; Profile::unit says what its periods count.
#pragma once

#include <span>
#include <string_view>

#include "base/status.h"
#include "profile/profile.h"

namespace oriel::profile {

enum class Weight {
  kSamples,
  kCallsTime,  // the time of logged calls
  kBytes,      // allocated; a stack ends with the type, below the method whose code allocates it
  kObjects,
};

// What --weight takes, and its one line for --help.
struct WeightInfo {
  Weight weight;
  const char* name;
  const char* description;
};
std::span<const WeightInfo> weights();

// The weight of that name. The error lists the names there are.
Result<Weight> parse_weight(std::string_view name);

// The samples if there are any; else calls, else allocations; samples if the log has nothing.
Weight natural_weight(const Profile& profile);

// An error if the log has nothing of that kind: it says how to run the program so that it has.
Status check_weight(Weight weight, const Profile& profile);

enum class Recursion {
  kAsLogged,
  kFolded,  // as call_edges.h has it without recursion
};

// A profile weighed by calls or allocations; by samples a profile is weighed as it is. The errors of check_weight.
Result<Profile> by_weight(Weight weight, const Profile& profile, Recursion recursion = Recursion::kAsLogged);

}  // namespace oriel::profile
