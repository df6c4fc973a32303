#include "base/process/control_groups.h"

#include <algorithm>

#include "base/files/descriptor.h"

namespace oriel {
namespace {

uint64_t least_from(const std::string& top, std::string group, uint64_t (*of_folder)(const std::string&)) {
  uint64_t least = UINT64_MAX;
  if (group.find("..") != group.npos) group = "/";
  for (;;) {
    least = std::min(least, of_folder(top + (group == "/" ? "" : group)));
    const size_t slash = group.rfind('/');
    if (group == "/" || slash == group.npos) return least;
    group.resize(std::max<size_t>(slash, 1));
  }
}

}  // namespace

// Version 2 has "0::/path", version 1 "4:pids:/path".
uint64_t least_in_control_groups(const char* controller, uint64_t (*of_folder)(const std::string&)) {
  const std::string groups = system_text("/proc/self/cgroup"), top = "/sys/fs/cgroup";
  const std::string first_version = ":" + std::string(controller) + ":";
  uint64_t least = UINT64_MAX;
  for (size_t at = 0; at < groups.size();) {
    const size_t end = std::min(groups.find('\n', at), groups.size());
    const std::string line = groups.substr(at, end - at);
    const size_t path = line.find(":/");
    at = end + 1;
    if (path == line.npos) continue;
    if (line.starts_with("0::")) least = std::min(least, least_from(top, line.substr(path + 1), of_folder));
    if (line.find(first_version) != line.npos)
      least = std::min(least, least_from(top + "/" + controller, line.substr(path + 1), of_folder));
  }
  return least;
}

}  // namespace oriel
