// The log's file name: a template that this tool and the log module both expand, and the files that came of it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"

namespace oriel::cli {

// An absolute path whose last part is a template (base/files/file_template.h).
struct LogTemplate {
  std::string folder;
  std::string name;

  // As the log module's argument `out` takes it: the folder's own percent signs doubled.
  std::string argument() const;
};

// From what the user gave with -o ("" for the default: %n-%p.oriel in the working directory). Checks what can be
// checked before the program starts: that the folder is there and can be written to, that nothing is at the file's
// place but a finished log or an empty file, that with `children` the name holds %p. `several` names the command
// where it is for it that children are profiled, and not because somebody asked. What `output` names may be a link
// of the user's own: the log is written to what it leads to.
Result<LogTemplate> log_template(const std::string& output, bool children, const std::string& several = "");

// Checks the same of the file's place, which may be no link.
Status check_place(const LogTemplate& pattern);

// The same with the name expanded.
LogTemplate expand(const LogTemplate& pattern, const std::string& program, pid_t pid);

// The regular files that match, and when and how large they are: enough to see which of them are new.
struct FileState {
  uint64_t inode = 0;
  int64_t modified_ns = 0;
  uint64_t size = 0;
  bool operator==(const FileState&) const = default;
};
using LogFiles = std::map<std::string, FileState>;  // by path
LogFiles find_logs(const LogTemplate& pattern);

// A full path as it is called from the working directory, if it is in it.
std::string short_path(const std::string& path);

// What of `after` is new or changed since `before`, as paths that are short from the working directory, with sizes. An
// empty file is no log: there was no room for one.
std::vector<std::pair<std::string, uint64_t>> changed(const LogFiles& before, const LogFiles& after);

// "812 bytes", "1.2 MB".
std::string human_size(uint64_t bytes);

}  // namespace oriel::cli
