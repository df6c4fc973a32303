// A line of /proc/self/maps (proc_pid_maps(5)). Neither locks nor allocates; async-safe.
#pragma once

#include <cstdint>
#include <string_view>

namespace oriel {

struct MapsLine {
  uintptr_t start = 0, end = 0;
  bool is_readable = false, is_writable = false, is_executable = false, is_shared = false;
  std::string_view name;  // of a file, or "[stack]" and the like; empty for none. Within the line
};

namespace internal {
inline uintptr_t cut_hexadecimal(std::string_view& text) {
  uintptr_t value = 0;
  for (; !text.empty(); text.remove_prefix(1)) {
    const char c = text.front();
    if (c >= '0' && c <= '9')
      value = value << 4 | static_cast<uintptr_t>(c - '0');
    else if (c >= 'a' && c <= 'f')
      value = value << 4 | static_cast<uintptr_t>(c - 'a' + 10);
    else
      break;
  }
  return value;
}
}  // namespace internal

// "7f0000000000-7f0000021000 rw-p 00000000 00:00 0          [heap]", without the line's end. False if it is no such
// line.
inline bool parse_maps_line(std::string_view line, MapsLine& parsed) {
  constexpr size_t kPermissions = 4;
  parsed = {};
  parsed.start = internal::cut_hexadecimal(line);
  if (line.empty() || line.front() != '-') return false;
  line.remove_prefix(1);
  parsed.end = internal::cut_hexadecimal(line);
  if (line.size() < 1 + kPermissions || line.front() != ' ') return false;
  parsed.is_readable = line[1] == 'r';
  parsed.is_writable = line[2] == 'w';
  parsed.is_executable = line[3] == 'x';
  parsed.is_shared = line[4] == 's';
  line.remove_prefix(1 + kPermissions);
  for (int field = 0; field < 3; ++field) {  // offset, device, inode
    while (!line.empty() && line.front() == ' ') line.remove_prefix(1);
    while (!line.empty() && line.front() != ' ') line.remove_prefix(1);
  }
  while (!line.empty() && line.front() == ' ') line.remove_prefix(1);
  parsed.name = line;
  return true;
}

}  // namespace oriel
