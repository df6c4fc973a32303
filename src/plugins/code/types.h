// Types for plug-ins. Each keeps the bytes of its signature.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "oriel/plugins/signatures.h"
#include "plugins/info/data_items.h"

namespace oriel::plugins {

class ModuleInfo;

// `type` is one whole type from a signature in `module`. Null if it is invalid.
ComPtr<IType> make_type(std::span<const uint8_t> type, const ComPtr<ModuleInfo>& module);

// A local variable or a parameter (`Interface`), of which only the type is known.
template <typename Interface>
class Typed final : public Container<Interface> {
 public:
  explicit Typed(ComPtr<IType> type) : type_(std::move(type)) {}
  HResult GetType(IType** type) override {
    if (type == nullptr) return kPointerError;
    return give(type_, type);
  }

 private:
  const ComPtr<IType> type_;
};

// The types of a module: made from what they are written with, and parsed.
class TypeCreator final : public Container<ITypeCreator, ISignatureParser> {
 public:
  explicit TypeCreator(ComPtr<ModuleInfo> module);
  ~TypeCreator() override;

  HResult FromSignature(uint32_t size, const uint8_t* signature, IType** type, uint32_t* read) override;
  HResult FromCorElement(ElementType element, IType** type) override;
  HResult FromToken(ElementType element, Token token, IType** type) override;
  HResult ParseMethodSignature(const uint8_t* signature, uint32_t size, uint32_t* calling_convention,
                               IType** return_type, IEnumTypes** parameters, uint32_t* generic_parameters,
                               uint32_t* read) override;
  HResult ParseLocalVarSignature(const uint8_t* signature, uint32_t size, uint32_t* calling_convention,
                                 IEnumTypes** types, uint32_t* read) override;
  HResult ParseTypeSequence(const uint8_t* buffer, uint32_t size, uint32_t count, IEnumTypes** types,
                            uint32_t* read) override;

 private:
  const ComPtr<ModuleInfo> module_;
};

}  // namespace oriel::plugins
