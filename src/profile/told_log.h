// A log that somebody told a builder, as a profile: one that is no file.
#pragma once

#include <string>

#include "profile/build/builder.h"
#include "profile/profile.h"

namespace oriel::profile {

// `name` stands for the log's file. The builder must not be used afterwards.
Profile profile_of(Builder& builder, const log::DecodeOutcome& outcome, const std::string& name);

}  // namespace oriel::profile
