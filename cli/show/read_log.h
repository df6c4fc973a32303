// Shared by report, query and export: selecting and reading a part of a log.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "profile/profile.h"

namespace oriel::cli {

struct Selection {
  // What the option for the end is called: where --to means something else, set it before add_selection().
  const char* to_option = "--to";
  std::string thread;
  std::string from;
  std::string to;
  std::string method;
  bool idle = false;
  bool physical = false;
};

// Adds --thread, --from, the option for the end, --method, --idle and --physical-stacks.
void add_selection(CLI::App& command, Selection& selection);

// A time (base/text/time_text.h) in nanoseconds; the error names `option`.
Result<int64_t> parse_duration(const std::string& text, const std::string& option);

Result<profile::Filter> to_filter(const Selection& selection);

// How many bytes the files have now, without those that cannot be found.
uint64_t bytes_of(const std::vector<std::string>& files);

// Reads the logs with progress on stderr, and applies the filter.
Result<profile::Profile> read_logs(const std::vector<std::string>& files, const profile::Filter& filter);
// The same, each log for itself (profile/load_each.h).
Result<std::vector<profile::Profile>> read_each_log(const std::vector<std::string>& files,
                                                    const profile::Filter& filter);

// Says on stderr what a log lacks because it has no end or is damaged: for answers that have no place for it. `name`:
// of the log, where there are several; or "".
void say_incomplete(const profile::Profile& profile, const std::string& name);
// Says that times of samples are not exact, where it is so.
void say_times_within(const profile::Profile& profile);

}  // namespace oriel::cli
