// The callgraph module's arguments: "calls=PATTERNS,alloc,inlining=block,out=PATH".
#pragma once

#include <string>

#include "base/patterns.h"
#include "base/status.h"

namespace oriel::callgraph {

struct Options {
  std::string out;       // expanded: no %p or %n left
  MethodPatterns calls;  // of which methods
  bool allocations = false;
  bool block_inlining = false;
};

// Reads the arguments. In `calls` the patterns (base/patterns.h) are joined by '|', as a comma ends an argument.
// `out` takes the rest of the text; in it %p is the process id, %n the program's name, %% a percent sign. Without it
// the file is %n-%p.callgraph.oriel in the working directory.
Result<Options> parse_options(const std::string& args);

}  // namespace oriel::callgraph
