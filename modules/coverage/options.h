// The coverage module's options: "output=PATH,mode=count,per-test,include=PATTERNS,exclude=PATTERNS".
#pragma once

#include <string>

#include "base/status.h"
#include "base/text/patterns.h"
#include "modules/options.h"

namespace oriel::coverage_module {

struct Options : modules::GivenOptions {
  bool counts = false;  // how often code ran, not only whether it did
  bool per_test = false;
  MethodPatterns include, exclude;  // as given
  std::string out = "%n-%p.oriel";  // a template (base/files/file_template.h)
  MethodPatterns methods;           // what `exclude` means is taken away from what `include` means
};

// output=PATH, mode=hit|count, per-test, include=PATTERNS (default: user code), exclude=PATTERNS; in any order.
extern const modules::OptionTable kTable;

Result<Options> parse_options(const std::string& text);

}  // namespace oriel::coverage_module
