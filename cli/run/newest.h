// The logs that somebody means who names none: those of the newest run in a folder.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "profile/profile.h"

namespace oriel::cli {

// The logs that one `oriel run` wrote, by start. A call graph that stands beside a log is none of its own.
struct RunLogs {
  std::vector<profile::Process> processes;  // what their intros tell, and the files
  int64_t start_unix_us = 0;

  std::vector<std::string> files() const;
  // Those of the program that was meant (profile::meant).
  RunLogs meant() const;
  // Whether that is missing: `dotnet run` was, and nothing that it started.
  bool of_sdk_alone() const;
};

// Of the files named, each once; one that is no log, or does not tell its run, is a run of its own.
std::vector<RunLogs> runs_of_files(const std::vector<std::string>& files);

// Whether the log says that it is of another run than the one of that name.
bool is_of_another_run(const std::string& file, const std::string& run);

// All runs whose logs, *.oriel, are in the folder, newest first. Empty if there is none, or no such folder.
std::vector<RunLogs> runs_in(const std::string& folder);

// The logs that the words after a command mean: a file itself, of a folder the newest run, of no word the newest run
// here; of a run the logs of the program that was meant, or of all processes. Which were chosen so is said on stderr.
Result<std::vector<std::string>> chosen_logs(const std::string& command, const std::vector<std::string>& words,
                                             bool all_processes);

}  // namespace oriel::cli
