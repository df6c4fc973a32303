// The temporary folder of one `oriel cover`: logs of its processes before they are merged, and their messages. If
// `oriel` is killed, the folder and the coverage in it stay.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/status.h"

namespace oriel::cli {

class CoverFolder {
 public:
  CoverFolder() = default;
  // Removes the folder, unless keep() was called.
  ~CoverFolder();
  CoverFolder(const CoverFolder&) = delete;
  CoverFolder& operator=(const CoverFolder&) = delete;

  // Creates the folder in the temporary folder; it is locked until the process ends in any way.
  Status make();
  // Takes over a folder that another process left. An error if that process still runs, or it is not such a folder.
  Status take(const std::string& path);
  void keep() { kept_ = true; }
  void remove() { kept_ = false; }

  const std::string& path() const { return path_; }
  // The logs in the folder, and how many of them are still being written.
  std::vector<std::string> logs() const;
  size_t still_written() const;

 private:
  Status lock(const std::string& path, int flags);

  std::string path_;
  int lock_ = -1;
  bool kept_ = false;
};

// Folders of this user whose process was killed, newest first. Removes those without logs.
std::vector<std::string> abandoned_folders();

// Reports such folders, and what to do with them.
void report_abandoned_folders();

}  // namespace oriel::cli
