#include "runtimes/coreclr/names/module_metadata.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "base/text/element.h"
#include "base/text/hex.h"
#include "base/text/utf16.h"
#include "metadata/signature.h"
#include "metadata/written_name.h"
#include "runtimes/coreclr/com/wide_text.h"

namespace oriel::coreclr {
namespace {

using metadata::TypePath;

constexpr uint32_t kVisibilityMask = 0x7, kFirstNested = 0x2;
// Types and scopes of typeRefs nest deeper than this only in cycles of a corrupt file.
constexpr int kMaxNesting = 64;

bool is_row(Token token, Token table) { return table_of(token) == table && (token & ~kTableMask) != 0; }

// Splits a name such as "System.Collections.Generic.List`1" of a type that is not nested.
void set_outermost(TypePath& path, const std::string& name) {
  // A namespace ends at the last dot; compilers put dots into names of their own only inside angle brackets.
  const size_t dot = name.substr(0, name.find('<')).rfind('.');
  if (dot != std::string::npos) path.name_space = name.substr(0, dot);
  path.names.push_back(dot == std::string::npos ? name : name.substr(dot + 1));
}

// The path of a type. next(type, outer) returns the type's name, and sets `outer` to the enclosing type if there is
// one.
template <typename Next>
TypePath path_from(Token type, Next next) {
  TypePath path;
  for (int depth = 0; depth < kMaxNesting; ++depth) {
    Token outer = 0;
    const std::string name = next(type, outer);
    if (name.empty()) return {};
    if (outer == 0) {
      set_outermost(path, name);
      break;
    }
    path.names.push_back(name);
    type = outer;
  }
  std::reverse(path.names.begin(), path.names.end());
  return path;
}

// Whether qualified names of the type's members can begin with `prefix`.
bool fits(std::string_view type, std::string_view prefix) {
  const size_t common = std::min(type.size(), prefix.size());
  if (type.substr(0, common) != prefix.substr(0, common)) return false;
  return prefix.size() <= type.size() || prefix[common] == '.';
}

// The name of a type that is not nested, as method names show it. Compiler-generated names are decoded: the file-local
// type Shop.<Cart>F0A…__Helper becomes Shop.Helper.
std::string written_name(const std::string& name) {
  const size_t own = name.substr(0, name.find('<')).rfind('.') + 1;
  return name.substr(0, own) + metadata::source_type_name(metadata::split_arity(name.substr(own)).name);
}

bool is_keyword_of(const ModuleMetadata& module, std::string_view prefix) {
  return std::any_of(std::begin(kTypeKeywords), std::end(kTypeKeywords), [&](const TypeKeyword& type) {
    if (!fits(type.keyword, prefix)) return false;
    const std::string_view name(type.name);
    return module.find_type({u"System." + std::u16string(name.begin(), name.end())}) != 0;
  });
}

// The type of this module that a memberRef's parent is or instantiates; 0 for other modules' types and for arrays.
Token type_in_module(const ModuleMetadata& metadata, Token parent) {
  if (table_of(parent) == kTypeDefTable) return parent;
  const std::span<const uint8_t> signature = metadata.type_spec(parent);
  if (signature.empty()) return 0;
  const auto type = metadata::decode_type_signature(signature);
  return type && table_of(type->token) == kTypeDefTable ? type->token : 0;
}

}  // namespace

std::string ModuleMetadata::module_name() const {
  return wide_text([&](char16_t* text, uint32_t room, uint32_t* length) {
    return import_->GetScopeProps(text, room, length, nullptr);
  });
}

std::string ModuleMetadata::mvid() const {
  com::Guid guid{};
  uint32_t length = 0;
  if (failed(import_->GetScopeProps(nullptr, 0, &length, &guid))) return {};
  uint8_t bytes[sizeof guid];
  std::memcpy(bytes, &guid, sizeof guid);
  return hex(bytes);
}

bool ModuleMetadata::is_core_library() const {
  char16_t text[64];
  uint32_t length = 0;
  return succeeded(import_->GetScopeProps(text, std::size(text), &length, nullptr)) &&
         std::u16string_view(text) == u"System.Private.CoreLib.dll";
}

bool ModuleMetadata::has_names(std::string_view prefix) const {
  MetaEnum list = nullptr;
  Token some[256];
  uint32_t count = 0;
  bool found = false;
  while (!found && succeeded(import_->EnumTypeDefs(&list, some, std::size(some), &count)) && count > 0) {
    found = std::any_of(some, some + count, [&](Token type) {
      char16_t text[kMaxName];
      uint32_t length = 0, flags = 0;
      if (failed(import_->GetTypeDefProps(type, text, std::size(text), &length, &flags, nullptr))) return true;
      if ((flags & kVisibilityMask) >= kFirstNested) return false;
      if (length == 0 || length > std::size(text)) return true;
      const std::u16string_view name(text, length - 1);
      if (name.find(u'<') != name.npos) return fits(written_name(utf8_of(name)), prefix);
      return fits(utf8_of(name.substr(0, name.rfind(u'`'))), prefix);
    });
  }
  import_->CloseEnum(list);
  return found || is_keyword_of(*this, prefix);
}

std::vector<Token> ModuleMetadata::types() const {
  // The list has no row for the type of global members.
  std::vector<Token> types = {kTypeDefTable | 1};
  MetaEnum list = nullptr;
  Token some[64];
  uint32_t count = 0;
  while (succeeded(import_->EnumTypeDefs(&list, some, std::size(some), &count)) && count > 0) {
    types.insert(types.end(), some, some + count);
  }
  import_->CloseEnum(list);
  return types;
}

std::vector<Token> ModuleMetadata::methods_of(Token type) const {
  std::vector<Token> methods;
  MetaEnum list = nullptr;
  Token some[64];
  uint32_t count = 0;
  while (succeeded(import_->EnumMethods(&list, type, some, std::size(some), &count)) && count > 0) {
    methods.insert(methods.end(), some, some + count);
  }
  import_->CloseEnum(list);
  return methods;
}

std::vector<Token> ModuleMetadata::fields_of(Token type) const {
  std::vector<Token> fields;
  MetaEnum list = nullptr;
  Token some[64];
  uint32_t count = 0;
  while (succeeded(import_->EnumFields(&list, type, some, std::size(some), &count)) && count > 0)
    fields.insert(fields.end(), some, some + count);
  import_->CloseEnum(list);
  return fields;
}

TypePath ModuleMetadata::type_path(Token type) const {
  if (!is_open()) return {};
  if (is_row(type, kTypeDefTable)) return type_def_path(type);
  if (is_row(type, kTypeRefTable)) return type_ref_path(type);
  return {};
}

TypePath ModuleMetadata::type_def_path(Token type) const {
  return path_from(type, [&](Token at, Token& outer) {
    std::string name = wide_text([&](char16_t* text, uint32_t room, uint32_t* length) {
      return import_->GetTypeDefProps(at, text, room, length, nullptr, nullptr);
    });
    if (!name.empty()) outer = enclosing_type(at);
    return name;
  });
}

TypePath ModuleMetadata::type_ref_path(Token type) const {
  return path_from(type, [&](Token at, Token& outer) {
    Token scope = 0;
    std::string name = wide_text([&](char16_t* text, uint32_t room, uint32_t* length) {
      return import_->GetTypeRefProps(at, &scope, text, room, length);
    });
    if (is_row(scope, kTypeRefTable)) outer = scope;
    return name;
  });
}

std::u16string ModuleMetadata::type_name(Token type, Token* extends) const {
  char16_t text[kMaxName];
  uint32_t length = 0;
  HResult result = kFail;
  if (table_of(type) == kTypeDefTable) {
    result = import_->GetTypeDefProps(type, text, kMaxName, &length, nullptr, extends);
  } else if (table_of(type) == kTypeRefTable) {
    result = import_->GetTypeRefProps(type, nullptr, text, kMaxName, &length);
  }
  if (failed(result) || length == 0 || length > kMaxName) return {};
  return {text, length - 1};
}

Token ModuleMetadata::find_type(const std::vector<std::u16string>& names) const {
  Token type = 0;
  for (const std::u16string& name : names) {
    const Token outer = type;
    if (failed(import_->FindTypeDefByName(name.c_str(), outer, &type)) || type == 0) return 0;
  }
  return type;
}

Token ModuleMetadata::enclosing_type(Token type) const {
  Token outer = 0;
  return succeeded(import_->GetNestedClassProps(type, &outer)) && is_row(outer, kTypeDefTable) ? outer : 0;
}

std::span<const uint8_t> ModuleMetadata::type_spec(Token spec) const {
  const uint8_t* blob = nullptr;
  uint32_t size = 0;
  if (!is_open() || !is_row(spec, kTypeSpecTable) || failed(import_->GetTypeSpecFromToken(spec, &blob, &size)))
    return {};
  return {blob, size};
}

std::optional<MethodDefinition> ModuleMetadata::definition(Token method) const {
  MethodDefinition found;
  const uint8_t* signature = nullptr;
  uint32_t size = 0;
  const HResult result = import_->GetMethodProps(method, &found.type, nullptr, 0, nullptr, &found.attributes,
                                                 &signature, &size, nullptr, &found.implementation);
  if (failed(result) || signature == nullptr) return std::nullopt;
  found.signature = {signature, size};
  return found;
}

NamedMethod ModuleMetadata::named_method(Token method) const {
  NamedMethod row;
  const uint8_t* signature = nullptr;
  uint32_t size = 0;
  row.name = wide_text([&](char16_t* text, uint32_t room, uint32_t* length) {
    return import_->GetMethodProps(method, &row.type, text, room, length, nullptr, &signature, &size, nullptr, nullptr);
  });
  if (signature != nullptr) row.signature = {signature, size};
  return row;
}

std::vector<Token> ModuleMetadata::methods_named(Token type, const std::string& name) const {
  std::vector<Token> methods = methods_of(type);
  std::erase_if(methods, [&](Token method) { return named_method(method).name != name; });
  return methods;
}

std::string ModuleMetadata::state_machine_of(Token method) const {
  static constexpr const char16_t* kAttributes[] = {
      u"System.Runtime.CompilerServices.AsyncStateMachineAttribute",
      u"System.Runtime.CompilerServices.IteratorStateMachineAttribute",
      u"System.Runtime.CompilerServices.AsyncIteratorStateMachineAttribute",
  };
  for (const char16_t* attribute : kAttributes) {
    const void* blob = nullptr;
    uint32_t size = 0;
    if (import_->GetCustomAttributeByName(method, attribute, &blob, &size) != kOk || blob == nullptr) continue;
    return metadata::attribute_string({static_cast<const uint8_t*>(blob), size});
  }
  return {};
}

bool ModuleMetadata::is_optimized() const {
  constexpr Token kAssembly = 0x20000001;  // ECMA-335 II.22.2: a module has one row of these, or none
  constexpr uint32_t kModes = 2, kDisableOptimizations = 0x100;  // II.23.3: a prolog, then DebuggingModes
  const void* blob = nullptr;
  uint32_t size = 0, modes = 0;
  const HResult told =
      import_->GetCustomAttributeByName(kAssembly, u"System.Diagnostics.DebuggableAttribute", &blob, &size);
  if (told != kOk || blob == nullptr || size < kModes + sizeof(modes)) return true;
  std::memcpy(&modes, static_cast<const uint8_t*>(blob) + kModes, sizeof(modes));
  return (modes & kDisableOptimizations) == 0;
}

uint32_t ModuleMetadata::generic_arity(Token owner) const {
  MetaEnum list = nullptr;
  Token some[16];
  uint32_t count = 0, total = 0;
  while (succeeded(import_->EnumGenericParams(&list, owner, some, std::size(some), &count)) && count > 0)
    total += count;
  import_->CloseEnum(list);
  return total;
}

std::vector<std::string> ModuleMetadata::generic_parameter_names(Token owner) const {
  std::vector<std::string> names;
  MetaEnum rows = nullptr;
  Token row = 0;
  uint32_t count = 0;
  while (import_->EnumGenericParams(&rows, owner, &row, 1, &count) == kOk && count == 1) {
    names.push_back(wide_text([&](char16_t* text, uint32_t room, uint32_t* length) {
      return import_->GetGenericParamProps(row, nullptr, nullptr, nullptr, nullptr, text, room, length);
    }));
  }
  import_->CloseEnum(rows);
  return names;
}

bool ModuleMetadata::is_generic(Token method, Token type) const {
  return generic_arity(method) != 0 || generic_arity(type) != 0;
}

bool ModuleMetadata::has(Token token) const {
  char16_t text[1];
  uint32_t length = 0;
  if (table_of(token) == kUserStrings) return succeeded(import_->GetUserString(token, text, 1, &length));
  return import_->IsValidToken(token) != 0;
}

Token ModuleMetadata::unspecialized(Token method) const {
  Token generic = 0;
  const uint8_t* signature = nullptr;
  uint32_t size = 0;
  if (table_of(method) != kMethodSpecTable) return method;
  return succeeded(import_->GetMethodSpecProps(method, &generic, &signature, &size)) ? generic : 0;
}

std::span<const uint8_t> ModuleMetadata::signature_of(Token token) const {
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

Token ModuleMetadata::owner_of(Token member) const {
  Token owner = 0;
  member = unspecialized(member);
  if (table_of(member) == kMethodDefTable) {
    import_->GetMethodProps(member, &owner, nullptr, 0, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
  } else if (table_of(member) == kMemberRefTable) {
    import_->GetMemberRefProps(member, &owner, nullptr, 0, nullptr, nullptr, nullptr);
  }
  return owner;
}

std::u16string ModuleMetadata::name_of(Token member) const {
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

Token ModuleMetadata::definition_within_module(Token callee) const {
  callee = unspecialized(callee);
  if (table_of(callee) != kMemberRefTable) return callee;
  const Token type = type_in_module(*this, owner_of(callee));
  if (type == 0) return 0;
  const std::span<const uint8_t> signature = signature_of(callee);
  Token found = 0;
  const HResult result = import_->FindMethod(type, name_of(callee).c_str(), signature.data(),
                                             static_cast<uint32_t>(signature.size()), &found);
  return succeeded(result) ? found : 0;
}

}  // namespace oriel::coreclr
