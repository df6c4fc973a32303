#include "symbols/byte_source.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace oriel::symbols {

ByteSource::ByteSource(int file) : file_(file) {
  struct stat about {};
  if (file_ >= 0 && fstat(file_, &about) == 0 && S_ISREG(about.st_mode)) size_ = static_cast<uint64_t>(about.st_size);
}

ByteSource::~ByteSource() {
  if (file_ >= 0) close(file_);
}

bool ByteSource::read(uint64_t offset, void* to, size_t size) const {
  if (offset > size_ || size > size_ - offset) return false;
  if (memory_) {
    std::memcpy(to, memory_ + offset, size);
    return true;
  }
  auto* out = static_cast<uint8_t*>(to);
  while (size > 0) {
    const ssize_t got = pread(file_, out, size, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    out += got;
    offset += static_cast<uint64_t>(got);
    size -= static_cast<size_t>(got);
  }
  return true;
}

}  // namespace oriel::symbols
