// oriel report diff: two versions of a program compared.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "profile/profile.h"
#include "report/report.h"

namespace oriel::cli {

// `words` name both sides: none (the two newest runs here), one (with which to compare the newest run here), two logs
// or folders of logs, or any number with "vs" between. On each side logs of one run are added up, and several runs tell
// how much runs differ.
Status write_diff(const std::vector<std::string>& words, const profile::Filter& filter, const report::Options& options);

}  // namespace oriel::cli
