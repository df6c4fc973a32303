#include "written_files.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace oriel::log_module {

void WrittenFiles::add(const std::string& path) {
  struct stat status;
  if (lstat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return;
  const std::lock_guard guard(lock_);
  files_.push_back({path, status.st_dev, status.st_ino});
}

Status WrittenFiles::keep(size_t most) {
  const std::lock_guard guard(lock_);
  Status result = Status::ok();
  while (files_.size() > most) {
    const File file = std::move(files_.front());
    files_.pop_front();
    struct stat status;
    const bool is_it =
        lstat(file.path.c_str(), &status) == 0 && status.st_dev == file.device && status.st_ino == file.inode;
    if (is_it && unlink(file.path.c_str()) != 0 && result)
      result = Status::error("the file '" + file.path + "' could not be removed: " + std::strerror(errno));
  }
  return result;
}

}  // namespace oriel::log_module
