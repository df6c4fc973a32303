// oriel convert: makes a log of another tool's file.
#include <fmt/format.h>

#include <memory>
#include <optional>

#include "commands.h"
#include "exit_codes.h"
#include "imports/imports.h"
#include "log/writer.h"
#include "report/words/text.h"
#include "report/words/units.h"

namespace oriel::cli {
namespace {

struct ConvertOptions {
  std::string in, out;
};

constexpr const char* kConvertExamples =
    R"(FILE is recognized by its contents: a .nettrace file (dotnet-trace collect), JSON for speedscope,
text of perf script, or a profile of MoarVM (raku --profile), JSON or SQL. report, query and export
also take such a file as it is.

Examples:
  oriel convert app.nettrace app.oriel           what dotnet-trace recorded, as a log
  oriel report app.nettrace                      its summary, without a log
  oriel report diff app.nettrace Shop-4711.oriel what differs from a log of Oriel's own)";

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
  const std::optional<imports::Format> format = imports::format_of(options.in);
  if (!format)
    return Status::error(fmt::format(
        "'{}' is no .nettrace file, no speedscope file, no text of perf script and no MoarVM profile; logs and .gcdump "
        "files need no conversion",
        options.in));
  const Result<std::unique_ptr<log::Writer>> writer = log::Writer::create_unpublished(options.out);
  if (!writer) return writer.status();
  const Result<imports::Imported> imported = imports::import_file(options.in, *format, **writer);
  if (!imported) return imported.status();
  if (Status status = (*writer)->publish(); !status) return status;
  say(fmt::format("wrote {}: {}", options.out, what_was_taken(*imported, *format)));
  return Status::ok();
}

}  // namespace

void add_convert(CLI::App& app, int& exit_code) {
  CLI::App* sub = app.add_subcommand("convert", "Make a log of another tool's file");
  auto options = std::make_shared<ConvertOptions>();
  set_usage(*sub, "oriel convert FILE LOG");
  sub->add_option("file", options->in, "The file to read")->required()->type_name("FILE");
  sub->add_option("log", options->out, "The log to write")->required()->type_name("LOG");
  set_footer(*sub, [] { return std::string(kConvertExamples); });
  sub->callback([options, &exit_code] {
    const Status status = convert(*options);
    if (!status) say(status.message());
    exit_code = status ? 0 : kFailed;
  });
}

}  // namespace oriel::cli
