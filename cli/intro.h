// Reads the intro of a log, which identifies it.
#pragma once

#include <optional>
#include <string>

#include "log/format.h"

namespace oriel::cli {

// The intro of a file; nullopt if it is not a log, cannot be read or is still empty.
std::optional<log::Intro> read_intro(const std::string& file);

}  // namespace oriel::cli
