// The beginning of a log, which tells what it is.
#pragma once

#include <optional>
#include <string>

#include "log/format.h"

namespace oriel::cli {

// The intro of a file; none if it is no log, cannot be read or holds nothing yet.
std::optional<log::Intro> read_intro(const std::string& file);

}  // namespace oriel::cli
