// Makes a file of version 1 of the format of a log, for readers that know no other. What version 1 cannot say is left
// out and counted.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/status.h"
#include "log/decoder.h"

namespace oriel::log {

struct LeftOut {
  uint64_t count = 0;
  std::string one, many;  // "sample without a stack", "samples without a stack"
};

struct Version1Outcome {
  DecodeOutcome log;    // of what was read
  uint64_t events = 0;  // in the file, with calls and allocations
  uint64_t hits = 0;    // in the file: a sample is a hit for each of its periods
  std::vector<LeftOut> left_out;
};

// Goes through the log once and writes as it reads. `to` is complete or not there. Errors name the path.
Result<Version1Outcome> write_version1(const std::string& log, const std::string& to,
                                       const std::function<void(uint64_t, uint64_t)>& progress = {});

}  // namespace oriel::log
