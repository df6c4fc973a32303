// Memory for a walk over the heap, which must not allocate: pages of its own, zero at first, that take memory only
// where they are touched.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <utility>

namespace oriel {

class PageMemory {
 public:
  enum class Kind { kPrivate, kShared };

  PageMemory() = default;
  explicit PageMemory(size_t bytes, Kind kind = Kind::kPrivate) : bytes_(bytes) {
    const int flags = MAP_ANONYMOUS | MAP_NORESERVE | (kind == Kind::kShared ? MAP_SHARED : MAP_PRIVATE);
    void* const got = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (got != MAP_FAILED) data_ = got;
  }
  PageMemory(PageMemory&& other) noexcept : data_(std::exchange(other.data_, nullptr)), bytes_(other.bytes_) {}
  PageMemory& operator=(PageMemory&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~PageMemory() {
    if (data_ != nullptr) munmap(data_, bytes_);
  }

  explicit operator bool() const { return data_ != nullptr; }
  template <typename T>
  T* as() const {
    return static_cast<T*>(data_);
  }

 private:
  void* data_ = nullptr;
  size_t bytes_ = 0;
};

}  // namespace oriel
