// The coverage module's arguments: "output=PATH,mode=count,per-test,include=PATTERNS,exclude=PATTERNS".
#pragma once

#include <string>

#include "base/status.h"
#include "base/text/patterns.h"

namespace oriel::covering {

struct Options {
  std::string out = "%n-%p.oriel";  // a template (base/files/file_template.h)
  bool counts = false;
  bool per_test = false;
  MethodPatterns methods;
};

// output=PATH, mode=hit|count, per-test, include=PATTERNS (default: user code), exclude=PATTERNS; in any order.
Result<Options> parse_options(const std::string& args);

}  // namespace oriel::covering
