#include "symbols/byte_source.h"

#include <utility>

namespace oriel::symbols {

ByteSource::ByteSource(const std::string& path) {
  Result<InputFile> file = InputFile::open(path, kMostBytes);
  if (!file) return;
  size_ = file->size();
  file_.emplace(std::move(*file));
}

bool ByteSource::read(uint64_t offset, void* to, size_t size) const {
  if (file_) return file_->read(offset, to, size);
  if (offset > size_ || size > size_ - offset) return false;
  if (size != 0) std::memcpy(to, memory_ + offset, size);
  return true;
}

}  // namespace oriel::symbols
