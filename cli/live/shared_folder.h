// A new folder for files that a running program writes and this process reads: in the program's folder for temporary
// files, for nobody but its user.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "base/files/open_file.h"
#include "base/status.h"
#include "live/live_processes.h"

namespace oriel::cli {

// A path to a folder that is open, whatever stands in its place now.
std::string path_of_open(int folder);
// Removes the files in it whose names begin so.
void remove_files(int folder, std::string_view begin);

class SharedFolder {
 public:
  // Removes what tools that were killed have left there, if it is empty but for files whose names begin with
  // `disposable`. The error is one line for the user.
  static Result<SharedFolder> make(const LiveProcess& live, std::string_view disposable);
  // Removes the folder if it is empty.
  ~SharedFolder();
  SharedFolder(SharedFolder&& other) noexcept
      : here_(std::exchange(other.here_, "")),
        in_program_(std::move(other.in_program_)),
        opened_(std::move(other.opened_)) {}
  SharedFolder& operator=(SharedFolder&&) = delete;

  // A file's path in the folder, as the program sees it and as this process does.
  std::string path_in_program(const std::string& file) const { return in_program_ + "/" + file; }
  std::string path(const std::string& file) const { return here_ + "/" + file; }

 private:
  static Result<SharedFolder> make_locked(const LiveProcess& live);
  SharedFolder(std::string here, std::string in_program, OpenFile opened)
      : here_(std::move(here)), in_program_(std::move(in_program)), opened_(std::move(opened)) {}

  std::string here_, in_program_;
  OpenFile opened_;  // locked: the folder is in use
};

}  // namespace oriel::cli
