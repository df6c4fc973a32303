// oriel export: writes a log in another viewer's format.
#include "exports/export.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <iostream>
#include <memory>

#include "commands.h"
#include "cover/source_folders.h"
#include "exit_codes.h"
#include "output_file.h"
#include "profile/trees/weight.h"
#include "report/words/notes.h"
#include "report/words/text.h"
#include "run/newest.h"
#include "show/bearable.h"
#include "show/own_options.h"
#include "show/read_log.h"

namespace oriel::cli {
namespace {

struct ExportOptions {
  std::string format;
  std::string weight;  // if empty, what the log has
  std::string output;
  std::vector<std::string> files;
  Selection selection;
  OwnOptions own;
};

constexpr const char* kExportExamples =
    R"(Without -o the output goes to stdout. Binary formats are not written to a terminal.

Examples:
  oriel export --format html -o shop.html shop-4711.oriel  a page for the browser
  oriel export --format html --weight bytes -o heap.html shop-4711.oriel
                                                           that opens with allocated bytes
  oriel export --format speedscope -o shop.json shop-4711.oriel
                                                           for speedscope
  oriel export --format pprof -o shop.pb.gz shop-4711.oriel
                                                           then: go tool pprof -http=: shop.pb.gz
  oriel export --format perfetto -o shop.perfetto-trace shop-4711.oriel
                                                           for ui.perfetto.dev
  oriel export --format perf-map -o /tmp/perf-4711.map shop-4711.oriel
                                                           then perf report names managed code
  oriel export --format collapsed shop-4711.oriel | awk '{ print $NF, $0 }' | sort -n | tail
                                                           the heaviest stacks, last
  oriel export --format gcdump -o shop.gcdump shop-4711.oriel
                                                           the last snapshot of the heap (oriel run
                                                           --heap), for Visual Studio and PerfView
  oriel export --format sqlite -o shop.sqlite shop-4711.oriel
                                                           all tables, for other programs)";

std::string formats_for_help() {
  std::string text = "Formats:\n";
  for (const exports::Export* format : exports::all_exports()) {
    text += fmt::format("  {:<12} {}\n", format->name, format->description);
  }
  text += "\nWeights (default: samples, or calls-time if the log has no samples):\n";
  for (const profile::WeightInfo& weight : profile::weights()) {
    text += fmt::format("  {:<12} {}\n", weight.name, weight.description);
  }
  return text + "\n" + kExportExamples;
}

Status write_to(std::ostream& out, const exports::Export& format, const profile::Profile& profile,
                const exports::Options& details) {
  if (Status status = exports::write_export(format, profile, out, details); !status) return status;
  return out.flush() ? Status::ok() : Status::error("the output cannot be written; is the disk full?");
}

Status write_profile(const std::string& output, const exports::Export& format, const profile::Profile& profile,
                     const exports::Options& details) {
  if (output.empty() || output == "-") return write_to(std::cout, format, profile, details);
  Status status = write_output(output, [&](const std::string& place) {
    errno = 0;
    std::ofstream file(place, std::ios::binary | std::ios::trunc);
    return file ? write_to(file, format, profile, details) : cannot_be_written(output, errno);
  });
  if (status) say(fmt::format("wrote {}", output));
  return status;
}

bool has_events(const profile::Profile& profile) {
  return !profile.collections.empty() || !profile.pauses.empty() || !profile.lock_waits.empty() ||
         !profile.activities.empty() || !profile.throws.empty() || !profile.marks.empty();
}

Status write_times(const ExportOptions& options, const exports::Export& format, const profile::Profile& profile,
                   const exports::Options& details) {
  const bool has_any = format.times == exports::Export::Times::kOfAll && has_events(profile);
  if (profile.samples.empty() && !has_any) {
    if (profile.unfiltered_periods != 0)
      return Status::error("nothing to export: nothing in the log matches the filter");
    return Status::error("nothing to export. " + report::why_no_samples(profile));
  }
  if (Status status = bearable_length(format.name, "--format html writes each frame once", profile); !status)
    return status;
  say_times_within(profile);
  return write_profile(options.output, format, profile, details);
}

Status write_tables(const ExportOptions& options, const exports::Export& format, const profile::Filter& filter) {
  const Result<std::vector<std::string>> files = chosen_logs("export", options.files, false);
  if (!files) return files.status();
  if (Status status = check_not_read(options.output, *files); !status) return status;
  Result<std::vector<profile::Profile>> logs = read_each_log(*files, filter);
  if (!logs) return logs.status();
  for (const profile::Profile& log : *logs) {
    say_incomplete(log, logs->size() == 1 ? "" : log.file);
    say_times_within(log);
  }
  const auto write = [&](const std::string& place) { return format.write_tables(std::move(*logs), place); };
  Status status = format.writes_folder ? write(options.output) : write_output(options.output, write);
  if (status) say(fmt::format("wrote {}", options.output));
  return status;
}

// `details`: as format.own made them.
Status write_chosen(const ExportOptions& options, const exports::Export& format, const profile::Filter& filter,
                    exports::Options& details) {
  const Result<std::vector<std::string>> logs = chosen_logs("export", options.files, false);
  if (!logs) return logs.status();
  if (Status status = check_not_read(options.output, *logs); !status) return status;
  const Result<profile::Profile> profile = read_logs(*logs, filter);
  if (!profile) return profile.status();
  say_incomplete(*profile, "");
  if (format.of_heap || format.of_code) return write_profile(options.output, format, *profile, details);
  if (format.times != exports::Export::Times::kNone) return write_times(options, format, *profile, details);
  const profile::WeightKind weight =
      options.weight.empty() ? profile::natural_weight(*profile) : *profile::parse_weight(options.weight);
  const bool samples = weight == profile::WeightKind::kSamples;
  // The page of a heap needs no stacks.
  const bool has_heap = format.all_weights && options.weight.empty() && !profile->heap_snapshots.empty();
  if (options.weight.empty() && samples && profile->total_periods() == 0 && !has_heap)
    return Status::error("nothing to export. " + report::why_no_samples(*profile));
  if (Status status = profile::check_weight(weight, *profile); !status && !has_heap)
    return Status::error(report::clean(status.message()));
  details.weight = weight;
  if (!samples || format.all_weights) details.recursion = bearable_recursion(*profile);
  const auto write_chosen = [&](const profile::Profile& chosen) {
    if (chosen.total_periods() == 0 && !has_heap)
      return Status::error("nothing to export: nothing in the log matches the filter");
    if (format.all_weights) return write_profile(options.output, format, *profile, details);
    if (Status status = bearable_length(format.name, "--format html writes each frame once", chosen); !status)
      return status;
    return write_profile(options.output, format, chosen, details);
  };
  if (samples) return write_chosen(*profile);
  const Result<profile::Profile> weighed = profile::by_weight(weight, *profile, details.recursion);
  return weighed ? write_chosen(*weighed) : weighed.status();
}

int run_export(const ExportOptions& options) {
  const Result<const exports::Export*> format = exports::find_export(options.format);
  const Result<profile::Filter> filter = to_filter(options.selection);
  if (!format || !filter) {
    say(!format ? format.message() : filter.message());
    return kUsage;
  }
  if (const auto weight = profile::parse_weight(options.weight); !options.weight.empty() && !weight) {
    say(weight.message());
    return kUsage;
  }
  const exports::Export& info = **format;
  if ((info.of_heap || info.of_code || info.write_tables || info.times != exports::Export::Times::kNone) &&
      !options.weight.empty()) {
    const char* what = info.of_heap        ? "of the heap's objects, not of stacks"
                       : info.of_code      ? "of where code lies, not of stacks"
                       : info.write_tables ? "of all tables, not of stacks"
                                           : "of what was when, not of sums";
    say(fmt::format("format {} takes no --weight: it is {}", info.name, what));
    return kUsage;
  }
  if (info.of_code && (filter->has_time() || !options.selection.thread.empty() || !options.selection.method.empty() ||
                       !options.selection.from.empty() || !options.selection.to.empty())) {
    say(fmt::format("format {} takes no filters: it is of where code lies, whatever ran", info.name));
    return kUsage;
  }
  if (info.write_tables && (options.output.empty() || options.output == "-")) {
    say(fmt::format("format {} needs a place to write to; name {}", info.name,
                    info.writes_folder ? "a folder: -o FOLDER" : "a file: -o FILE.sqlite"));
    return kUsage;
  }
  const std::unique_ptr<exports::Options> details = info.own({});
  for (const auto& [name, value] : options.own.given()) {
    const Status status = set_own_option("format", exports::all_exports(), info, *details, name, value);
    if (status) continue;
    say(status.message());
    return kUsage;
  }
  if (info.binary && options.output.empty() && isatty(STDOUT_FILENO)) {
    say(fmt::format("{} is binary and cannot go to a terminal; name a file: -o FILE{}", info.name, info.extension));
    return kUsage;
  }
  const Status status =
      info.write_tables ? write_tables(options, info, *filter) : write_chosen(options, info, *filter, *details);
  if (status) return 0;
  say(status.message());
  return kFailed;
}

}  // namespace

void add_export(CLI::App& app, int& exit_code) {
  CLI::App* sub = app.add_subcommand("export", "Convert a log for another viewer");
  auto options = std::make_shared<ExportOptions>();
  set_usage(*sub, "oriel export --format FORMAT [OPTIONS] [FILE…]");
  sub->add_option("-f,--format", options->format, "Format to write")->required()->type_name("FORMAT");
  sub->add_option("--weight", options->weight, "What stacks are weighted by")->type_name("WEIGHT");
  sub->add_option("-o,--output", options->output, "File to write instead of stdout")->type_name("OUT");
  sub->add_option("files", options->files, "The logs (default: the newest here)")->type_name("[FILE…]");
  options->own.add(*sub, "format", exports::all_exports());
  add_sources(*sub);
  add_selection(*sub, options->selection);
  set_footer(*sub, formats_for_help);
  sub->callback([options, &exit_code] { exit_code = run_export(*options); });
}

}  // namespace oriel::cli
