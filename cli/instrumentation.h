// What `oriel run` is asked about calls and allocations, for the log module.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "base/status.h"

namespace oriel::cli {

struct InstrumentationOptions {
  std::string calls;  // patterns, of each --calls a line; "" if calls are not wanted
  std::string alloc;  // "exact", "sampled"; "" if allocations are not wanted
  std::string alloc_in;
  std::string inlining;
  bool alloc_stacks = false;
};

void add_instrumentation_options(CLI::App& command, InstrumentationOptions& options);

// What an option that may be repeated was given in all, a line each, as text of base/patterns: "" if it stands without
// patterns, for which its value is `alone`. The message names the option and what is wrong with it.
Result<std::string> joined_patterns(const std::string& option, const std::string& given, const std::string& alone);

// The log module's arguments, each with a ',' before it. The message names the option and what is wrong with it.
Result<std::string> instrumentation_arguments(const InstrumentationOptions& options);

}  // namespace oriel::cli
