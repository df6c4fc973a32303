// oriel report: shows a log.
#include "report/report.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iostream>
#include <memory>
#include <utility>

#include "base/text/shown_shell_word.h"
#include "commands.h"
#include "cover/source_folders.h"
#include "exit_codes.h"
#include "run/display.h"
#include "run/newest.h"
#include "show/callgraph_file.h"
#include "show/diff.h"
#include "show/follow.h"
#include "show/own_options.h"
#include "show/read_log.h"
#include "show/show_report.h"

namespace oriel::cli {
namespace {

struct ReportOptions {
  std::vector<std::string> words;  // [REPORT [METHOD]] [FILE…]
  bool json = false;
  bool no_lines = false;
  bool follow = false;
  size_t limit = 0;
  Selection selection;
  OwnOptions own;
};

struct Request {
  const report::Report* report = report::all_reports().front();
  std::string argument;  // "Cart.Add", of a report that takes one
  std::vector<std::string> files;
};

constexpr const char* kReportExamples = R"(Examples:
  oriel report                                   one screen of the newest log here: what ran, how
                                                 long, where the time went
  oriel report shop-4711.oriel                   the same for a named log
  oriel report processes build-*.oriel           how much each process of a command took
  oriel report top --limit 50 shop-4711.oriel    the 50 methods with most samples
  oriel report callers Cart.Add shop-4711.oriel  who called a method, and who called those
  oriel report tree --thread worker --from 2s --to 3s shop-4711.oriel
  oriel report calls --tree shop-4711.oriel      who called what (logs of --calls)
  oriel report callgraph shop-4711.oriel         methods, callers and callees (logs of --callgraph)
  oriel report alloc --method Cart.Add shop-4711.oriel
                                                 what a method and its callees allocated
  oriel report coverage --source Cart.cs coverage.oriel
                                                 which lines of a file ran (logs of oriel cover)
  oriel report coverage --tests-of Cart.cs:34    which tests run that line (logs of --per-test)
  oriel report diff                              the last two runs here: what grew and shrank
  oriel report diff before-*.oriel vs after-*.oriel
                                                 several runs per side, to know their variance
  oriel report gc --json shop-4711.oriel         for scripts
  oriel report --follow shop-4711.oriel          again whenever the log has grown

A log can be read while it is being written: the report shows what is there so far.)";

std::string reports_for_help() {
  std::string text = "Reports:\n";
  for (const report::Report* report : report::all_reports()) {
    const std::string name = report->name + (report->argument ? fmt::format(" {}", report->argument) : "");
    text += fmt::format("  {:<16} {}\n", name, report->help);
  }
  return text + "\n" + kReportExamples;
}

std::string report_names() {
  std::string names;
  for (const report::Report* report : report::all_reports())
    names += (names.empty() ? "" : ", ") + std::string(report->name);
  return names;
}

std::string lower_case(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

bool is_file(const std::string& word) {
  std::error_code error;
  return std::filesystem::exists(word, error) && !std::filesystem::is_directory(word, error);
}

bool looks_like_log(const std::string& word) {
  std::error_code error;
  return word.find('/') != std::string::npos || word.ends_with(".oriel") || word.ends_with(".nettrace") ||
         std::filesystem::exists(word, error);
}

Result<Request> parse_words(const std::vector<std::string>& words) {
  Request request;
  const report::Report* report = words.empty() ? nullptr : report::find_report(words[0]);
  const bool names_report = report && (words.size() > 1 || !is_file(words[0]));
  const size_t before_file = !names_report ? 0 : report->argument ? 2 : 1;
  if (names_report) request.report = report;
  if (!names_report && !words.empty() && !looks_like_log(words[0])) {
    return Status::error(
        fmt::format("report: '{}' is neither a log nor a report; there are {}", words[0], report_names()));
  }
  const bool file_for_argument =
      before_file == 2 && words.size() > 1 && words[1].ends_with(".oriel") && is_file(words[1]);
  if (before_file == 2 && (words.size() < 2 || file_for_argument)) {
    return Status::error(fmt::format("report {0} needs a {1}: oriel report {0} {2} {3}", report->name,
                                     lower_case(report->argument), report->argument,
                                     file_for_argument ? shown_shell_word(words[1]) : "[FILE]"));
  }
  if (before_file == 2) request.argument = words[1];
  request.files.assign(words.begin() + static_cast<ptrdiff_t>(before_file), words.end());
  return request;
}

// Arguments for commands that a report suggests: the logs, if short enough, and the selected part.
std::string same_log(const std::vector<std::string>& files, const Selection& selection) {
  constexpr size_t kShort = 32;
  std::string text;
  const auto add = [&text](const std::string& word) { text += (text.empty() ? "" : " ") + shown_shell_word(word); };
  for (const std::string& file : files) add(file);
  if (text.size() > kShort) text = "FILE";
  const std::pair<const char*, const std::string*> parts[] = {{"--thread", &selection.thread},
                                                              {"--from", &selection.from},
                                                              {"--to", &selection.to},
                                                              {"--method", &selection.method}};
  for (const auto& [option, value] : parts) {
    if (value->empty()) continue;
    add(option);
    add(*value);
  }
  return text;
}

// The report's own options with what the command line gave; an error for one that it does not take.
Result<std::unique_ptr<report::Options>> display_options(const ReportOptions& options, const Request& request) {
  std::unique_ptr<report::Options> display = request.report->own(display_of(STDOUT_FILENO));
  display->json = options.json;
  display->limit = options.limit;
  display->lines = !options.no_lines;
  display->same_log = same_log(request.files, options.selection);
  if (auto* named = dynamic_cast<report::NamedOptions*>(display.get())) named->name = request.argument;
  for (const auto& [name, value] : options.own.given())
    if (Status status = report::set_option(*request.report, *display, name, value); !status) return status;
  return display;
}

Result<std::vector<std::string>> logs_of(const Request& request) {
  const report::Report& report = *request.report;
  Result<std::vector<std::string>> logs = chosen_logs("report", request.files, report.of_processes);
  if (!logs || !report.of_call_graph) return logs;
  std::ranges::transform(*logs, logs->begin(), callgraph_file_of);
  return each_file_once(*logs);  // a log and the call graph beside it are the same then
}

Status write_requested(const Request& request, const profile::Filter& filter, const report::Options& display) {
  const report::Report& report = *request.report;
  if (report.compares) return write_diff(request.files, filter, display);
  const Result<std::vector<std::string>> logs = logs_of(request);
  if (!logs) return logs.status();
  if (report.stream) {
    if (logs->size() == 1) return report.stream(logs->front(), filter, display, std::cout);
    return Status::error(fmt::format("report {} takes one log at a time: {}", report.name, fmt::join(*logs, ", ")));
  }
  Result<profile::Profile> profile = read_logs(*logs, filter);
  if (!profile) return profile.status();
  return report::write_report(report, std::move(*profile), display, std::cout);
}

bool is_written(const profile::Profile& profile) {
  return std::ranges::any_of(
      profile.processes, [](const profile::Process& process) { return process.state == profile::LogState::kRunning; });
}

Status follow_requested(const Request& request, const profile::Filter& filter, const report::Options& display) {
  const report::Report& report = *request.report;
  if (report.compares || report.stream)
    return Status::error(fmt::format("report {}: --follow shows reports of one run anew as it goes on", report.name));
  const Result<std::vector<std::string>> logs = logs_of(request);
  if (!logs) return logs.status();
  return follow(*logs, [&](std::ostream& out, bool& running) -> Status {
    Result<profile::Profile> profile = read_logs(*logs, filter);
    if (!profile) return profile.status();
    running = is_written(*profile);
    return report::write_report(report, std::move(*profile), display, out);
  });
}

Status write_flushed(const Request& request, const profile::Filter& filter, const report::Options& display) {
  Status status = write_requested(request, filter, display);
  if (status && !std::cout.flush()) status = Status::error("the report cannot be written; is the disk full?");
  return status;
}

int show(const ReportOptions& options) {
  const Result<Request> request = parse_words(options.words);
  const Result<profile::Filter> filter = to_filter(options.selection);
  if (!request || !filter) {
    say(!filter ? filter.message() : request.message());
    return kUsage;
  }
  const Result<std::unique_ptr<report::Options>> display = display_options(options, *request);
  if (!display) {
    say(display.message());
    return kUsage;
  }
  const Status status =
      options.follow ? follow_requested(*request, *filter, **display) : write_flushed(*request, *filter, **display);
  if (status) return 0;
  say(status.message());
  return kFailed;
}

}  // namespace

Status show_report(const std::string& command, const std::vector<std::string>& logs) {
  const size_t space = command.find(' ');
  Request request;
  if (space != std::string::npos) request.report = report::find_report(command.substr(space + 1));
  request.files = logs;
  const ReportOptions options;
  const Result<std::unique_ptr<report::Options>> display = display_options(options, request);
  if (!display) return display.status();
  return write_flushed(request, {}, **display);
}

void add_report(CLI::App& app, int& exit_code) {
  CLI::App* sub = app.add_subcommand("report", "Show a log as text or JSON");
  auto options = std::make_shared<ReportOptions>();
  set_usage(*sub, "oriel report [REPORT] [OPTIONS] [FILE…]");
  sub->add_option("words", options->words, "The report (default: summary) and the logs (default: the newest here)")
      ->type_name("[REPORT] [FILE…]");
  sub->add_flag("--json", options->json, "Write JSON; for dump, one object per line");
  sub->add_flag("--no-lines", options->no_lines, "Do not show source lines beside methods");
  sub->add_option("--limit", options->limit, "Show at most N rows of each table, or N events of a dump")
      ->type_name("N")
      ->check(whole_number_check(1));
  sub->add_flag("--follow", options->follow,
                "Show the report again whenever the log has grown, until the program ends or Ctrl-C");
  options->own.add(*sub, "report", report::all_reports());
  add_sources(*sub);
  add_selection(*sub, options->selection);
  set_footer(*sub, reports_for_help);
  sub->callback([options, &exit_code] { exit_code = show(*options); });
}

}  // namespace oriel::cli
