#include "run/followed_log.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "run/newest.h"

namespace oriel::cli {

FollowedLog::~FollowedLog() {
  if (file_ >= 0) close(file_);
}

bool FollowedLog::look(const LogTemplate& pattern, const LogFiles& before, const std::string& run) {
  if (was_there()) return true;
  auto logs = changed(before, find_logs(pattern));
  std::erase_if(logs, [&](const auto& log) { return is_of_another_run(log.first, run); });
  if (logs.empty()) return false;
  path_ = logs.front().first;
  file_ = open(path_.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  return was_there();
}

std::string FollowedLog::now_at() const {
  struct stat open {};
  if (fstat(file_, &open) != 0 || open.st_nlink == 0) return "";
  std::error_code error;
  const std::string path = std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(file_), error).string();
  return error ? "" : short_path(path);
}

uint64_t FollowedLog::size() const {
  struct stat open {};
  return fstat(file_, &open) == 0 ? static_cast<uint64_t>(open.st_size) : 0;
}

}  // namespace oriel::cli
