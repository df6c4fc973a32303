#include "run/gathered_messages.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <map>
#include <set>

#include "base/files/descriptor.h"
#include "base/gathering.h"

namespace oriel::cli {

std::vector<std::string> summarized(std::string_view gathered, size_t processes) {
  std::vector<std::string> order;
  std::map<std::string, std::set<std::string>> said_by;
  while (!gathered.empty()) {
    const size_t end = gathered.find('\n');
    const std::string_view line = gathered.substr(0, end);
    gathered = end == std::string_view::npos ? std::string_view() : gathered.substr(end + 1);
    const size_t space = line.find(' ');
    if (space == std::string_view::npos) continue;
    const std::string message(line.substr(space + 1));
    if (!said_by.contains(message)) order.push_back(message);
    said_by[message].insert(std::string(line.substr(0, space)));
  }
  std::vector<std::string> lines;
  for (const std::string& message : order) {
    const std::set<std::string>& pids = said_by[message];
    if (pids.size() >= processes)
      lines.push_back(message);
    else if (pids.size() == 1)
      lines.push_back(fmt::format("in process {}: {}", *pids.begin(), message));
    else
      lines.push_back(fmt::format("in {} of {} processes: {}", pids.size(), processes, message));
  }
  return lines;
}

GatheredMessages::~GatheredMessages() {
  if (file_ < 0) return;
  unlink(path_.c_str());
  close(file_);
}

namespace {

constexpr const char* kFilePrefix = "oriel-messages-";

// Removes files of killed processes. Their profiled processes have had time to print the messages in them.
void remove_left_behind(const std::filesystem::path& folder) {
  constexpr time_t kTime = 3600;
  std::error_code error;
  for (const std::filesystem::directory_entry& entry : std::filesystem::directory_iterator(folder, error)) {
    if (!entry.path().filename().string().starts_with(kFilePrefix)) continue;
    struct stat about {};
    const int file = open(entry.path().c_str(), O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    const bool is_left = file >= 0 && fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_uid == geteuid() &&
                         time(nullptr) - about.st_mtim.tv_sec > kTime && flock(file, LOCK_EX | LOCK_NB) == 0;
    if (is_left) unlink(entry.path().c_str());
    if (file >= 0) close(file);
  }
}

}  // namespace

void GatheredMessages::start(const std::string& folder) {
  std::error_code error;
  const std::filesystem::path place =
      folder.empty() ? std::filesystem::temp_directory_path(error) : std::filesystem::path(folder);
  if (!error && folder.empty()) remove_left_behind(place);
  std::string path = place / (std::string(kFilePrefix) + "XXXXXX");
  file_ = error ? -1 : mkostemp(path.data(), O_CLOEXEC);
  if (file_ < 0) return;
  path_ = path;
  flock(file_, LOCK_EX);
  [[maybe_unused]] const ssize_t begun = write(file_, kGathering.data(), kGathering.size());
}

std::string GatheredMessages::take() {
  if (file_ < 0) return "";
  unlink(path_.c_str());
  const std::string text = whole_text(file_);
  return text.starts_with(kGathering) ? text.substr(kGathering.size()) : text;
}

}  // namespace oriel::cli
