#include "engine/exec_maps.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <vector>

#include "base/descriptor.h"

namespace oriel {
namespace {

struct Mapping {
  uintptr_t start;
  uintptr_t end;
};

struct Snapshot {
  std::mutex lock;
  std::vector<Mapping> mappings;  // ascending
};

Snapshot& snapshot() {
  static auto* const made = new Snapshot;
  return *made;
}

// A line of /proc/PID/maps: "start-end perms offset device inode   path".
bool parse_line(const char* line, Mapping& mapping) {
  char permissions[8] = "";
  int path_at = 0;
  if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %7s %*s %*s %*s %n", &mapping.start, &mapping.end, permissions,
             &path_at) < 3) {
    return false;
  }
  const char* const path = line + path_at;
  const bool of_file = path_at > 0 && *path && *path != '\n';
  const bool generated = !of_file || strncmp(path, "/memfd:", 7) == 0 || strncmp(path, "[anon:", 6) == 0;
  return permissions[2] == 'x' && generated;
}

std::vector<Mapping> read_mappings() {
  std::vector<Mapping> found;
  const int file = open_out_of_the_way("/proc/self/maps", O_RDONLY);
  FILE* const maps = file < 0 ? nullptr : fdopen(file, "r");
  if (!maps) {
    if (file >= 0) close(file);
    return found;
  }
  char* line = nullptr;
  size_t size = 0;
  Mapping mapping{};
  while (getline(&line, &size, maps) > 0) {
    if (parse_line(line, mapping)) found.push_back(mapping);
  }
  free(line);
  fclose(maps);
  return found;
}

bool contains(const std::vector<Mapping>& mappings, uintptr_t address) {
  const auto above = std::upper_bound(mappings.begin(), mappings.end(), address,
                                      [](uintptr_t value, const Mapping& it) { return value < it.start; });
  return above != mappings.begin() && address < std::prev(above)->end;
}

}  // namespace

bool in_generated_code(uintptr_t address) {
  constexpr uintptr_t kUserEnd = uintptr_t{1} << 47;
  if (address < 4096 || address >= kUserEnd) return false;
  Snapshot& known = snapshot();
  {
    const std::lock_guard guard(known.lock);
    if (contains(known.mappings, address)) return true;
  }
  std::vector<Mapping> fresh = read_mappings();
  const std::lock_guard guard(known.lock);
  known.mappings = std::move(fresh);
  return contains(known.mappings, address);
}

}  // namespace oriel
