#include "log/place.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/files/descriptor.h"
#include "base/files/open_file.h"
#include "log/format.h"

namespace oriel::log {
namespace {

namespace fs = std::filesystem;

// False if there is a file of that name, and where the file system cannot promise that there is none. glibc has
// renameat2() from 2.28 on.
bool rename_to_new(const std::string& from, const std::string& to) {
  constexpr unsigned kNoReplace = 1;  // RENAME_NOREPLACE of linux/fs.h
  return syscall(SYS_renameat2, AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), kNoReplace) == 0;
}

// The system's own limit.
constexpr int kMostLinks = 40;
constexpr const char* kIsWritten = "is being written by another process; name another file with -o";

Status no_place(const std::string& path, const std::string& reason) {
  return Status::error("the log cannot be written to '" + path + "': " + reason + "; name another file with -o");
}

Status cannot_write(const std::string& path, int error) {
  return Status::error("cannot write the log " + path + ": " + std::strerror(error) + "; give another path with -o");
}

Status refused(const std::string& path, const std::string& objection) {
  return Status::error("the log cannot be written: '" + path + "' " + objection);
}

bool same_file(const struct stat& one, const struct stat& other) {
  return one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

// Whether `path` still refers to the open file.
bool is_at(int file, const std::string& path) {
  struct stat open {
  }, named{};
  return fstat(file, &open) == 0 && lstat(path.c_str(), &named) == 0 && same_file(open, named);
}

// The files of the process's output; zeros for closed ones. The calling thread may have descriptors of its own
// (base/files/own_files.h): /proc has those of the first thread.
using Output = std::array<struct stat, 2>;
Output output_now() {
  Output output{};
  stat("/proc/self/fd/1", &output[0]);
  stat("/proc/self/fd/2", &output[1]);
  return output;
}

constinit std::atomic<const Output*> remembered{nullptr};

bool is_output(const struct stat& place) {
  const Output* const known = remembered.load();
  const Output output = known ? *known : output_now();
  return std::any_of(output.begin(), output.end(), [&](const struct stat& it) { return same_file(it, place); });
}

// Whether the file is empty or begins with an intro block.
bool is_log(int file) {
  uint8_t code[2];
  const ssize_t size = pread(file, code, sizeof code, 0);
  return size == 0 || (size == 2 && code[0] == static_cast<uint8_t>(Block::kIntro) && code[1] == 0);
}

// Marks an open log as being written by this process while it is open; or checks whether one is. A check's short lock
// must not turn a writer away, which therefore retries. File systems without locks have no marks.
enum class Lock { kLook = LOCK_SH, kWrite = LOCK_EX };
bool lock(int file, Lock how) {
  constexpr timespec kPause{0, 2'000'000};
  for (int tries = 0; tries < 5; ++tries) {
    if (flock(file, static_cast<int>(how) | LOCK_NB) == 0 || errno != EWOULDBLOCK) return true;
    nanosleep(&kPause, nullptr);
  }
  return false;
}

const char* objection_to(const struct stat& place) {
  if (S_ISLNK(place.st_mode)) return "is a link; name the file that it leads to with -o";
  if (S_ISDIR(place.st_mode)) return "is a folder; name a file in it with -o";
  if (!S_ISREG(place.st_mode)) return "is not a file; name a file with -o";
  return is_output(place) ? "is where the program's output goes; name another file with -o" : nullptr;
}

// The objection to the file at `path`; nullptr if there is none, or a log may replace it; it is then open as `file` and
// locked.
const char* objection_to(const std::string& path, Lock how, int& file) {
  struct stat place {};
  file = -1;
  if (lstat(path.c_str(), &place) != 0) return nullptr;
  if (const char* objection = objection_to(place)) return objection;
  OpenFile old(open_with_high_number(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
  struct stat opened {};
  if (old.number() < 0 || fstat(old.number(), &opened) != 0 || !same_file(place, opened) || !is_log(old.number()))
    return "already exists and is not a log; name another file with -o, or remove it";
  if (!lock(old.number(), how)) return kIsWritten;
  file = old.release();
  return nullptr;
}

std::string part_of(const std::string& path) { return path + ".part"; }

// Creates the file of a log with this name; errors tell of the one that it is to have.
Result<int> create_at(const std::string& path, const std::string& told) {
  int number = -1;
  if (const char* objection = objection_to(path, Lock::kWrite, number)) return refused(told, objection);
  const OpenFile old(number);
  if (number >= 0 && is_at(number, path) && unlink(path.c_str()) != 0) return cannot_write(told, errno);
  // A recorder reads its file to save it.
  OpenFile made(open_with_high_number(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0600));
  if (made.number() < 0 && errno == EEXIST) return refused(told, kIsWritten);
  if (made.number() < 0) return cannot_write(told, errno);
  // Before it was locked, another process may have taken the empty file for an abandoned one.
  if (!lock(made.number(), Lock::kWrite) || !is_at(made.number(), path)) return refused(told, kIsWritten);
  return made.release();
}

}  // namespace

void remember_output() {
  const Output* none = nullptr;
  const auto* const output = new Output(output_now());
  if (!remembered.compare_exchange_strong(none, output)) delete output;
}

Status may_hold_log(const std::string& path) {
  int number = -1;
  const char* objection = objection_to(path, Lock::kLook, number);
  const OpenFile old(number);
  return objection ? refused(path, objection) : Status::ok();
}

Result<int> create_log(const std::string& path) { return create_at(path, path); }

Result<int> create_unpublished_log(const std::string& path) {
  if (Status status = may_hold_log(path); !status) return status;
  return create_at(part_of(path), path);
}

Status publish_log(int file, const std::string& path) {
  const std::string part = part_of(path);
  int number = -1;
  if (const char* objection = objection_to(path, Lock::kWrite, number)) return refused(path, objection);
  const OpenFile old(number);  // nobody else replaces it while it is locked
  if (!is_at(file, part)) return refused(path, "was to be written, but somebody has taken '" + part + "' away");
  // Nobody's new file is replaced, where the file system can promise that.
  if (number < 0 && rename_to_new(part, path)) return Status::ok();
  if (number < 0 && errno == EEXIST) return refused(path, kIsWritten);
  return rename(part.c_str(), path.c_str()) == 0 ? Status::ok() : cannot_write(path, errno);
}

void remove_unpublished(int file, const std::string& path) {
  const std::string part = part_of(path);
  if (is_at(file, part)) unlink(part.c_str());
}

void close_log(int file) {
  flock(file, LOCK_UN);
  close(file);
}

Result<std::string> log_place(const std::string& path) {
  std::error_code error;
  std::string place = path;
  struct stat status {};
  for (int links = 0; lstat(place.c_str(), &status) == 0 && S_ISLNK(status.st_mode); ++links) {
    struct stat end {};
    const char* objection = stat(place.c_str(), &end) == 0 ? objection_to(end) : nullptr;
    if (objection) return refused(path, objection);
    if (links == kMostLinks) return no_place(path, "its links lead nowhere");
    if (status.st_uid != geteuid()) return no_place(path, "it is another user's link");
    const fs::path target = fs::read_symlink(place, error);
    if (error) return no_place(path, error.message());
    place = (fs::path(place).parent_path() / target).string();
  }
  if (place == path) return path;
  const fs::path folder = fs::canonical(fs::path(place).parent_path(), error);
  if (error) return no_place(path, error.message());
  return (folder / fs::path(place).filename()).string();
}

}  // namespace oriel::log
