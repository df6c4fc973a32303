// The log module's arguments: "sample=process,hz=250,events=gc+jit,out=PATH".
#pragma once

#include <bitset>
#include <cstdint>
#include <string>

#include "base/status.h"
#include "oriel/oriel.h"

namespace oriel::logging {

struct Options {
  std::string out;  // expanded: no %p or %n left
  oriel_sample_mode sample_mode = ORIEL_SAMPLE_PROCESS;
  uint32_t hz = 250;
  std::bitset<256> events;  // by number in events.def
};

// Reads the arguments. `out` takes the rest of the text, so that a path may contain commas; in it %p is the process id,
// %n the program's name, %% a percent sign. Without out the file is %n-%p.oriel in the working directory.
Result<Options> parse_options(const std::string& args);

}  // namespace oriel::logging
