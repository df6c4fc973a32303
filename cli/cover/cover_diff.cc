#include "cover/cover_diff.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iostream>
#include <string_view>

#include "base/files/input_file.h"
#include "base/text/shown_shell_word.h"
#include "commands.h"
#include "cover/coverage_results.h"
#include "coverage/changed_lines.h"
#include "coverage/compare.h"
#include "exit_codes.h"
#include "report/coverage/coverage_diff.h"
#include "run/display.h"
#include "run/newest.h"

namespace oriel::cli {
namespace {

using coverage::LineStates;

// The descriptor of a stream that the shell connected: "-", or the "/dev/fd/63" of <(git diff); else -1.
int connected(const std::string& path) {
  if (path == "-" || path == "/dev/stdin") return STDIN_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    int number = -1;
    const char* const end = path.data() + path.size();
    if (path.starts_with(folder) && std::from_chars(path.data() + folder.size(), end, number).ptr == end) return number;
  }
  return -1;
}

Result<std::string> text_of(const std::string& path) {
  constexpr uint64_t kMostBytes = uint64_t{1} << 30;
  const int descriptor = connected(path);
  Result<std::string> text = descriptor >= 0 ? read_stream(descriptor, kMostBytes) : read_input_text(path, kMostBytes);
  if (text) return text;
  std::error_code error;
  const bool is_pipe = descriptor < 0 && std::filesystem::is_fifo(path, error);
  return Status::error(fmt::format("'{}' cannot be read: {}{}", path, text.message(),
                                   is_pipe ? fmt::format("; give it as - <{}", shown_shell_word(path)) : ""));
}

// From our JSON, or else from logs.
Result<LineStates> states_in(const std::vector<std::string>& words, const CoverChoice& choice) {
  if (words.size() == 1 && words[0].ends_with(".json")) {
    const Result<std::string> text = text_of(words[0]);
    if (!text) return text.status();
    Result<LineStates> states = coverage::read_states(*text);
    return states ? std::move(states) : Status::error(words[0] + ": " + states.message());
  }
  const Result<std::vector<std::string>> logs = chosen_logs("cover diff", words, true);
  if (!logs) return logs.status();
  Result<Covered> covered = read_counted(*logs);
  if (!covered) return covered.status();
  if (Status status = show(choice, *covered); !status) return status;
  for (const std::string& problem : covered->coverage.problems) say(problem);
  return coverage::states_of(covered->coverage);
}

report::Options display_for(const CoverDiffOptions& options) {
  report::Options display = display_of(STDOUT_FILENO);
  display.width = std::max(display.width, report::kLeastWidth);
  display.limit = options.limit;
  return display;
}

// Totals that thresholds apply to.
Result<coverage::Totals> beside_changed_lines(const CoverDiffOptions& options) {
  const Result<std::string> diff = text_of(options.lines_of);
  if (!diff) return diff.status();
  const auto changed = coverage::changed_lines(*diff);
  if (changed.empty() && diff->find_first_not_of(" \n\r\t") != std::string::npos)
    return Status::error(
        "--lines-of: this is not the output of git diff; pipe it in: git diff main | oriel cover diff --lines-of -");
  const Result<LineStates> states = states_in(options.words, options.choice);
  if (!states) return states.status();
  const std::vector<coverage::TouchedFile> files = coverage::touched(changed, *states);
  report::write_touched(files, display_for(options), std::cout);
  return report::totals_of(files);
}

Result<coverage::Totals> beside_another(const CoverDiffOptions& options) {
  if (options.words.size() != 2)
    return Status::error(
        "cover diff: name two: oriel cover diff BASE NEW, each a log, a folder or JSON of oriel cover; or give changed "
        "lines with --lines-of");
  const Result<LineStates> before = states_in({options.words[0]}, options.choice);
  if (!before) return before.status();
  const Result<LineStates> now = states_in({options.words[1]}, options.choice);
  if (!now) return now.status();
  report::write_coverage_changes(*before, *now, display_for(options), std::cout);
  return report::totals_of(*now);
}

}  // namespace

int cover_diff(const CoverDiffOptions& options) {
  const Result<std::vector<Threshold>> thresholds = parse_thresholds(options.fail_under);
  if (!thresholds) {
    say(thresholds.message());
    return kUsage;
  }
  const Result<coverage::Totals> totals =
      options.lines_of.empty() ? beside_another(options) : beside_changed_lines(options);
  if (totals && std::cout.flush()) return check_thresholds(*thresholds, *totals);
  say(totals ? "the comparison cannot be written; is the disk full?" : totals.message());
  return kFailed;
}

}  // namespace oriel::cli
