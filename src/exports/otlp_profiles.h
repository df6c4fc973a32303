// Profiles as OTLP's messages, for what writes them and for what sends them to a server. A file has the
// same message as a request: OTLP's ProfilesData has its fields.
#pragma once

#include <span>
#include <string>
#include <utility>

#include "base/status.h"
#include "exports/pprof_profile.h"

namespace oriel::exports {

using OtlpAttribute = std::pair<std::string, std::string>;  // name and value

// All profiles with one set of tables, serialized. `resource` says what they are of. Of a profile with samples and
// their time, the samples are in it, and the period says the time. An error if it is too large.
Result<std::string> pack_otlp(std::span<const OtlpAttribute> resource, std::span<const pprof::Profile> profiles);

}  // namespace oriel::exports
