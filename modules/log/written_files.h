// The files of a process's logs, of which the oldest may go.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <deque>
#include <mutex>
#include <string>

#include "base/status.h"

namespace oriel::log_module {

// The files that this process's logs have written, and which of these stay. Any thread.
class WrittenFiles {
 public:
  // Remembers a file that a log has just created.
  void add(const std::string& path);
  // Removes the oldest ones until at most `most` are left. A file that was moved or replaced meanwhile belongs to
  // somebody else and is only forgotten. Returns the first removal that the system refused; such a file is forgotten
  // too.
  Status keep(size_t most);

 private:
  struct File {
    std::string path;
    dev_t device = 0;
    ino_t inode = 0;
  };
  std::mutex lock_;
  std::deque<File> files_;  // oldest first
};

}  // namespace oriel::log_module
