// Decodes records: the codec (codec.h) that reads fields from a block's bytes, and never beyond them.
#pragma once

#include <cstring>
#include <type_traits>
#include <utility>

#include "base/text/utf8.h"
#include "base/varint.h"
#include "log/layout.h"

namespace oriel::log {

// A reading position in bytes that end at `end`.
struct Cursor {
  const uint8_t* at = nullptr;
  const uint8_t* end = nullptr;

  size_t left() const { return static_cast<size_t>(end - at); }
  // False, and at the end, if there is no complete INT.
  [[gnu::always_inline]] bool integer(uint64_t& value) {
    const uint8_t* after = read_varint(at, end, value);
    at = after != nullptr ? after : end;
    return after != nullptr;
  }
};

// The maximum number of images in coverage of so many bytes. An image may have a few bytes but takes hundreds in
// memory; a program's have an MVID of 32 digits each.
inline uint64_t most_images(uint64_t bytes) { return 1000 + bytes / 40; }

// The reading codec. `OnItem` is called with the items of lists that it has an overload for, and returns whether the
// item is valid; other lists fill their vectors, which are therefore bounded by the block's bytes. After the first
// unreadable field, ok() is false and the rest reads as 0.
template <typename OnItem>
class FieldReader {
 public:
  FieldReader(Cursor& in, uint64_t version, OnItem& on_item) : in_(in), version_(version), on_item_(on_item) {}

  bool ok() const { return ok_; }

  void byte(const char*, uint8_t& value, const char*, FieldKind = FieldKind::kPlain) {
    if (!has(1)) return;
    value = *in_.at++;
  }
  void integer(const char*, uint64_t& value, const char*, FieldKind = FieldKind::kPlain) {
    if (!ok_ || !in_.integer(value)) ok_ = false;
  }
  void fixed64(const char*, uint64_t& value, const char*) {
    if (!has(8)) return;
    value = 0;
    for (int shift = 0; shift < 64; shift += 8) value |= static_cast<uint64_t>(*in_.at++) << shift;
  }
  void string(const char*, std::string& value, const char*, FieldKind = FieldKind::kPlain) {
    if (!has(1)) return;
    const void* nul = std::memchr(in_.at, 0, in_.left());
    if (nul == nullptr) return fail();
    const auto* end = static_cast<const uint8_t*>(nul);
    value.assign(reinterpret_cast<const char*>(in_.at), static_cast<size_t>(end - in_.at));
    make_valid_utf8(value);
    in_.at = end + 1;
  }
  template <typename R>
  void record(const char*, R& value, const char*) {
    fields(*this, value);
  }
  template <typename Visit>
  void since(uint64_t version, Visit visit) {
    if (version_ >= version) visit();
  }
  template <typename Visit>
  void when(bool present, const char*, Visit visit) {
    if (present) visit();
  }
  template <typename Visit>
  void added(Visit visit) {
    if (ok_ && in_.left() != 0) visit();
  }
  template <typename List>
  void list(const char*, List& items, Ending ending, const char*, FieldKind = FieldKind::kPlain) {
    using Item = typename List::value_type;
    Item item{};
    while (has(1)) {
      if (*in_.at == static_cast<uint8_t>(ending)) {
        ++in_.at;
        return;
      }
      fields(*this, item);
      if (!ok_) return;
      if constexpr (std::is_invocable_r_v<bool, OnItem&, const Item&>) {
        if (!on_item_(std::as_const(item))) return fail();
      } else {
        items.push_back(item);
      }
    }
  }

 private:
  bool has(size_t bytes) {
    if (!ok_ || in_.left() < bytes) ok_ = false;
    return ok_;
  }
  void fail() { ok_ = false; }

  Cursor& in_;
  uint64_t version_;
  OnItem& on_item_;
  bool ok_ = true;
};

// Reads a record; false if its bytes are truncated or invalid.
template <typename Record, typename OnItem>
bool read_record(Cursor& in, uint64_t version, Record& record, OnItem on_item) {
  FieldReader<OnItem> reader(in, version, on_item);
  fields(reader, record);
  return reader.ok();
}
template <typename Record>
bool read_record(Cursor& in, uint64_t version, Record& record) {
  struct Nothing {};
  return read_record(in, version, record, Nothing{});
}

}  // namespace oriel::log
