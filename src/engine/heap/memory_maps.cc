#include "engine/heap/memory_maps.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <string_view>

#include "base/process/maps_line.h"

namespace oriel {
namespace {

bool parse(std::string_view line, MemoryArea& area) {
  MapsLine parsed;
  if (!parse_maps_line(line, parsed)) return false;
  area.start = parsed.start;
  area.end = parsed.end;
  area.is_readable = parsed.is_readable;
  area.is_writable = parsed.is_writable;
  area.is_executable = parsed.is_executable;
  area.is_shared = parsed.is_shared;
  area.is_anonymous = parsed.name.empty();
  area.is_runtimes = parsed.name.starts_with("/memfd:doublemapper");
  // An assembly that Mono compiled ahead of time is a library too.
  area.is_native_library = parsed.name.find(".so") != parsed.name.npos &&
                           parsed.name.find(".dll.so") == parsed.name.npos &&
                           parsed.name.find(".exe.so") == parsed.name.npos;
  return true;
}

}  // namespace

int64_t read_memory_areas(MemoryArea* areas, size_t most) {
  const int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (file < 0) return -1;
  char text[8192];
  size_t filled = 0, count = 0;
  for (;;) {
    const ssize_t got = read(file, text + filled, sizeof text - 1 - filled);
    if (got <= 0) break;
    filled += static_cast<size_t>(got);
    char* line = text;
    for (;;) {
      char* const end = static_cast<char*>(std::memchr(line, '\n', static_cast<size_t>(text + filled - line)));
      if (end == nullptr) break;
      if (count < most && parse({line, end}, areas[count])) ++count;
      line = end + 1;
    }
    filled = static_cast<size_t>(text + filled - line);
    std::memmove(text, line, filled);
    if (filled == sizeof text - 1) filled = 0;  // no path is that long
  }
  close(file);
  return static_cast<int64_t>(count);
}

PresentPages::PresentPages() : file_(open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC)) {}

PresentPages::~PresentPages() {
  if (file_ >= 0) close(file_);
}

// The page table of a fork does not have shared pages before they are touched.
size_t PresentPages::read_shared(uintptr_t address, uint64_t* entries, size_t count) {
  unsigned char is_there[kAtOnce];
  if (mincore(reinterpret_cast<void*>(address), count * kPage, is_there) != 0) return 0;
  for (size_t i = 0; i < count; ++i) entries[i] = is_there[i] & 1 ? kPresentOrSwapped : 0;
  return count;
}

size_t PresentPages::read(uintptr_t address, bool is_shared, uint64_t* entries, size_t count) const {
  if (file_ < 0 || count == 0) return 0;
  if (is_shared) return read_shared(address, entries, count);
  const ssize_t got =
      pread(file_, entries, count * sizeof *entries, static_cast<off_t>(address / kPage * sizeof *entries));
  return got < 0 ? 0 : static_cast<size_t>(got) / sizeof *entries;
}

}  // namespace oriel
