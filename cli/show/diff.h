// oriel report diff: compares two versions of a program.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "profile/profile.h"
#include "report/report.h"

namespace oriel::cli {

// `words` name the two sides: none (the two newest runs here), one (compared with the newest run here), two logs or
// folders of logs, or any number with "vs" between. Logs of one run are merged; several runs of a side show the
// variance between runs.
Status write_diff(const std::vector<std::string>& words, const profile::Filter& filter, const report::Options& options);

}  // namespace oriel::cli
