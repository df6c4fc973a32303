#include "cover/cover_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <utility>

#include "base/text/shown_shell_word.h"
#include "commands.h"
#include "log/place.h"

namespace oriel::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFolderPrefix = "oriel-cover-";
constexpr const char* kLock = "/in-use";

fs::path temporary_folder() {
  std::error_code error;
  const fs::path folder = fs::temp_directory_path(error);
  return error ? fs::path("/tmp") : folder;
}

bool is_own_folder(const std::string& path, struct stat& about) {
  return lstat(path.c_str(), &about) == 0 && S_ISDIR(about.st_mode) && about.st_uid == geteuid();
}

std::string words_for(size_t logs, size_t running) {
  std::string text = logs == 1 ? "1 log" : fmt::format("{} logs", logs);
  if (running != 0) text += running == 1 ? ", 1 still written" : fmt::format(", {} still written", running);
  return text;
}

}  // namespace

CoverFolder::~CoverFolder() {
  std::error_code error;
  if (!path_.empty() && !kept_) fs::remove_all(path_, error);
  if (lock_ >= 0) close(lock_);
}

Status CoverFolder::lock(const std::string& path, int flags) {
  lock_ = open((path + kLock).c_str(), O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | flags, 0600);
  if (lock_ < 0) return Status::error(std::strerror(errno));
  return flock(lock_, LOCK_EX | LOCK_NB) == 0 ? Status::ok() : Status::error("the oriel cover that made it still runs");
}

// Retries: until the folder is locked, another process may take it for a leftover and remove it.
Status CoverFolder::make() {
  constexpr int kTries = 8;
  for (int tries = 0;; ++tries) {
    std::string path = (temporary_folder() / (std::string(kFolderPrefix) + "XXXXXX")).string();
    if (!mkdtemp(path.data()))
      return Status::error(fmt::format("no folder for logs can be made in '{}': {}; name another with TMPDIR",
                                       fs::path(path).parent_path().string(), std::strerror(errno)));
    const bool locked = lock(path, O_CREAT).is_ok();
    if ((locked && access((path + kLock).c_str(), F_OK) == 0) || tries == kTries) {
      path_ = path;
      return Status::ok();
    }
    if (lock_ >= 0) close(lock_);
  }
}

Status CoverFolder::take(const std::string& path) {
  struct stat about {};
  if (!is_own_folder(path, about) || !fs::path(path).filename().string().starts_with(kFolderPrefix))
    return Status::error(
        fmt::format("'{}' is not a folder that oriel cover left; such a name begins with {}", path, kFolderPrefix));
  if (Status locked = lock(path, 0); !locked)
    return Status::error(fmt::format("'{}' cannot be taken over: {}", path, locked.message()));
  path_ = path;
  return Status::ok();
}

std::vector<std::string> CoverFolder::logs() const {
  std::vector<std::string> found;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(path_, error))
    if (entry.path().extension() == ".oriel" && entry.is_regular_file(error)) found.push_back(entry.path().string());
  std::ranges::sort(found);
  return found;
}

size_t CoverFolder::still_written() const {
  return static_cast<size_t>(
      std::ranges::count_if(logs(), [](const std::string& log) { return !log::may_hold_log(log); }));
}

std::vector<std::string> abandoned_folders() {
  constexpr time_t kMayStillStart = 600;  // seconds
  std::vector<std::pair<time_t, std::string>> found;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(temporary_folder(), error)) {
    struct stat about {};
    const std::string path = entry.path().string();
    if (!entry.path().filename().string().starts_with(kFolderPrefix) || !is_own_folder(path, about)) continue;
    CoverFolder folder;
    if (!folder.take(path)) continue;
    const bool has_logs = !folder.logs().empty();
    // A program that is starting may still write there; a folder without logs is removed when it is older.
    if (has_logs || time(nullptr) - about.st_mtim.tv_sec < kMayStillStart) folder.keep();
    if (!has_logs) continue;
    found.emplace_back(about.st_mtim.tv_sec, path);
  }
  std::ranges::sort(found, std::greater<>());
  std::vector<std::string> paths;
  for (auto& [time, path] : found) paths.push_back(std::move(path));
  return paths;
}

void report_abandoned_folders() {
  const std::vector<std::string> all = abandoned_folders();
  if (all.empty()) return;
  CoverFolder newest;
  if (!newest.take(all.front())) return;
  newest.keep();
  say(fmt::format(
      "an oriel cover was killed before it could report; its results are in {} ({}){}. See it: oriel cover recover {}",
      newest.path(), words_for(newest.logs().size(), newest.still_written()),
      all.size() == 1 ? "" : fmt::format(", and {} more are there", all.size() - 1), shown_shell_word(newest.path())));
}

}  // namespace oriel::cli
