#include "base/files/own_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>

namespace oriel {
namespace {

constexpr unsigned kUnshare = 1u << 1;  // CLOSE_RANGE_UNSHARE of linux/close_range.h
constexpr unsigned kLast = ~0u;

bool close_range(unsigned first, unsigned last, unsigned flags) {
#ifdef SYS_close_range
  return syscall(SYS_close_range, first, last, flags) == 0;
#else
  return syscall(436, first, last, flags) == 0;  // the same number on all processors
#endif
}

}  // namespace

namespace internal {

bool take_own_files_one_by_one(int keep) {
  constexpr const char* kOwn = "/proc/thread-self/fd";
  if (access(kOwn, R_OK) != 0 || unshare(CLONE_FILES) != 0) return false;
  if (keep != 0) close(0);  // a full table has no room for listing its files
  DIR* const list = opendir(kOwn);
  if (!list) return true;
  while (const dirent* entry = readdir(list)) {
    const int file = std::atoi(entry->d_name);
    if (entry->d_name[0] != '.' && file != keep && file != dirfd(list)) close(file);
  }
  closedir(list);
  return true;
}

}  // namespace internal

// Not by open(2): ThreadSanitizer takes the numbers for those of the program's streams.
void open_standard_streams() {
  while (true) {
    const long file = syscall(SYS_openat, AT_FDCWD, "/dev/null", O_RDWR | O_CLOEXEC);
    if (file > STDERR_FILENO) close(static_cast<int>(file));
    if (file < 0 || file >= STDERR_FILENO) return;
  }
}

// The first call copies only what is below its range: a copied pipe would keep the program's pipe open.
bool unshare_descriptors(int keep) {
  const auto first = static_cast<unsigned>(keep + 1);
  if (!close_range(first, kLast, kUnshare)) return internal::take_own_files_one_by_one(keep);
  if (keep > 0) close_range(0, first - 2, 0);
  return true;
}

}  // namespace oriel
