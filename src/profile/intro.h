// What a log's intro tells beyond its fields.
#pragma once

#include <string>
#include <string_view>

#include "log/format.h"

namespace oriel::profile {

// A property's value, or nullptr.
const std::string* property(const log::Intro& intro, std::string_view name);

// Nanoseconds a count, guessed from the kind of counter: for logs that end before any time has passed in them.
double fallback_rate(const log::Intro& intro);

}  // namespace oriel::profile
