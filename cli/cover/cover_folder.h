// The folder of one `oriel cover`: the logs of its processes until they are added up, and what these had to say. Where
// `oriel` is killed it stays, and what ran is in it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/status.h"

namespace oriel::cli {

class CoverFolder {
 public:
  CoverFolder() = default;
  // Removes it, unless keep() was called.
  ~CoverFolder();
  CoverFolder(const CoverFolder&) = delete;
  CoverFolder& operator=(const CoverFolder&) = delete;

  // Makes one in the folder for temporary files; it is marked as in use until the process ends, however it does.
  Status make();
  // Takes over what another process left behind. An error where that process still runs, or it is no such folder.
  Status take(const std::string& path);
  void keep() { kept_ = true; }
  void remove() { kept_ = false; }

  const std::string& path() const { return path_; }
  // The logs in it, and how many of them a process is still writing.
  std::vector<std::string> logs() const;
  size_t still_written() const;

 private:
  Status lock(const std::string& path, int flags);

  std::string path_;
  int lock_ = -1;
  bool kept_ = false;
};

// This user's folders whose process was killed, newest first. Those without logs are removed.
std::vector<std::string> left_behind();

// Says which there are, and what to do with them.
void tell_left_behind();

}  // namespace oriel::cli
