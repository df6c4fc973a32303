// The callgraph module's options: "calls=PATTERNS,alloc,inlining=block,out=PATH".
#pragma once

#include <string>

#include "base/status.h"
#include "base/text/patterns.h"
#include "modules/options.h"

namespace oriel::callgraph_module {

struct Options : modules::GivenOptions {
  MethodPatterns calls;  // of which methods
  bool trivial = false;  // getters and the like too
  bool allocations = false;
  bool block_inlining = false;
  std::string out = "%n-%p.callgraph.oriel";  // a template (base/files/file_template.h)
};

// calls[=PATTERNS], trivial, alloc, inlining=keep|block, out=PATH (in the working directory).
extern const modules::OptionTable kTable;

// Those of a module's text.
Result<Options> parse_options(const std::string& text);

}  // namespace oriel::callgraph_module
