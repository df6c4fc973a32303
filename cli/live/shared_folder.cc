#include "live/shared_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "base/files/open_file.h"
#include "base/text/path.h"

namespace oriel::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "oriel-log-";

Status cannot(const std::string& what, int error) {
  return Status::error("attach: cannot " + what + ": " + std::strerror(error));
}

OpenFile open_folder(const std::string& path) {
  return OpenFile(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

bool is_abandoned(const OpenFile& folder, uid_t user) {
  struct stat about {};
  return fstat(folder.number(), &about) == 0 && about.st_uid == user && flock(folder.number(), LOCK_EX | LOCK_NB) == 0;
}

// What tools that were killed have left. Each tool holds the lock of its folder. A folder with something in it that
// somebody may want to read stays.
void remove_abandoned(const std::string& where, uid_t user, std::string_view disposable) {
  std::error_code unimportant;
  for (const fs::directory_entry& entry : fs::directory_iterator(where, unimportant)) {
    const std::string path = entry.path().string();
    if (!file_name(path).starts_with(kPrefix)) continue;
    const OpenFile folder = open_folder(path);
    if (folder.number() < 0 || !is_abandoned(folder, user)) continue;
    remove_files(folder.number(), disposable);
    rmdir(path.c_str());
  }
}

}  // namespace

std::string path_of_open(int folder) { return "/proc/self/fd/" + std::to_string(folder); }

void remove_files(int folder, std::string_view begin) {
  std::error_code unimportant;
  for (const fs::directory_entry& entry : fs::directory_iterator(path_of_open(folder), unimportant)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(begin)) unlinkat(folder, name.c_str(), 0);
  }
}

// Another tool may have taken the new folder for an abandoned one before it was locked: then there is none of that
// name.
Result<SharedFolder> SharedFolder::make_locked(const LiveProcess& live) {
  const std::string& where = live.place.port.folder;
  constexpr int kMostTries = 10;
  for (int i = 0; i < kMostTries; ++i) {
    std::string made = where + "/" + std::string(kPrefix) + "XXXXXX";
    if (mkdtemp(made.data()) == nullptr) return cannot("make a folder in " + where, errno);
    OpenFile opened = open_folder(made);
    if (opened.number() < 0 && errno != ENOENT) return cannot("open " + made, errno);
    struct stat locked {
    }, named{};
    if (opened.number() >= 0 && flock(opened.number(), LOCK_EX) == 0 && fstat(opened.number(), &locked) == 0 &&
        lstat(made.c_str(), &named) == 0 && named.st_ino == locked.st_ino && named.st_dev == locked.st_dev)
      return SharedFolder(made, made.substr(live.process.root.size()), std::move(opened));
  }
  return cannot("keep a folder in " + where, EAGAIN);
}

// The folder's owner is changed by its descriptor: nobody can put another in its place.
Result<SharedFolder> SharedFolder::make(const LiveProcess& live, std::string_view disposable) {
  const uid_t user = live.process.user;
  remove_abandoned(live.place.port.folder, user, disposable);
  Result<SharedFolder> folder = make_locked(live);
  const bool is_other = user != geteuid();  // only root's tool has another
  if (folder && is_other && fchown(folder->opened_.number(), user, static_cast<gid_t>(-1)) != 0)
    return cannot("give " + folder->here_ + " to the program's user", errno);
  return folder;
}

SharedFolder::~SharedFolder() {
  if (!here_.empty()) rmdir(here_.c_str());
}

}  // namespace oriel::cli
