#include "instrumentation.h"

#include <fmt/format.h>

#include "base/patterns.h"

namespace oriel::cli {
namespace {

constexpr const char* kGroup = "Calls and allocations";

// "=A|B" for patterns, "" for none: user code.
Result<std::string> patterns_argument(const std::string& option, const std::string& given) {
  const Result<MethodPatterns> patterns = MethodPatterns::parse(given);
  if (!patterns) return Status::error(option + ": " + patterns.message());
  const std::string text = patterns->text();
  return text.empty() ? text : "=" + text;
}

}  // namespace

void add_instrumentation_options(CLI::App& command, InstrumentationOptions& options) {
  // A lone '|' is an empty list of patterns.
  command
      .add_flag("--calls{|}", options.calls,
                "Log each call of the methods that PATTERNS name: 'MyApp.*,!*.ToString' (default: user code, which is "
                "all but the framework)")
      ->type_name("PATTERNS")
      ->group(kGroup);
  command.add_flag("--alloc{exact}", options.alloc, "Log each object that is allocated: its class, size and site")
      ->type_name("exact")
      ->group(kGroup);
  command.add_option("--alloc-in", options.alloc_in, "Only objects that these methods allocate (default: all code)")
      ->type_name("PATTERNS")
      ->group(kGroup);
  command
      .add_option("--inlining", options.inlining,
                  "keep: the JIT compiler inlines as ever, and logged methods are logged all the same (default); "
                  "block: it inlines none of them")
      ->type_name("keep|block")
      ->group(kGroup);
}

Result<std::string> instrumentation_arguments(const InstrumentationOptions& options) {
  std::string arguments;
  if (!options.calls.empty()) {
    const Result<std::string> patterns = patterns_argument("--calls", options.calls);
    if (!patterns) return patterns.status();
    arguments += ",calls" + *patterns;
  }
  if (!options.alloc.empty() && options.alloc != "exact") {
    return Status::error(options.alloc == "sampled"
                             ? "--alloc=sampled is not there yet; use --alloc, which logs each object"
                             : fmt::format("--alloc={} is unknown; use --alloc=exact", options.alloc));
  }
  if (!options.alloc_in.empty()) {
    const Result<std::string> patterns = patterns_argument("--alloc-in", options.alloc_in);
    if (!patterns) return patterns.status();
    arguments += ",alloc-in" + *patterns;
  } else if (!options.alloc.empty()) {
    arguments += ",alloc";
  }
  if (options.inlining.empty()) return arguments;
  if (options.inlining != "keep" && options.inlining != "block") {
    return Status::error(fmt::format("--inlining={} is unknown; use keep or block", options.inlining));
  }
  return arguments + ",inlining=" + options.inlining;
}

}  // namespace oriel::cli
