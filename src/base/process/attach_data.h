// What `oriel attach` passes to the engine in a running program, through the runtime's request to attach a profiler:
// entries "NAME=VALUE", each ended by a NUL, under the names by which `oriel run` passes the same in the environment.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace oriel {

struct AttachData {
  // ORIEL_CHANGES_CODE=1: the engine may change the program's code, for which the runtime keeps it for good.
  bool changes_code = false;
  std::string profilers;  // ORIEL_PROFILERS: the modules to start, "NAME:ARGS" joined by ';'
};

std::string attach_text(const AttachData& data);

// Any bytes are allowed. The error names what is missing or unknown.
Result<AttachData> parse_attach_data(std::string_view text);

}  // namespace oriel
