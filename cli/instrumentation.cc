#include "instrumentation.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/patterns.h"

namespace oriel::cli {
namespace {

constexpr const char* kGroup = "Calls and allocations";

// "=A|B" for patterns, "" for none: user code.
Result<std::string> patterns_argument(const std::string& option, const std::string& given) {
  const Result<std::string> text = joined_patterns(option, given, "|");
  return text && !text->empty() ? "=" + *text : text;
}

}  // namespace

Result<std::string> joined_patterns(const std::string& option, const std::string& given, const std::string& alone) {
  std::string list;
  bool any_alone = false;
  for (size_t at = 0; at <= given.size();) {
    const size_t end = std::min(given.find('\n', at), given.size());
    const std::string one = given.substr(at, end - at);
    any_alone = any_alone || one == alone;
    if (one != alone) list += (list.empty() ? "" : ",") + one;
    at = end + 1;
  }
  const Result<MethodPatterns> patterns = MethodPatterns::parse(list);
  if (!patterns) return Status::error(option + ": " + patterns.message());
  const std::string text = patterns->text();
  if (any_alone && !text.empty() && text.front() != '!') {
    return Status::error(option + " is given without patterns, which means user code, and with some; decide for one");
  }
  return text;
}

void add_instrumentation_options(CLI::App& command, InstrumentationOptions& options) {
  // A lone '|' is an empty list of patterns.
  command
      .add_flag("--calls{|}", options.calls,
                "Log each call of the methods that PATTERNS name: 'MyApp.*,!*.ToString' (default: user code, which is "
                "all but the .NET installation's). Where that is much, --callgraph is the smaller answer. Of async "
                "methods and iterators each resumption is a call")
      ->type_name("PATTERNS")
      ->join()
      ->group(kGroup);
  command
      .add_flag("--alloc{exact}", options.alloc,
                "exact: log each object that is allocated, with its class, size and site (default); sampled: log one "
                "in about 100 KiB, with its stack, for far less time")
      ->type_name("exact|sampled")
      ->group(kGroup);
  command
      .add_flag("--alloc-in{|}", options.alloc_in,
                "Only objects that the code of these methods allocates (without PATTERNS: user code; without this "
                "option: all code); what new string(…), Activator, Clone and new T() give is allocated by the core "
                "library's code, and not among them")
      ->type_name("PATTERNS")
      ->join()
      ->group(kGroup);
  command
      .add_flag("--alloc-stacks", options.alloc_stacks,
                "With --alloc: log each object with the stack that it was allocated on, for about 0.3 us an object "
                "(--alloc=sampled has stacks anyway)")
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
  if (!options.alloc.empty() && options.alloc != "exact" && options.alloc != "sampled")
    return Status::error(fmt::format("--alloc={} is unknown; use exact or sampled", options.alloc));
  const bool sampled = options.alloc == "sampled";
  if (sampled && !options.alloc_in.empty())
    return Status::error("--alloc=sampled is about the allocations of all code; leave it out, or --alloc-in");
  if (!options.alloc_in.empty()) {
    const Result<std::string> patterns = patterns_argument("--alloc-in", options.alloc_in);
    if (!patterns) return patterns.status();
    arguments += ",alloc-in" + *patterns;
  } else if (!options.alloc.empty()) {
    arguments += sampled ? ",alloc=sampled" : ",alloc";
  }
  if (options.alloc_stacks) {
    if (options.alloc.empty() && options.alloc_in.empty())
      return Status::error("--alloc-stacks is about logged objects; give --alloc or --alloc-in too");
    arguments += ",alloc-stacks";
  }
  if (options.inlining.empty()) return arguments;
  if (options.inlining != "keep" && options.inlining != "block") {
    return Status::error(fmt::format("--inlining={} is unknown; use keep or block", options.inlining));
  }
  return arguments + ",inlining=" + options.inlining;
}

}  // namespace oriel::cli
