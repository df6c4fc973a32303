// The log's file name, a template that this tool and the log module expand, and the resulting files.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"

namespace oriel::cli {

// An absolute path whose file name is a template (base/files/file_template.h).
struct LogTemplate {
  std::string folder;
  std::string name;

  // The log module's argument `out`: percent signs in the folder are doubled.
  std::string argument() const;
};

// Makes the template from the value of -o; "" means the default, %n-%p.oriel in the working directory. Checks before
// the program starts that the folder exists and is writable, that only a finished log, an empty file, a pipe or a
// socket is at the file's place, and that the name contains %p if `children`. `several` names the command if it implies
// profiling of children, without an option. `output` may be a link, which is followed.
Result<LogTemplate> log_template(const std::string& output, bool children, const std::string& several = "");

// The same checks of the file's place, which must not be a link.
Status check_place(const LogTemplate& pattern);

// The template with its name expanded.
LogTemplate expand(const LogTemplate& pattern, const std::string& program, pid_t pid);

// The state of a matching regular file, enough to see whether it is new.
struct FileState {
  uint64_t inode = 0;
  int64_t modified_ns = 0;
  uint64_t size = 0;
  bool operator==(const FileState&) const = default;
};
using LogFiles = std::map<std::string, FileState>;  // by path
// Those of the template, and those with a number, which the log module adds to the next files of a process.
LogFiles find_logs(const LogTemplate& pattern);

// The path relative to the working directory, if it is inside.
std::string short_path(const std::string& path);

// Files in `after` that are new or changed since `before`: short paths and sizes in bytes. Empty files are not logs;
// they are left when there is no space.
std::vector<std::pair<std::string, uint64_t>> changed(const LogFiles& before, const LogFiles& after);

// "812 bytes", "1.2 MB".
std::string human_size(uint64_t bytes);

}  // namespace oriel::cli
