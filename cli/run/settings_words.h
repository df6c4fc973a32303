// Settings of a file as words of a command line.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"

namespace oriel::cli {

// Adds to the options of `oriel run` what the file of --config, or of ORIEL_CONFIG, says: words are "run" and the
// options as typed. An option that was typed is as typed, whatever the file says. Errors name the file.
Status add_settings(std::vector<std::string>& words);

}  // namespace oriel::cli
