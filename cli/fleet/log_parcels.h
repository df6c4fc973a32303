// What is sent of a log.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "profile/profile.h"
#include "profile/trees/weight.h"
#include "push/labels.h"
#include "push/parcel.h"
#include "push/server.h"

namespace oriel::cli {

struct LogParcels {
  std::vector<push::Parcel> parcels;  // none: the profile has nothing of these weights
  std::string contents;               // "samples, bytes"
  size_t bytes = 0;
};

// The weights that are sent where none is asked for: what the log has of samples and of allocated bytes, or else its
// calls.
std::vector<profile::WeightKind> usual_weights(const profile::Profile& profile);

// A parcel for each weight, or for all together, as the server takes them. Errors: the profile has no data of a weight,
// or is too large.
Result<LogParcels> parcels_of(const profile::Profile& profile, const std::vector<profile::WeightKind>& weights,
                              const push::Server& server, const push::Identity& identity);

}  // namespace oriel::cli
