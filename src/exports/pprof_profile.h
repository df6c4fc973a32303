// A profile as pprof's messages (pprof.proto), for what writes them and for what sends them elsewhere.
#pragma once

#include <string>

#include "base/status.h"
#include "pprof.pb.h"
#include "profile/profile.h"

namespace oriel::exports {

// Samples are summed by thread and stack, with labels "thread" and "tid". The time and the duration are those of the
// filter that was applied. An error if the profile is damaged.
Result<pprof::Profile> make_pprof(const profile::Profile& profile);

// The message as a file of pprof is: serialized and gzipped. Errors: too large for the format, no memory.
Result<std::string> pack_pprof(const pprof::Profile& profile);

}  // namespace oriel::exports
