// Encodes records: a growing buffer, and the codec (codec.h) that appends to it.
#pragma once

#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "base/varint.h"
#include "log/layout.h"

namespace oriel::log {

// Bytes on the heap. Growing may throw std::bad_alloc.
class ByteBuffer {
 public:
  ByteBuffer() = default;
  ByteBuffer(const ByteBuffer&) = delete;
  ByteBuffer& operator=(const ByteBuffer&) = delete;
  ~ByteBuffer() { std::free(data_); }

  const uint8_t* data() const { return data_; }
  uint8_t* data() { return data_; }
  size_t size() const { return size_; }
  void shrink(size_t size) { size_ = size; }
  void swap(ByteBuffer& other) {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

  // Returns room for `count` bytes at the end; after writing, call commit with the byte after the last one.
  uint8_t* room(size_t count) {
    if (capacity_ - size_ < count) grow(size_ + count);
    return data_ + size_;
  }
  void commit(const uint8_t* end) { size_ = static_cast<size_t>(end - data_); }
  void append(const void* bytes, size_t count) {
    if (count == 0) return;
    std::memcpy(room(count), bytes, count);
    size_ += count;
  }

 private:
  void grow(size_t least) {
    const size_t capacity = least > 2 * capacity_ ? least + 4096 : 2 * capacity_;
    auto* data = static_cast<uint8_t*>(std::realloc(data_, capacity));
    if (data == nullptr) throw std::bad_alloc();
    data_ = data;
    capacity_ = capacity;
  }

  uint8_t* data_ = nullptr;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

// The writing codec, for the newest version unless told otherwise.
class Encoder {
 public:
  explicit Encoder(ByteBuffer& out, uint64_t version = kVersion2) : out_(out), version_(version) {}

  void byte(const char*, uint8_t value, const char*, FieldKind = FieldKind::kPlain) {
    uint8_t* at = out_.room(1);
    *at++ = value;
    out_.commit(at);
  }
  void integer(const char*, uint64_t value, const char*, FieldKind = FieldKind::kPlain) {
    out_.commit(write_varint(out_.room(kMaxVarintBytes), value));
  }
  void fixed64(const char*, uint64_t value, const char*) {
    uint8_t* at = out_.room(8);
    for (int shift = 0; shift < 64; shift += 8) *at++ = static_cast<uint8_t>(value >> shift);
    out_.commit(at);
  }
  // Up to its first NUL.
  void string(const char*, const std::string& value, const char*, FieldKind = FieldKind::kPlain) {
    out_.append(value.c_str(), std::strlen(value.c_str()) + 1);
  }
  template <typename R>
  void record(const char*, const R& value, const char*) {
    fields(*this, value);
  }
  template <typename Visit>
  void since(uint64_t version, Visit visit) {
    if (version_ >= version) visit();
  }
  template <typename Visit>
  void added(Visit visit) {
    if (version_ >= kVersion2) visit();
  }
  template <typename Visit>
  void when(bool present, const char*, Visit visit) {
    if (present) visit();
  }
  // An item that begins like the terminator (id 0, no name) has no information, and is left out.
  template <typename List>
  void list(const char*, const List& items, Ending ending, const char*, FieldKind = FieldKind::kPlain) {
    for (const auto& item : items) {
      const size_t start = out_.size();
      fields(*this, item);
      if (out_.data()[start] == static_cast<uint8_t>(ending)) out_.shrink(start);
    }
    byte("", static_cast<uint8_t>(ending), "");
  }

 private:
  ByteBuffer& out_;
  uint64_t version_;
};

}  // namespace oriel::log
