#include "options.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "modules/command.h"

namespace oriel::coverage_module {
namespace {

using modules::Change;
using modules::in;
using modules::Option;
using modules::OptionKind;
using modules::OptionReader;

constexpr Option kRows[] = {
    {.name = "include",
     .value = in<OptionKind::kPatterns, &Options::include>(),
     .change = Change::kWhileRunning,
     .option = "--coverage",
     .values = "PATTERNS",
     .help = "Record which of the code that matches PATTERNS (default: your own code) runs from now on. Given alone, "
             "nothing else is recorded and -o names its file; with other options it goes to NAME.coverage.oriel "
             "beside the log"},
    {.name = "mode",
     .value = in<OptionKind::kChoice, &Options::counts>(),
     .words = "hit|count",
     .option = "--coverage-mode",
     .values = "hit|count",
     .help = "With --coverage: whether code ran (default), or how often"},
    {.name = "per-test", .value = in<OptionKind::kFlag, &Options::per_test>()},
    {.name = "exclude", .value = in<OptionKind::kPatterns, &Options::exclude>(), .change = Change::kWhileRunning},
    {.name = "output", .value = in<OptionKind::kFile, &Options::out>()},
};

// A file's path extends to the end of the text, so it is moved after the other arguments.
std::string with_file_last(const std::string& args) {
  constexpr std::string_view kFile = "output=";
  const size_t begin = args.starts_with(kFile) ? 0 : args.find("," + std::string(kFile));
  if (begin == std::string::npos) return args;
  size_t end = args.size();
  for (const Option& next : kRows) {
    const std::string start = "," + std::string(next.name) + (next.value.kind == OptionKind::kFlag ? "" : "=");
    if (next.value.kind != OptionKind::kFile) end = std::min(end, args.find(start, begin + kFile.size()));
  }
  const std::string file = args.substr(begin, end - begin);
  return args.substr(0, begin) + args.substr(end) + (begin == 0 ? "," : "") + file;
}

Status check(modules::GivenOptions& options, const OptionReader& read) {
  if (read.of_command_line() && read.is_given("mode") && !read.is_given("include"))
    return Status::error(read.said("mode") + " needs coverage; give " + read.name("include") + " too");
  const std::string excluded = static_cast<Options&>(options).exclude.text();
  if (excluded.find('!') == std::string::npos) return Status::ok();
  return Status::error(read.said("exclude") + "=" + excluded +
                       ": a '!' would exclude from the exclusion; use include=");
}

}  // namespace

constexpr modules::OptionTable kTable = {"coverage", kRows};

Result<Options> parse_options(const std::string& text) {
  Options options;
  OptionReader read(kTable, options);
  if (Status status = read.read(with_file_last(text)); !status) return status;
  if (Status status = check(options, read); !status) return status;
  options.methods.add(std::move(options.include));
  options.methods.take_away(std::move(options.exclude));
  return options;
}

}  // namespace oriel::coverage_module

extern const oriel::modules::Command command_of_coverage = {
    .table = oriel::coverage_module::kTable,
    .make = oriel::modules::make_options<oriel::coverage_module::Options>,
    .check = oriel::coverage_module::check,
    .of = oriel::modules::Command::Of::kCover,
    .asked_by = "include",
    .counts_each = true,
    .file_ending = ".coverage.oriel",
    .shown_by = "report coverage",
};
