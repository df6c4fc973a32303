// The man page: docs/oriel.1.in, with what the definitions of commands, reports and formats say already filled in.
//
// Lines of the source that begin with '@' are instructions, the others belong to the page. `@options run` stands for
// the options of `oriel run` with their help, `@reports` and the like for the entries of a list. What the page says
// beyond the help follows, below the names of options or entries, up to `@end`:
//
//   @options run
//   @about --sample
//   HZ is at most 10000.
//   @end
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "base/status.h"

namespace oriel::cli {

// The page in man's format. The error names the line of an instruction that fits nothing in `app`.
Result<std::string> manual_page(const std::string& source, const CLI::App& app);

}  // namespace oriel::cli
