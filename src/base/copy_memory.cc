#include "base/copy_memory.h"

#include <sys/uio.h>
#include <unistd.h>

namespace oriel {

bool copy_memory(const void* from, void* to, size_t size) {
  const iovec local{to, size};
  const iovec remote{const_cast<void*>(from), size};
  return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == static_cast<ssize_t>(size);
}

bool is_readable(const void* byte) {
  const char known = 0;
  char copy = 0;
  return copy_memory(byte, &copy, 1) || !copy_memory(&known, &copy, 1);
}

}  // namespace oriel
