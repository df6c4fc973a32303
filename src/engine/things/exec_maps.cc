#include "engine/things/code_map.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <mutex>
#include <string_view>
#include <vector>

#include "base/files/descriptor.h"
#include "base/process/maps_line.h"

namespace oriel {
namespace {

struct Snapshot {
  std::mutex lock;
  std::vector<ExecutableMapping> mappings;  // ascending
  uint64_t forgotten = 0;                   // number of times
};

Snapshot& snapshot() {
  static auto* const made = new Snapshot;
  return *made;
}

// Whether the line, with its end, is an executable mapping.
bool parse_line(std::string_view line, ExecutableMapping& mapping) {
  MapsLine parsed;
  if (line.ends_with('\n')) line.remove_suffix(1);
  if (!parse_maps_line(line, parsed)) return false;
  mapping.start = parsed.start;
  mapping.end = parsed.end;
  mapping.generated = parsed.name.empty() || parsed.name.starts_with("/memfd:") || parsed.name.starts_with("[anon:");
  return parsed.is_executable;
}

std::vector<ExecutableMapping> read_mappings() {
  std::vector<ExecutableMapping> found;
  const int file = open_with_high_number("/proc/self/maps", O_RDONLY);
  FILE* const maps = file < 0 ? nullptr : fdopen(file, "r");
  if (!maps) {
    if (file >= 0) close(file);
    return found;
  }
  char* line = nullptr;
  size_t size = 0;
  ExecutableMapping mapping;
  while (getline(&line, &size, maps) > 0) {
    if (parse_line(line, mapping)) found.push_back(mapping);
  }
  free(line);
  fclose(maps);
  return found;
}

ExecutableMapping find(const std::vector<ExecutableMapping>& mappings, uintptr_t address) {
  const auto above = std::upper_bound(mappings.begin(), mappings.end(), address,
                                      [](uintptr_t value, const ExecutableMapping& it) { return value < it.start; });
  if (above == mappings.begin() || address >= std::prev(above)->end) return {};
  return *std::prev(above);
}

}  // namespace

ExecutableMapping executable_mapping(uintptr_t address) {
  constexpr uintptr_t kUserEnd = uintptr_t{1} << 47;
  if (address < 4096 || address >= kUserEnd) return {};
  Snapshot& known = snapshot();
  uint64_t forgotten = 0;
  {
    const std::lock_guard guard(known.lock);
    const ExecutableMapping found = find(known.mappings, address);
    if (found.end != 0) return found;
    forgotten = known.forgotten;
  }
  std::vector<ExecutableMapping> fresh = read_mappings();
  const ExecutableMapping found = find(fresh, address);
  const std::lock_guard guard(known.lock);
  // A result read while an image came or went is not remembered.
  if (known.forgotten == forgotten) known.mappings = std::move(fresh);
  return found;
}

void forget_executable_mappings() {
  Snapshot& known = snapshot();
  const std::lock_guard guard(known.lock);
  known.mappings.clear();
  ++known.forgotten;
}

}  // namespace oriel
