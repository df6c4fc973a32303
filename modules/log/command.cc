// The log module on the command line of `oriel run`.
#include "module/command.h"

#include "options.h"

namespace oriel::logging {
namespace {

constexpr modules::Option kOptions[] = {
    {.name = "--sample",
     .takes = "hz",
     .sets = "sample=process",
     .values = "HZ",
     .help = "Sample each thread HZ times a second of its CPU time, and look at threads that wait now and then"},
    {.name = "--sample-real",
     .takes = "hz",
     .sets = "sample=real",
     .values = "HZ",
     .help = "Sample all threads HZ times a second of real time, also those that wait"},
    {.name = "--no-waits", .sets = "sample=cpu", .help = "Do not look at threads that wait: sample CPU time only"},
    {.name = "--no-sample", .sets = "sample=none", .help = "Take no samples: only events"},
    {.name = "--calls",
     .takes = "calls",
     .values = "PATTERNS",
     .help = "Log each call of the methods that PATTERNS name: 'MyApp.*,!*.ToString' (default: user code, which is all "
             "but the .NET installation's). Where that is much, --callgraph is the smaller answer. Of async methods "
             "and iterators each resumption is a call",
     .is_instrumentation = true},
    {.name = "--calls-trivial",
     .takes = "trivial",
     .help =
         "With --calls and --callgraph: also methods that only return or set a field, return a constant, or call one "
         "other method of their assembly; else they are left out where no pattern names just them",
     .is_instrumentation = true},
    {.name = "--async",
     .takes = "async",
     .values = "PATTERNS",
     .help =
         "Log when each async method that PATTERNS name begins, waits, goes on and ends (default: user code): `oriel "
         "report async` says what was awaited, for how long, and what never came",
     .is_instrumentation = true},
    {.name = "--alloc",
     .takes = "alloc",
     .values = "exact|sampled",
     .help = "exact: log each object that is allocated, with its class, size and site (default); sampled: log one in "
             "about 100 KiB, with its stack, for far less time",
     .is_instrumentation = true},
    {.name = "--alloc-in",
     .takes = "alloc-in",
     .values = "PATTERNS",
     .help = "Only objects that the code of these methods allocates (without PATTERNS: user code; without this option: "
             "all code); what new string(…), Activator, Clone and new T() give is allocated by the core library's "
             "code, and not among them",
     .is_instrumentation = true},
    {.name = "--alloc-stacks",
     .takes = "alloc-stacks",
     .help = "With --alloc: log each object with the stack that it was allocated on, for about 0.3 us an object "
             "(--alloc=sampled has stacks anyway)",
     .is_instrumentation = true},
    {.name = "--gc-phases",
     .takes = "gc-phases",
     .help = "Log from the start how long each collection took to mark (and from which roots), plan, move objects and "
             "sweep, why it began, what survived and what room it left: else from when collections have stopped the "
             "program for 100 ms in all, as the runtime takes some 25 ms once to begin telling that"},
    {.name = "--locks",
     .takes = "locks",
     .help = "Log waits for locks from the start: else from the first one on that a sample meets, as the runtime takes "
             "some 30 ms once to begin telling of them"},
    {.name = "--counters",
     .takes = "counters",
     .values = "METERS",
     .help = "Log once a second what these meters and event counters tell, such as 'Microsoft.AspNetCore.*' (default: "
             "System.Runtime, the runtime's own): `oriel report counters` shows them over time"},
    {.name = "--activities",
     .takes = "activities",
     .values = "SOURCES",
     .help =
         "Log the activities of these sources, by their whole names (default: all): requests, what they ask of others, "
         "database commands; "
         "`oriel report requests` says what the slowest did. HttpClient adds a traceparent header then"},
    {.name = "--no-messages",
     .takes = "no-messages",
     .help = "Leave out the messages of exceptions, of which the log else has the first three different ones of each "
             "type: they may hold what is private"},
    {.name = "--inlining",
     .takes = "inlining",
     .values = "keep|block",
     .help = "keep: the JIT compiler inlines as ever, and logged methods are logged all the same (default); block: it "
             "inlines none of them",
     .is_instrumentation = true},
};

Status check(const modules::Arguments& given) {
  const auto options = options_of(given);
  return options ? Status::ok() : options.status();
}

}  // namespace
}  // namespace oriel::logging

extern const oriel::modules::Command command_of_log = {
    .name = "log",
    .arguments = oriel::logging::kArguments,
    .options = oriel::logging::kOptions,
    .check = oriel::logging::check,
    .file_ending = ".oriel",
    .shown_by = "report",
};
