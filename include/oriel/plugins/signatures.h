// Types, and signatures that contain them (ECMA-335 II.23.2).
#pragma once

#include "oriel/plugins/com.h"

namespace oriel::plugins {

struct IModuleInfo;

// Writes a signature, piece by piece. For one thread at a time.
struct ISignatureBuilder : IUnknown {
  static constexpr Guid kId = {0xf574823e, 0x4863, 0x4013, {0xa4, 0xea, 0xc6, 0xd9, 0x94, 0x32, 0x46, 0xe6}};

  // A compressed unsigned number.
  virtual HResult Add(uint32_t value) = 0;
  // A compressed signed number.
  virtual HResult AddSignedInt(int32_t value) = 0;
  // A TypeDef, TypeRef or TypeSpec, encoded as in signatures.
  virtual HResult AddToken(Token token) = 0;
  virtual HResult AddElementType(ElementType type) = 0;
  // Raw bytes.
  virtual HResult AddData(const uint8_t* data, uint32_t size) = 0;
  virtual HResult AddSignature(ISignatureBuilder* signature) = 0;
  virtual HResult Clear() = 0;
  virtual HResult GetSize(uint32_t* size) = 0;
  // Copies the signature; without a buffer only returns its size.
  virtual HResult GetCorSignature(uint32_t size, uint8_t* signature, uint32_t* needed) = 0;
  // Valid until the builder is changed.
  virtual HResult GetCorSignaturePtr(const uint8_t** signature) = 0;

 protected:
  ~ISignatureBuilder() = default;
};

// A type as in signatures. Immutable.
struct IType : IUnknown {
  static constexpr Guid kId = {0x6fc96859, 0xed89, 0x4d9f, {0xa7, 0xc9, 0x1d, 0xad, 0x7e, 0xc3, 0x5f, 0x67}};

  virtual HResult AddToSignature(ISignatureBuilder* builder) = 0;
  virtual HResult GetCorElementType(ElementType* type) = 0;
  virtual HResult IsPrimitive(Bool* is_primitive) = 0;
  virtual HResult IsArray(Bool* is_array) = 0;
  virtual HResult IsClass(Bool* is_class) = 0;
  virtual HResult GetName(Bstr* name) = 0;

 protected:
  ~IType() = default;
};

struct IEnumTypes : Enumerator<IEnumTypes, IType> {
  static constexpr Guid kId = {0x5618bd13, 0x12fc, 0x4198, {0xa3, 0x9d, 0x8e, 0xd6, 0x02, 0x65, 0xaa, 0xc6}};

 protected:
  ~IEnumTypes() = default;
};

// A class or a value type.
struct ITokenType : IUnknown {
  static constexpr Guid kId = {0x77655b33, 0x1b29, 0x4285, {0x9f, 0x2d, 0xff, 0x95, 0x26, 0xe3, 0xa0, 0xaa}};

  // TypeDef, TypeRef or TypeSpec of the module that the signature is in.
  virtual HResult GetToken(Token* token) = 0;
  virtual HResult GetOwningModule(IModuleInfo** module_info) = 0;

 protected:
  ~ITokenType() = default;
};

// An array, a pointer, a reference and other types made of one type.
struct ICompositeType : IUnknown {
  static constexpr Guid kId = {0x06b9fd79, 0x0386, 0x4cf3, {0x93, 0xdd, 0xa2, 0x3e, 0x95, 0xeb, 0xc2, 0x25}};

  virtual HResult GetRelatedType(IType** type) = 0;

 protected:
  ~ICompositeType() = default;
};

// A type or method parameter; its position counts from 0.
struct IGenericParameterType : IUnknown {
  static constexpr Guid kId = {0x1d5c1393, 0xdc7e, 0x4fef, {0x8a, 0x9d, 0xa3, 0xda, 0xf7, 0xa5, 0x5c, 0x6e}};

  virtual HResult GetPosition(uint32_t* position) = 0;

 protected:
  ~IGenericParameterType() = default;
};

// Makes types of a module.
struct ITypeCreator : IUnknown {
  static constexpr Guid kId = {0xc6d612fa, 0xb550, 0x48e3, {0x88, 0x59, 0xde, 0x44, 0x0c, 0xf6, 0x66, 0x27}};

  // One type; `read`, if not null, gets the number of bytes read.
  virtual HResult FromSignature(uint32_t size, const uint8_t* signature, IType** type, uint32_t* read) = 0;
  // A type fully described by its element type.
  virtual HResult FromCorElement(ElementType element, IType** type) = 0;
  virtual HResult FromToken(ElementType element, Token token, IType** type) = 0;

 protected:
  ~ITypeCreator() = default;
};

// Parses signatures. Any out parameter may be null.
struct ISignatureParser : IUnknown {
  static constexpr Guid kId = {0x33bd020e, 0x372b, 0x40f9, {0xa7, 0x35, 0x4b, 0x40, 0x17, 0xed, 0x56, 0xac}};

  virtual HResult ParseMethodSignature(const uint8_t* signature, uint32_t size, uint32_t* calling_convention,
                                       IType** return_type, IEnumTypes** parameters, uint32_t* generic_parameters,
                                       uint32_t* read) = 0;
  virtual HResult ParseLocalVarSignature(const uint8_t* signature, uint32_t size, uint32_t* calling_convention,
                                         IEnumTypes** types, uint32_t* read) = 0;
  virtual HResult ParseTypeSequence(const uint8_t* buffer, uint32_t size, uint32_t count, IEnumTypes** types,
                                    uint32_t* read) = 0;

 protected:
  ~ISignatureParser() = default;
};

}  // namespace oriel::plugins
