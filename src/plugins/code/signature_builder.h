// Signatures that plug-ins build.
#pragma once

#include <span>
#include <vector>

#include "oriel/plugins/signatures.h"
#include "plugins/info/object.h"

namespace oriel::plugins {

class SignatureBuilder final : public Object<ISignatureBuilder> {
 public:
  SignatureBuilder() = default;
  explicit SignatureBuilder(std::vector<uint8_t> bytes) : bytes_(std::move(bytes)) {}

  HResult Add(uint32_t value) override;
  HResult AddSignedInt(int32_t value) override;
  HResult AddToken(Token token) override;
  HResult AddElementType(ElementType type) override;
  HResult AddData(const uint8_t* data, uint32_t size) override;
  HResult AddSignature(ISignatureBuilder* signature) override;
  HResult Clear() override;
  HResult GetSize(uint32_t* size) override;
  HResult GetCorSignature(uint32_t size, uint8_t* signature, uint32_t* needed) override;
  HResult GetCorSignaturePtr(const uint8_t** signature) override;

 private:
  std::vector<uint8_t> bytes_;
};

// The bytes of a builder, which may be another implementation's.
std::vector<uint8_t> bytes_of(ISignatureBuilder& builder);

// Copies bytes for slots that return a size: `buffer` may be null to ask only for the size.
HResult copy_out(std::span<const uint8_t> bytes, uint32_t size, uint8_t* buffer, uint32_t* needed);

}  // namespace oriel::plugins
