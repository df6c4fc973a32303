// The callgraph module's options of `oriel run`.
#include "module/command.h"

#include "options.h"

namespace oriel::callgraph {
namespace {

constexpr modules::Option kOptions[] = {
    {.name = "--callgraph",
     .takes = "calls",
     .values = "PATTERNS",
     .help = "Count the calls of the methods that PATTERNS mean (default: your own code), their times and callers, "
             "without logging each. Alone it is all that is done, and -o names its file; with other options it goes to "
             "NAME.callgraph.oriel beside the log"},
    {.name = "--callgraph-alloc",
     .takes = "alloc",
     .help = "With --callgraph: count the objects that each call path allocates, by type"},
    {.name = "--calls-trivial", .takes = "trivial", .is_instrumentation = true},
    {.name = "--inlining", .takes = "inlining", .values = "keep|block", .is_instrumentation = true},
};

Status check(const modules::Arguments& given) {
  const size_t calls = given.row_of("calls"), alloc = given.row_of("alloc");
  if (given.has_options() && given.given(alloc) && !given.given(calls))
    return Status::error(given.said(alloc) + " counts with a call graph; give " + given.name(calls) + " too");
  const auto options = options_of(given);
  return options ? Status::ok() : options.status();
}

}  // namespace
}  // namespace oriel::callgraph

extern const oriel::modules::Command command_of_callgraph = {
    .name = "callgraph",
    .arguments = oriel::callgraph::kArguments,
    .options = oriel::callgraph::kOptions,
    .check = oriel::callgraph::check,
    .asked_by = "calls",
    .file_ending = ".callgraph.oriel",
    .shown_by = "report callgraph",
};
