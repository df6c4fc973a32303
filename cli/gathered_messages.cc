#include "gathered_messages.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>

#include "base/descriptor.h"
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

void GatheredMessages::start() {
  std::error_code error;
  std::string path = std::filesystem::temp_directory_path(error) / "oriel-messages-XXXXXX";
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
