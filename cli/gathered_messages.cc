#include "gathered_messages.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

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
  if (!path_.empty()) unlink(path_.c_str());
}

void GatheredMessages::start() {
  std::error_code error;
  std::string path = std::filesystem::temp_directory_path(error) / "oriel-messages-XXXXXX";
  const int file = error ? -1 : mkstemp(path.data());
  if (file < 0) return;
  close(file);
  path_ = path;
}

std::string GatheredMessages::read() const {
  std::ifstream file(path_, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace oriel::cli
