#include "runtimes/coreclr/names/method_metadata.h"

#include <iterator>
#include <string>

namespace oriel::coreclr {
namespace {

constexpr uint32_t kMaxName = 1024;

}  // namespace

std::u16string type_definition_name(MetaDataImport& import, Token type, Token* extends) {
  char16_t text[kMaxName];
  uint32_t length = 0;
  if (failed(import.GetTypeDefProps(type, text, kMaxName, &length, nullptr, extends))) return {};
  return length == 0 || length > kMaxName ? std::u16string() : std::u16string(text, length - 1);
}

Token find_type_definition(MetaDataImport& import, const std::vector<std::u16string>& names) {
  Token type = 0;
  for (const std::u16string& name : names) {
    const Token outer = type;
    if (failed(import.FindTypeDefByName(name.c_str(), outer, &type)) || type == 0) return 0;
  }
  return type;
}

std::optional<MethodDefinition> MethodMetadata::definition(Token method) const {
  MethodDefinition found;
  const uint8_t* signature = nullptr;
  uint32_t size = 0;
  const HResult result = import_->GetMethodProps(method, &found.type, nullptr, 0, nullptr, &found.attributes,
                                                 &signature, &size, nullptr, &found.implementation);
  if (failed(result) || signature == nullptr) return std::nullopt;
  found.signature = {signature, size};
  return found;
}

bool MethodMetadata::is_core_library() const {
  char16_t text[64];
  uint32_t length = 0;
  return succeeded(import_->GetScopeProps(text, std::size(text), &length, nullptr)) &&
         std::u16string_view(text) == u"System.Private.CoreLib.dll";
}

bool MethodMetadata::has(Token token) const {
  char16_t text[1];
  uint32_t length = 0;
  if (table_of(token) == kUserStrings) return succeeded(import_->GetUserString(token, text, 1, &length));
  return import_->IsValidToken(token) != 0;
}

Token MethodMetadata::unspecialized(Token method) const {
  Token generic = 0;
  const uint8_t* signature = nullptr;
  uint32_t size = 0;
  if (table_of(method) != kMethodSpecTable) return method;
  return succeeded(import_->GetMethodSpecProps(method, &generic, &signature, &size)) ? generic : 0;
}

std::span<const uint8_t> MethodMetadata::signature_of(Token token) const {
  const uint8_t* bytes = nullptr;
  uint32_t size = 0;
  HResult result = kFail;
  token = unspecialized(token);
  if (table_of(token) == kMethodDefTable) {
    result = import_->GetMethodProps(token, nullptr, nullptr, 0, nullptr, nullptr, &bytes, &size, nullptr, nullptr);
  } else if (table_of(token) == kMemberRefTable) {
    result = import_->GetMemberRefProps(token, nullptr, nullptr, 0, nullptr, &bytes, &size);
  } else if (table_of(token) == kStandAloneSigTable) {
    result = import_->GetSigFromToken(token, &bytes, &size);
  }
  if (failed(result) || bytes == nullptr) return {};
  return {bytes, size};
}

Token MethodMetadata::owner_of(Token member) const {
  Token owner = 0;
  member = unspecialized(member);
  if (table_of(member) == kMethodDefTable) {
    import_->GetMethodProps(member, &owner, nullptr, 0, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
  } else if (table_of(member) == kMemberRefTable) {
    import_->GetMemberRefProps(member, &owner, nullptr, 0, nullptr, nullptr, nullptr);
  }
  return owner;
}

std::u16string MethodMetadata::name_of(Token member) const {
  char16_t text[kMaxName];
  uint32_t length = 0;
  member = unspecialized(member);
  const HResult result = table_of(member) == kMethodDefTable
                             ? import_->GetMethodProps(member, nullptr, text, kMaxName, &length, nullptr, nullptr,
                                                       nullptr, nullptr, nullptr)
                             : import_->GetMemberRefProps(member, nullptr, text, kMaxName, &length, nullptr, nullptr);
  if (failed(result) || length == 0 || length > kMaxName) return {};
  return {text, length - 1};
}

std::optional<il::StackEffect> MethodMetadata::call_effect(il::Opcode opcode, Token callee) const {
  const std::span<const uint8_t> signature = signature_of(callee);
  if (signature.empty()) return std::nullopt;
  const Result<il::MethodShape> shape = il::read_method_shape(signature);
  if (!shape) return std::nullopt;
  return il::call_effect(opcode, *shape);
}

bool MethodMetadata::is_generic(Token method, Token type) const {
  return generic_parameters(method) != 0 || generic_parameters(type) != 0;
}

uint32_t MethodMetadata::generic_parameters(Token owner) const {
  MetaEnum list = nullptr;
  Token some[16];
  uint32_t count = 0, total = 0;
  while (succeeded(import_->EnumGenericParams(&list, owner, some, std::size(some), &count)) && count > 0)
    total += count;
  import_->CloseEnum(list);
  return total;
}

}  // namespace oriel::coreclr
