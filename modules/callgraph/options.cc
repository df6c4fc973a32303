#include "options.h"

#include "modules/command.h"

namespace oriel::callgraph_module {
namespace {

using modules::Change;
using modules::in;
using modules::Option;
using modules::OptionKind;
using modules::OptionReader;

constexpr Option kRows[] = {
    {.name = "calls",
     .value = in<OptionKind::kPatterns, &Options::calls>(),
     .change = Change::kWhileRunning,
     .option = "--callgraph",
     .values = "PATTERNS",
     .help = "Count the calls of the methods that match PATTERNS (default: your own code), their times and callers, "
             "without logging each. Given alone, nothing else is recorded and -o names its file; with other options it "
             "goes to NAME.callgraph.oriel beside the log"},
    {.name = "trivial",
     .value = in<OptionKind::kFlag, &Options::trivial>(),
     .change = Change::kWhileRunning,
     .option = "--calls-trivial",
     .is_instrumentation = true},
    {.name = "alloc",
     .value = in<OptionKind::kFlag, &Options::allocations>(),
     .change = Change::kWhileRunning,
     .note = "it counts every object",
     .option = "--callgraph-alloc",
     .help = "With --callgraph: count the objects that each call path allocates, by type"},
    {.name = "inlining",
     .value = in<OptionKind::kChoice, &Options::block_inlining>(),
     .change = Change::kWhileRunning,
     .words = "keep|block",
     .option = "--inlining",
     .values = "keep|block",
     .is_instrumentation = true},
    {.name = "out", .value = in<OptionKind::kFile, &Options::out>()},
};

Status check(modules::GivenOptions&, const OptionReader& read) {
  if (read.of_command_line() && read.is_given("alloc") && !read.is_given("calls"))
    return Status::error(read.said("alloc") + " needs a call graph; give " + read.name("calls") + " too");
  return Status::ok();
}

}  // namespace

constexpr modules::OptionTable kTable = {"callgraph", kRows};

Result<Options> parse_options(const std::string& text) {
  Options options;
  OptionReader read(kTable, options);
  if (Status status = read.read(text); !status) return status;
  return options;
}

}  // namespace oriel::callgraph_module

extern const oriel::modules::Command command_of_callgraph = {
    .table = oriel::callgraph_module::kTable,
    .make = oriel::modules::make_options<oriel::callgraph_module::Options>,
    .check = oriel::callgraph_module::check,
    .asked_by = "calls",
    .counts_each = true,
    .file_ending = ".callgraph.oriel",
    .shown_by = "report callgraph",
};
