#include "modules/control_group.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include "base/files/descriptor.h"
#include "log/properties.h"

namespace oriel::modules {
namespace {

bool has_word(const std::string& list, std::string_view word) {
  std::istringstream words(list);
  for (std::string one; std::getline(words, one, ',');)
    if (one == word) return true;
  return false;
}

// A line of /proc/self/mountinfo: proc_pid_mountinfo(5).
struct Mount {
  std::string root, point, type, options;
};
Mount mount_of(const std::string& line) {
  Mount mount;
  std::istringstream words(line);
  std::string skipped;
  words >> skipped >> skipped >> skipped >> mount.root >> mount.point;
  while (words >> skipped && skipped != "-") continue;
  words >> mount.type >> skipped >> mount.options;
  return mount;
}

// Where the hierarchy of a controller is mounted, and the process's group in it: cgroups(7).
struct Place {
  std::string top;    // the folder where it is mounted
  std::string group;  // below it: "/a/b", or "" for the top itself
};

// The process's group in /proc/self/cgroup, in the controller's hierarchy, of version 1 or 2.
std::optional<std::string> group_of(const std::string& groups, const char* controller, bool second_version) {
  std::istringstream lines(groups);
  for (std::string line; std::getline(lines, line);) {
    const size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (second_version ? controllers.empty() : has_word(controllers, controller)) return line.substr(second + 1);
  }
  return std::nullopt;
}

std::optional<Place> place_of(const std::string& groups, const std::string& mounts, const char* controller,
                              bool second_version) {
  const std::optional<std::string> group = group_of(groups, controller, second_version);
  if (!group) return std::nullopt;
  std::istringstream lines(mounts);
  for (std::string line; std::getline(lines, line);) {
    const Mount mount = mount_of(line);
    if (second_version ? mount.type != "cgroup2" : mount.type != "cgroup" || !has_word(mount.options, controller))
      continue;
    // The mount may be a part of the hierarchy, the container's own.
    std::string below = *group;
    if (mount.root != "/" && below.starts_with(mount.root)) below.erase(0, mount.root.size());
    if (below == "/" || below.starts_with("/..")) below.clear();
    return Place{mount.point, std::move(below)};
  }
  return std::nullopt;
}

// The folders of the process's groups with a controller of either version, innermost first.
std::vector<std::string> folders_of(const std::string& root, const char* controller) {
  const std::string groups = system_text(root + "/proc/self/cgroup");
  const std::string mounts = system_text(root + "/proc/self/mountinfo");
  std::vector<std::string> folders;
  for (const bool second_version : {false, true}) {
    const std::optional<Place> place = place_of(groups, mounts, controller, second_version);
    if (!place) continue;
    for (std::string group = place->group;; group.erase(group.rfind('/'))) {
      folders.push_back(root + place->top + group);
      if (group.find('/') == std::string::npos) break;
    }
  }
  return folders;
}

// "50000 100000" of cpu.max; "max 100000" is no limit.
double limit_of(const std::string& quota, const std::string& period) {
  const long long most = std::strtoll(quota.c_str(), nullptr, 10), of = std::strtoll(period.c_str(), nullptr, 10);
  return most > 0 && of > 0 ? static_cast<double>(most) / static_cast<double>(of) : 0;
}

double limit_in(const std::string& folder) {
  std::istringstream second(system_text(folder + "/cpu.max"));
  std::string quota, period;
  if (second >> quota >> period) return limit_of(quota, period);
  return limit_of(system_text(folder + "/cpu.cfs_quota_us"), system_text(folder + "/cpu.cfs_period_us"));
}

}  // namespace

CpuGroup::CpuGroup(std::string root) : root_(std::move(root)) {
  for (const std::string& folder : folders_of(root_, "cpu")) take_if_least(folder);
  throttling_before_ = throttling();
  stolen_before_ = stolen_ns();
}

void CpuGroup::take_if_least(const std::string& folder) {
  const double limit = limit_in(folder);
  if (limit <= 0 || (limit_ > 0 && limit_ <= limit)) return;
  limit_ = limit;
  folder_ = folder;
}

CpuGroup::Throttling CpuGroup::throttling() const {
  Throttling now;
  if (folder_.empty()) return now;
  std::istringstream lines(system_text(folder_ + "/cpu.stat"));
  std::string name;
  for (uint64_t value = 0; lines >> name >> value;) {
    if (name == "nr_periods") now.periods = value;
    if (name == "nr_throttled") now.throttled = value;
    if (name == "throttled_usec") now.ns = value * 1000;
    if (name == "throttled_time") now.ns = value;
  }
  return now;
}

// The eighth number of /proc/stat's first line, in ticks: proc_stat(5).
uint64_t CpuGroup::stolen_ns() const {
  std::istringstream words(system_text(root_ + "/proc/stat"));
  std::string name;
  uint64_t ticks = 0;
  words >> name;
  for (int i = 0; i < 8; ++i)
    if (!(words >> ticks)) return 0;
  return ticks * (1'000'000'000u / static_cast<uint64_t>(sysconf(_SC_CLK_TCK)));
}

std::vector<log::Counter> CpuGroup::counters() const {
  std::vector<log::Counter> counters;
  if (limit_ > 0) {
    const Throttling now = throttling();
    const auto since = [](uint64_t value, uint64_t before) { return value > before ? value - before : 0; };
    counters.push_back({log::counter::kCpuPeriods, since(now.periods, throttling_before_.periods)});
    counters.push_back({log::counter::kCpuThrottled, since(now.throttled, throttling_before_.throttled)});
    counters.push_back({log::counter::kCpuThrottledNs, since(now.ns, throttling_before_.ns)});
  }
  if (const uint64_t stolen = stolen_ns(); stolen > stolen_before_)
    counters.push_back({log::counter::kCpuStolenNs, stolen - stolen_before_});
  return counters;
}

uint64_t memory_limit(const std::string& root) {
  constexpr uint64_t kNone = uint64_t{1} << 60;  // version 1 represents no limit by a huge one
  uint64_t least = 0;
  for (const std::string& folder : folders_of(root, "memory")) {
    for (const char* file : {"/memory.max", "/memory.limit_in_bytes"}) {
      const uint64_t limit = std::strtoull(system_text(folder + file).c_str(), nullptr, 10);
      if (limit > 0 && limit < kNone && (least == 0 || limit < least)) least = limit;
    }
  }
  return least;
}

}  // namespace oriel::modules
