// Selects logs when the user names none: those of the newest run in a folder.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "profile/profile.h"

namespace oriel::cli {

// The logs of one `oriel run`, by start time, without call graphs beside logs.
struct RunLogs {
  std::vector<profile::Process> processes;  // from the logs' intros
  int64_t start_unix_us = 0;

  std::vector<std::string> files() const;
  // The logs of the selected program (profile::user_processes).
  RunLogs program_logs() const;
  // Whether the program's log is missing: there is one of `dotnet run`, but none of its children.
  bool of_sdk_alone() const;
};

// The files without those that are named again, by the same name, another one or a link: a log counts once. Says so.
std::vector<std::string> each_file_once(const std::vector<std::string>& files);

// Groups these files by run, each file once. A file that is not a log, or does not name its run, is a run of its own.
std::vector<RunLogs> runs_of_files(const std::vector<std::string>& files);

// Whether the log names a different run.
bool is_of_another_run(const std::string& file, const std::string& run);

// All runs with logs (*.oriel) in the folder, newest first. Empty if there are none, or there is no such folder.
std::vector<RunLogs> runs_in(const std::string& folder);

// The logs that a command's arguments select: a file itself; for a folder, its newest run; for no argument, the newest
// run in the current folder. Of a run, the program's logs, or those of all processes; each file once. A choice is
// reported on stderr.
Result<std::vector<std::string>> chosen_logs(const std::string& command, const std::vector<std::string>& words,
                                             bool all_processes);

}  // namespace oriel::cli
