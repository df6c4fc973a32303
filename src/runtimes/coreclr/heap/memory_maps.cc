#include "runtimes/coreclr/heap/memory_maps.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

namespace oriel::coreclr {
namespace {

uintptr_t hexadecimal(const char*& at) {
  uintptr_t value = 0;
  for (;; ++at) {
    const char c = *at;
    if (c >= '0' && c <= '9')
      value = value << 4 | static_cast<uintptr_t>(c - '0');
    else if (c >= 'a' && c <= 'f')
      value = value << 4 | static_cast<uintptr_t>(c - 'a' + 10);
    else
      return value;
  }
}

// "7f0000000000-7f0000021000 rw-p 00000000 00:00 0                          [heap]", ended by a NUL.
bool parse(const char* line, MemoryArea& area) {
  const char* at = line;
  area.start = hexadecimal(at);
  if (*at++ != '-') return false;
  area.end = hexadecimal(at);
  if (*at++ != ' ' || std::strlen(at) < 4) return false;
  area.is_readable = at[0] == 'r';
  area.is_writable = at[1] == 'w';
  area.is_executable = at[2] == 'x';
  area.is_shared = at[3] == 's';
  const char* const name = std::strpbrk(at, "/[");
  area.is_anonymous = name == nullptr;
  area.is_runtimes = name != nullptr && std::strstr(name, "/memfd:doublemapper") != nullptr;
  area.is_native_library = name != nullptr && std::strstr(name, ".so") != nullptr;
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
      *end = 0;
      if (count < most && parse(line, areas[count])) ++count;
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

}  // namespace oriel::coreclr
