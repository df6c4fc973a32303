// The callgraph module's arguments: "calls=PATTERNS,alloc,inlining=block,out=PATH".
#pragma once

#include <span>
#include <string>

#include "base/status.h"
#include "base/text/patterns.h"
#include "module/arguments.h"

namespace oriel::callgraph {

struct Options {
  std::string out = "%n-%p.callgraph.oriel";  // a template (base/files/file_template.h)
  MethodPatterns calls;                       // the selected methods
  bool trivial = false;                       // including getters and the like
  bool allocations = false;
  bool block_inlining = false;
};

// calls[=PATTERNS], trivial, alloc, inlining=keep|block, out=PATH (in the working directory).
extern const std::span<const modules::Argument> kArguments;

// Converts parsed arguments.
Result<Options> options_of(const modules::Arguments& given);
// Parses a module's text.
Result<Options> parse_options(const std::string& args);

}  // namespace oriel::callgraph
