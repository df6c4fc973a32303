#include "plugins/code/signature_builder.h"

#include <cstring>

#include "il/compressed.h"

namespace oriel::plugins {
namespace {

constexpr uint32_t kMostUnsigned = 0x1fffffff;
constexpr int32_t kMostSigned = 1 << 28;

// The TypeDefOrRefOrSpec encoding of signatures (II.23.2.8).
bool coded(Token token, uint32_t& number) {
  const uint32_t row = token & 0x00ffffff;
  switch (token >> 24) {
    case 0x02:
      number = row << 2;
      return true;
    case 0x01:
      number = row << 2 | 1;
      return true;
    case 0x1b:
      number = row << 2 | 2;
      return true;
    default:
      return false;
  }
}

}  // namespace

HResult SignatureBuilder::Add(uint32_t value) {
  if (value > kMostUnsigned) return kInvalidArgument;
  il::append_compressed(bytes_, value);
  return kOk;
}

HResult SignatureBuilder::AddSignedInt(int32_t value) {
  if (value < -kMostSigned || value >= kMostSigned) return kInvalidArgument;
  il::append_compressed_signed(bytes_, value);
  return kOk;
}

HResult SignatureBuilder::AddToken(Token token) {
  uint32_t number = 0;
  return coded(token, number) ? Add(number) : kInvalidArgument;
}

HResult SignatureBuilder::AddElementType(ElementType type) {
  bytes_.push_back(static_cast<uint8_t>(type));
  return kOk;
}

HResult SignatureBuilder::AddData(const uint8_t* data, uint32_t size) {
  if (data == nullptr && size > 0) return kPointerError;
  bytes_.insert(bytes_.end(), data, data + size);
  return kOk;
}

HResult SignatureBuilder::AddSignature(ISignatureBuilder* signature) {
  if (signature == nullptr) return kPointerError;
  const std::vector<uint8_t> more = bytes_of(*signature);
  bytes_.insert(bytes_.end(), more.begin(), more.end());
  return kOk;
}

HResult SignatureBuilder::Clear() {
  bytes_.clear();
  return kOk;
}

HResult SignatureBuilder::GetSize(uint32_t* size) {
  if (size == nullptr) return kPointerError;
  *size = static_cast<uint32_t>(bytes_.size());
  return kOk;
}

HResult SignatureBuilder::GetCorSignature(uint32_t size, uint8_t* signature, uint32_t* needed) {
  return copy_out(bytes_, size, signature, needed);
}

HResult SignatureBuilder::GetCorSignaturePtr(const uint8_t** signature) {
  if (signature == nullptr) return kPointerError;
  *signature = bytes_.empty() ? nullptr : bytes_.data();
  return bytes_.empty() ? kFalse : kOk;
}

std::vector<uint8_t> bytes_of(ISignatureBuilder& builder) {
  uint32_t size = 0;
  const uint8_t* bytes = nullptr;
  if (failed(builder.GetSize(&size)) || failed(builder.GetCorSignaturePtr(&bytes)) || bytes == nullptr) return {};
  return {bytes, bytes + size};
}

HResult copy_out(std::span<const uint8_t> bytes, uint32_t size, uint8_t* buffer, uint32_t* needed) {
  if (buffer != nullptr && size < bytes.size()) return kInvalidArgument;
  if (buffer != nullptr && !bytes.empty()) std::memcpy(buffer, bytes.data(), bytes.size());
  if (needed != nullptr) *needed = static_cast<uint32_t>(bytes.size());
  return kOk;
}

}  // namespace oriel::plugins
