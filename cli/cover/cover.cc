// oriel cover: coverage of one run or several.
#include <fmt/format.h>

#include <functional>
#include <memory>

#include "base/text/shown_shell_word.h"
#include "commands.h"
#include "cover/cover_diff.h"
#include "cover/cover_folder.h"
#include "cover/cover_run.h"
#include "cover/coverage_results.h"
#include "cover/source_folders.h"
#include "exit_codes.h"
#include "output_file.h"
#include "run/newest.h"

namespace oriel::cli {
namespace {

constexpr const char* kCoverExamples = R"(
Examples:
  oriel cover -- dotnet test                        what the tests do not reach, and coverage.oriel
  oriel cover --format cobertura,html -o coverage -- dotnet test
                                                    two files for a build server, in a folder
  oriel cover --fail-under 80 --fail-under branches=70 -- dotnet test
  oriel cover --mode=count --include 'Shop.*,!*.ToString' -- dotnet Shop.dll
                                                    how often each line of these methods ran
  oriel cover --per-test -- dotnet test             also which lines each test runs
  oriel report coverage --source Cart.cs coverage.oriel
                                                    a file's source with marks
  oriel cover merge --format html unit.oriel browser.oriel
                                                    several runs as one
  oriel cover diff before.oriel coverage.oriel      what is no longer covered
  git diff main | oriel cover diff --lines-of - coverage.oriel
                                                    which changed lines no test reaches

PATTERNS are those of oriel run --calls: assemblies in brackets, names or both, joined by commas.

The exit code is the program's, or 120 if that is 0 and less ran than --fail-under requires; 125,
126 and 127 are those of oriel run.)";

struct MergeOptions {
  CoverChoice choice;
  CoverOutput output;
  std::vector<std::string> fail_under;
  std::vector<std::string> words;
};

int fail(const Status& status, int code) {
  say(status.message());
  return code;
}

using FindLogs = std::function<Result<std::vector<std::string>>(const std::vector<std::string>& words)>;

int write_counted(const MergeOptions& options, const FindLogs& find) {
  const Result<std::vector<Threshold>> thresholds = parse_thresholds(options.fail_under);
  if (!thresholds) return fail(thresholds.status(), kUsage);
  if (const Result<coverage::Choice> choice = choice_of(options.choice); !choice) return fail(choice.status(), kUsage);
  const Result<std::vector<CoverFile>> files = files_for(options.output);
  if (!files) return fail(files.status(), kUsage);
  const Result<std::vector<std::string>> logs = find(options.words);
  if (!logs) return fail(logs.status(), kFailed);
  // A log may take up what it is merged with.
  for (const CoverFile& file : *files)
    if (Status status = file.format ? check_not_read(file.path, *logs) : Status::ok(); !status)
      return fail(status, kUsage);
  Result<Covered> covered = read_counted(*logs);
  if (!covered) return fail(covered.status(), kFailed);
  if (Status status = show(options.choice, *covered); !status) return fail(status, kFailed);
  tell(covered->coverage, "");
  if (Status status = write_files(*files, *covered); !status) return fail(status, kFailed);
  return check_thresholds(*thresholds, totals_of(covered->coverage));
}

int merge(const MergeOptions& options) {
  return write_counted(options, [](const auto& words) { return chosen_logs("cover merge", words, true); });
}

// Recovers the coverage of killed runs. Logs that are still being written are read as they are, and their folders stay.
int recover(const MergeOptions& options) {
  const std::vector<std::string> left = options.words.empty() ? abandoned_folders() : options.words;
  if (left.empty())
    return fail(Status::error("cover recover: no oriel cover was killed, so there is nothing to recover"), kFailed);
  CoverFolder folder;
  if (Status taken = folder.take(left.front()); !taken) return fail(taken, kFailed);
  const size_t still_written = folder.still_written();
  folder.keep();
  const int code = write_counted(options, [&](const auto&) -> Result<std::vector<std::string>> {
    if (folder.logs().empty()) return Status::error(fmt::format("'{}' has no logs", folder.path()));
    return folder.logs();
  });
  if (code != 0 && code != kBelow) return code;
  if (still_written == 0)
    folder.remove();
  else
    say(fmt::format("{} of its processes still {}: oriel cover recover {}", still_written,
                    still_written == 1 ? "runs; once it has ended" : "run; once they have ended",
                    shown_shell_word(folder.path())));
  return code;
}

void add_recover(CLI::App& cover, int& exit_code) {
  CLI::App* sub = cover.add_subcommand("recover", "Recover the results of an oriel cover that was killed");
  auto options = std::make_shared<MergeOptions>();
  set_usage(*sub, "oriel cover recover [OPTIONS] [FOLDER]");
  sub->add_option("folder", options->words, "Folder where it left its logs (default: the newest)")
      ->type_name("[FOLDER]")
      ->expected(0, 1);
  add_output(*sub, options->output);
  add_thresholds(*sub, options->fail_under);
  add_choice(*sub, options->choice);
  set_footer(*sub, coverage_formats_for_help);
  sub->callback([options, &exit_code] { exit_code = recover(*options); });
}

void add_merge(CLI::App& cover, int& exit_code) {
  CLI::App* sub = cover.add_subcommand("merge", "Merge the logs of several runs, and write any format");
  auto options = std::make_shared<MergeOptions>();
  set_usage(*sub, "oriel cover merge [OPTIONS] [FILE…]");
  sub->add_option("files", options->words, "The logs (default: the newest here)")->type_name("[FILE…]");
  add_output(*sub, options->output);
  add_sources(*sub);
  add_thresholds(*sub, options->fail_under);
  add_choice(*sub, options->choice);
  set_footer(*sub, coverage_formats_for_help);
  sub->callback([options, &exit_code] { exit_code = merge(*options); });
}

void add_diff(CLI::App& cover, int& exit_code) {
  CLI::App* sub = cover.add_subcommand("diff", "Compare coverage with an earlier one, or with changed lines");
  auto options = std::make_shared<CoverDiffOptions>();
  set_usage(*sub, "oriel cover diff [OPTIONS] BASE NEW, or: oriel cover diff --lines-of DIFF [FILE…]");
  sub->add_option("files", options->words, "Logs, folders of logs, or JSON of oriel cover")->type_name("[FILE…]");
  sub->add_option("--lines-of", options->lines_of,
                  "Consider only lines that this output of git diff adds or changes; a file, or - for stdin")
      ->type_name("DIFF");
  sub->add_option("--limit", options->limit, "Show at most N rows")->type_name("N")->check(whole_number_check(1));
  add_thresholds(*sub, options->fail_under);
  add_choice(*sub, options->choice);
  sub->callback([options, &exit_code] { exit_code = cover_diff(*options); });
}

std::string footer() { return coverage_formats_for_help() + kCoverExamples; }

}  // namespace

void add_cover(CLI::App& app, const std::vector<std::string>& command, int& exit_code) {
  CLI::App* sub = app.add_subcommand("cover", "Run tests or a program and report which of its code ran");
  auto options = std::make_shared<CoverRunOptions>();
  options->command = command;
  set_usage(*sub, "oriel cover [OPTIONS] -- COMMAND…, or: oriel cover merge|diff|recover …");
  sub->require_subcommand(0, 1);
  sub->add_option("--mode", options->mode, "hit: whether code ran (default); count: how often")->type_name("hit|count");
  sub->add_flag("--per-test", options->per_test,
                "Also record which lines each test runs; tests then run one at a time");
  sub->add_flag("--no-redact", options->no_redact,
                "Log the command unredacted. By default, values that are named like a secret are left out");
  add_output(*sub, options->output);
  add_sources(*sub);
  add_thresholds(*sub, options->fail_under);
  add_choice(*sub, options->choice);
  set_footer(*sub, footer);
  add_merge(*sub, exit_code);
  add_diff(*sub, exit_code);
  add_recover(*sub, exit_code);
  sub->callback([sub, options, &exit_code] {
    if (sub->get_subcommands().empty()) exit_code = cover_run(*options);
  });
}

}  // namespace oriel::cli
