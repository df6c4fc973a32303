// A new folder for files that a running program writes and this process reads: in the program's folder for temporary
// files, for nobody but its user.
#pragma once

#include <string>
#include <utility>

#include "base/status.h"
#include "live/live_processes.h"

namespace oriel::cli {

class SharedFolder {
 public:
  // The error is one line for the user.
  static Result<SharedFolder> make(const LiveProcess& live);
  // Removes the folder if it is empty.
  ~SharedFolder();
  SharedFolder(SharedFolder&& other) noexcept
      : here_(std::exchange(other.here_, "")), in_program_(std::move(other.in_program_)) {}
  SharedFolder& operator=(SharedFolder&&) = delete;

  // A file's path in the folder, as the program sees it and as this process does.
  std::string path_in_program(const std::string& file) const { return in_program_ + "/" + file; }
  std::string path(const std::string& file) const { return here_ + "/" + file; }

 private:
  SharedFolder(std::string here, std::string in_program) : here_(std::move(here)), in_program_(std::move(in_program)) {}

  std::string here_, in_program_;
};

}  // namespace oriel::cli
