// Makes the bytes of small .nettrace files.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "imports/nettrace_blocks.h"

namespace oriel::imports {

class Bytes {
 public:
  template <typename Number>
  Bytes& add(Number number) {
    const size_t at = bytes_.size();
    bytes_.resize(at + sizeof number);
    std::memcpy(bytes_.data() + at, &number, sizeof number);
    return *this;
  }
  Bytes& text(std::string_view ascii) {
    for (const char letter : ascii) add<uint16_t>(static_cast<uint8_t>(letter));
    return add<uint16_t>(0);
  }
  Bytes& raw(std::string_view bytes) {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    return *this;
  }
  Bytes& raw(const std::vector<uint8_t>& bytes) {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    return *this;
  }
  Bytes& varint(uint64_t value) {
    for (; value >= 0x80; value >>= 7) add<uint8_t>(static_cast<uint8_t>(value | 0x80));
    return add<uint8_t>(static_cast<uint8_t>(value));
  }
  const std::vector<uint8_t>& all() const { return bytes_; }

 private:
  std::vector<uint8_t> bytes_;
};

// Times are nanoseconds since the file's begin, which is at kBegin.
class TraceFile {
 public:
  static constexpr uint64_t kBegin = 1000;

  TraceFile() {
    out_.raw("Nettrace").add<uint32_t>(20).raw("!FastSerialization.1");
    begin_object("Trace", 4);
    for (const int part : {2026, 11, 5, 27, 22, 23, 12, 338}) out_.add<uint16_t>(static_cast<uint16_t>(part));
    out_.add<uint64_t>(kBegin).add<uint64_t>(1'000'000'000).add<uint32_t>(8).add<uint32_t>(4711).add<uint32_t>(2);
    out_.add<uint32_t>(1'000'000).add<uint8_t>(6);
  }

  void kind(uint32_t number, std::string_view provider, uint32_t id, uint32_t version, std::string_view name = "") {
    Bytes payload;
    payload.add(number).text(provider).add(id).text(name).add<uint64_t>(0).add(version).add<uint32_t>(4).add<uint32_t>(
        0);
    events("MetadataBlock", Bytes().raw(header(0, 0, 0, 0, 0, payload.all().size())).raw(payload.all()));
  }
  void stack(uint32_t number, const std::vector<uint64_t>& addresses) {
    Bytes bytes;
    bytes.add(number).add<uint32_t>(1).add<uint32_t>(static_cast<uint32_t>(addresses.size() * 8));
    for (const uint64_t address : addresses) bytes.add(address);
    block("StackBlock", bytes.all());
  }
  // In a block of its own. `sequence` counts from 1 for each capturing thread, which is the thread here.
  void event(uint32_t kind, uint64_t thread, uint32_t sequence, uint64_t ns, uint32_t stack, const Bytes& payload) {
    events("EventBlock",
           Bytes().raw(header(kind, thread, sequence, ns, stack, payload.all().size())).raw(payload.all()));
  }
  void point() { block("SPBlock", Bytes().add<uint64_t>(0).add<uint32_t>(0).all()); }
  std::vector<uint8_t> end() {
    out_.add<uint8_t>(1);
    return out_.all();
  }

 private:
  static std::vector<uint8_t> header(uint32_t kind, uint64_t thread, uint32_t sequence, uint64_t ns, uint32_t stack,
                                     size_t payload) {
    Bytes bytes;
    bytes.add<uint8_t>(kind == 0 ? 0x81 : 0x8f).varint(kind);
    if (kind != 0)
      bytes.varint(static_cast<uint32_t>(sequence - 1)).varint(thread).varint(0).varint(thread).varint(stack);
    bytes.varint(kBegin + ns).varint(payload);
    return bytes.all();
  }
  void events(std::string_view name, const Bytes& blobs) {
    block(name, Bytes().add<uint16_t>(4).add<uint16_t>(1).raw(blobs.all()).all());
  }
  void begin_object(std::string_view name, uint32_t version) {
    out_.add<uint8_t>(5).add<uint8_t>(5).add<uint8_t>(1).add(version).add(version);
    out_.add<uint32_t>(static_cast<uint32_t>(name.size())).raw(name).add<uint8_t>(6);
  }
  void block(std::string_view name, const std::vector<uint8_t>& contents) {
    begin_object(name, 2);
    out_.add<uint32_t>(static_cast<uint32_t>(contents.size()));
    while (out_.all().size() % 4 != 0) out_.add<uint8_t>(0);
    out_.raw(contents).add<uint8_t>(6);
  }

  Bytes out_;
};

inline TraceBytes as_file(const std::vector<uint8_t>& bytes) {
  return {bytes.size(), [&bytes](uint64_t offset, void* to, size_t size) {
            if (offset > bytes.size() || size > bytes.size() - offset) return false;
            std::memcpy(to, bytes.data() + offset, size);
            return true;
          }};
}

}  // namespace oriel::imports
