// oriel convert: makes a log of another tool's file, or writes a log as version 1 of its format.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/files/input_file.h"
#include "commands.h"
#include "exit_codes.h"
#include "imports/imports.h"
#include "log/version1.h"
#include "log/writer.h"
#include "output_file.h"
#include "report/words/text.h"
#include "report/words/units.h"
#include "show/progress.h"

namespace oriel::cli {
namespace {

struct ConvertOptions {
  std::string in, out;
  std::string to;  // "v1", or empty: as logs are written now
  uint64_t process = 0;
};

constexpr const char* kConvertExamples =
    R"(FILE is recognized by its contents: a .nettrace file (dotnet-trace collect or collect-linux), JSON
for speedscope, text of perf script, or a profile of MoarVM (raku --profile), JSON or SQL. report,
query and export also take such a file as it is.

With --to v1 a log, or such a file, is written as version 1 of the format, for readers that know no
other (docs/FORMAT.md). What version 1 cannot say is left out, counted and told.

Examples:
  oriel convert app.nettrace app.oriel             what dotnet-trace recorded, as a log
  oriel convert --process 4711 all.nettrace a.oriel
                                                   one process of a whole machine's trace
  oriel report app.nettrace                        its summary, without a log
  oriel report diff app.nettrace Shop-4711.oriel   what differs from a log of Oriel's own
  oriel convert --to v1 Shop-4711.oriel old.oriel  for a reader of version 1)";

std::string what_was_taken(const imports::Imported& imported, imports::Format format) {
  const std::string first = imported.calls > 0 ? report::counted(imported.calls, "call", "calls")
                                               : report::counted(imported.samples, "sample", "samples");
  std::string text = fmt::format("{} and {} of {}", first, report::counted(imported.events, "event", "events"),
                                 imports::format_words(format));
  if (!imported.left_out.empty()) text += "; left out: " + report::clean(imported.left_out);
  if (!imported.cut.empty()) text += ". " + report::clean(imported.cut);
  return text;
}

Status convert(const ConvertOptions& options) {
  if (Status status = check_input(options.in); !status)
    return Status::error(fmt::format("cannot read {}: {}", options.in, status.message()));
  const std::optional<imports::Format> format = imports::format_of(options.in);
  if (!format)
    return Status::error(fmt::format(
        "'{}' is no .nettrace file, no speedscope file, no text of perf script and no MoarVM profile; logs and .gcdump "
        "files need no conversion",
        options.in));
  const Result<std::unique_ptr<log::Writer>> writer = log::Writer::create_unpublished(options.out);
  if (!writer) return writer.status();
  (*writer)->compress();
  Progress progress("reading " + options.in);
  const Result<imports::Imported> imported =
      imports::import_file(options.in, *format, **writer,
                           {options.process, [&](uint64_t done, uint64_t total) { progress.update(done, total); }});
  if (!imported) return imported.status();
  if (Status status = (*writer)->publish(); !status) return status;
  say(fmt::format("wrote {}: {}", options.out, what_was_taken(*imported, *format)));
  return Status::ok();
}

// What is said of a log's place is said for oriel run, where an option names it; here the command's second word does.
std::string without_option(std::string message) {
  constexpr std::string_view kOption = " with -o";
  if (const size_t at = message.find(kOption); at != message.npos) message.erase(at, kOption.size());
  return message;
}

// "not in version 1: 120 events of gc, 1,234 samples' threads and callers".
std::string what_was_left_out(const std::vector<log::LeftOut>& left_out) {
  std::string text;
  for (const log::LeftOut& left : left_out)
    text += (text.empty() ? "not in version 1: " : ", ") + report::counted(left.count, left.one, left.many);
  return text;
}

Status convert_to_version1(const ConvertOptions& options) {
  const Result<log::Version1Outcome> outcome = [&]() -> Result<log::Version1Outcome> {
    Progress progress("reading " + options.in);
    const auto update = [&](uint64_t done, uint64_t total) { progress.update(done, total); };
    const Result<std::string> log = imports::log_of(options.in, update);
    return log ? log::write_version1(*log, options.out, update) : log.status();
  }();
  if (!outcome) return outcome.status();
  say(fmt::format("wrote {}, version 1 of the format: {} and {}", options.out,
                  report::counted(outcome->events, "event", "events"),
                  report::counted(outcome->hits, "hit of samples", "hits of samples")));
  if (!outcome->left_out.empty()) say(what_was_left_out(outcome->left_out));
  return Status::ok();
}

}  // namespace

void add_convert(CLI::App& app, int& exit_code) {
  CLI::App* sub =
      app.add_subcommand("convert", "Make a log of another tool's file, or write one in version 1 of the format");
  auto options = std::make_shared<ConvertOptions>();
  set_usage(*sub, "oriel convert [--process PID | --to v1] FILE LOG");
  sub->add_option("file", options->in, "The file to read")->required()->type_name("FILE");
  sub->add_option("log", options->out, "The log to write")->required()->type_name("LOG");
  sub->add_option("--to", options->to, "Format to write: v1; without it, as logs are written now")
      ->type_name("VERSION")
      ->check(CLI::IsMember({"v1"}));
  sub->add_option(
         "--process", options->process,
         "Of a trace of a whole machine, the process to take; without it, the .NET process with the most samples")
      ->type_name("PID")
      ->check(whole_number_check(1))
      ->excludes("--to");
  set_footer(*sub, [] { return std::string(kConvertExamples); });
  sub->callback([options, &exit_code] {
    Status status = check_not_read(options->out, {options->in});
    if (status) status = options->to.empty() ? convert(*options) : convert_to_version1(*options);
    if (!status) say(without_option(status.message()));
    exit_code = status ? 0 : kFailed;
  });
}

}  // namespace oriel::cli
