#include "push/spool.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "base/files/input_file.h"
#include "base/text/whole_number.h"
#include "base/text/words.h"

namespace oriel::push {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFirstLine = "oriel-push 1";
constexpr std::string_view kEnding = ".push";
constexpr std::string_view kUnfinished = ".new";  // while it is written

// A file of the spool, locked: whoever holds the lock sends or removes it.
class LockedFile {
 public:
  explicit LockedFile(const std::string& path)
      : number_(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)) {}
  ~LockedFile() {
    if (number_ >= 0) close(number_);
  }
  LockedFile(const LockedFile&) = delete;
  LockedFile& operator=(const LockedFile&) = delete;

  // Whether it is there, nobody else has it, and it has not been removed meanwhile.
  bool is_ours() const {
    struct stat state {};
    return number_ >= 0 && flock(number_, LOCK_EX | LOCK_NB) == 0 && fstat(number_, &state) == 0 && state.st_nlink > 0;
  }

 private:
  const int number_;
};

// By time, so that names are in the order of age.
std::string new_name() {
  static std::atomic<unsigned> count{0};
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto us = std::chrono::duration_cast<std::chrono::microseconds>(now).count();
  return fmt::format("{:020}-{}-{}{}", us, getpid(), count++, kEnding);
}

// What processes that were killed have left.
void remove_unfinished(const std::string& folder) {
  constexpr auto kOld = std::chrono::hours(1);
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const bool is_old = fs::file_time_type::clock::now() - entry.last_write_time(error) > kOld;
    if (entry.path().string().ends_with(kUnfinished) && is_old && !error) unlink(entry.path().c_str());
  }
}

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t size = write(file, text.data(), text.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return false;
    text.remove_prefix(static_cast<size_t>(size));
  }
  return true;
}

// The whole file, or none. Returns an errno, or 0.
int write_new_file(const std::string& path, std::string_view text) {
  const std::string unfinished = path + std::string(kUnfinished);
  const int file = open(unfinished.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file < 0) return errno;
  errno = 0;
  bool is_written = write_all(file, text);
  is_written = close(file) == 0 && is_written && rename(unfinished.c_str(), path.c_str()) == 0;
  if (is_written) return 0;
  const int error = errno;
  unlink(unfinished.c_str());
  return error != 0 ? error : EIO;
}

Status folder_error(const std::string& folder, const std::string& why) {
  return Status::error(fmt::format("--spool {}: {}", folder, why));
}

}  // namespace

namespace internal {

std::string text_of_parcel(const Parcel& parcel) {
  return fmt::format("{}\nurl={}\nquery={}\ntype={}\nencoding={}\nsize={}\n\n{}", kFirstLine, parcel.url, parcel.query,
                     parcel.content_type, parcel.content_encoding, parcel.body.size(), parcel.body);
}

std::optional<Parcel> read_parcel(std::string_view text) {
  if (cut(text, '\n') != kFirstLine) return std::nullopt;
  Parcel parcel;
  std::string size;
  const std::pair<std::string_view, std::string*> fields[] = {{"url", &parcel.url},
                                                              {"query", &parcel.query},
                                                              {"type", &parcel.content_type},
                                                              {"encoding", &parcel.content_encoding},
                                                              {"size", &size}};
  for (const auto& [name, value] : fields) {
    std::string_view line = cut(text, '\n');
    if (cut(line, '=') != name) return std::nullopt;
    *value = line;
  }
  if (!cut(text, '\n').empty() || whole_number(size) != text.size()) return std::nullopt;
  parcel.body = text;
  return parcel;
}

}  // namespace internal

Result<Spool> Spool::open(const std::string& folder, uint64_t limit) {
  if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
    return folder_error(folder, fmt::format("it cannot be made: {}", std::strerror(errno)));
  struct stat state {};
  if (lstat(folder.c_str(), &state) != 0 || !S_ISDIR(state.st_mode))
    return folder_error(folder, "it is no folder; name another");
  if (state.st_uid != geteuid() || (state.st_mode & 0022) != 0)
    return folder_error(folder, "it is another user's, or others may change it; name a folder of your own");
  return Spool(folder, limit);
}

std::vector<Spool::File> Spool::files() const {
  std::vector<File> files;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_, error)) {
    if (!entry.path().string().ends_with(kEnding) || !entry.is_regular_file(error)) continue;
    const uint64_t size = entry.file_size(error);
    files.push_back({entry.path().string(), error ? 0 : size});
  }
  std::ranges::sort(files, {}, &File::path);
  return files;
}

Result<Spool::Dropped> Spool::keep(const Parcel& parcel) const {
  const std::string text = internal::text_of_parcel(parcel);
  if (text.size() > limit_) return folder_error(folder_, "the profile is larger than --spool-limit, and is not kept");
  remove_unfinished(folder_);
  Dropped dropped;
  const std::vector<File> known = files();
  uint64_t total = text.size();
  for (const File& file : known) total += file.size;
  for (const File& file : known) {
    if (total <= limit_) break;
    const LockedFile locked(file.path);
    total -= file.size;  // also where another process is sending it: it is about to go
    if (!locked.is_ours() || unlink(file.path.c_str()) != 0) continue;
    ++dropped.parcels;
    dropped.bytes += file.size;
  }
  if (const int error = write_new_file(folder_ + "/" + new_name(), text); error != 0)
    return folder_error(folder_, fmt::format("the profile cannot be kept: {}", std::strerror(error)));
  return dropped;
}

size_t Spool::deliver(const std::string& url, const std::function<Then(const Parcel&)>& take) const {
  size_t damaged = 0;
  for (const File& file : files()) {
    const LockedFile locked(file.path);
    if (!locked.is_ours()) continue;
    const Result<std::string> text = read_input_text(file.path, std::max(limit_, file.size));
    if (!text) continue;
    const std::optional<Parcel> parcel = internal::read_parcel(*text);
    if (parcel && parcel->url != url) continue;
    const Then then = parcel ? take(*parcel) : Then::kRemove;
    if (!parcel) ++damaged;
    if (then == Then::kRemove) unlink(file.path.c_str());
    if (then == Then::kStop) break;
  }
  return damaged;
}

}  // namespace oriel::push
