#include "runtimes/coreclr/names/module_names.h"

#include <algorithm>

#include "metadata/utf16.h"
#include "runtimes/coreclr/com/wide_text.h"

namespace oriel::coreclr {
namespace {

using metadata::TypePath;

constexpr Token kTableMask = 0xff000000, kTypeRef = 0x01000000, kTypeDef = 0x02000000, kTypeSpec = 0x1b000000;
// Types nest and typeRefs are scoped deeper than this only in a corrupt file's circles.
constexpr int kMaxNesting = 64;

bool is_row(Token token, Token table) { return (token & kTableMask) == table && (token & ~kTableMask) != 0; }

// "System.Collections.Generic.List`1" of a type that is not nested.
void set_outermost(TypePath& path, const std::string& name) {
  // A namespace ends at the last dot; compilers put dots into names of their own only inside angle brackets.
  const size_t dot = name.substr(0, name.find('<')).rfind('.');
  if (dot != std::string::npos) path.name_space = name.substr(0, dot);
  path.names.push_back(dot == std::string::npos ? name : name.substr(dot + 1));
}

}  // namespace

MethodRow ModuleNames::method(Token method) const {
  MethodRow row;
  const uint8_t* signature = nullptr;
  uint32_t size = 0;
  row.name = wide_text([&](char16_t* text, uint32_t room, uint32_t* length) {
    return import_->GetMethodProps(method, &row.type, text, room, length, nullptr, &signature, &size, nullptr, nullptr);
  });
  if (signature != nullptr) row.signature = {signature, size};
  return row;
}

TypePath ModuleNames::type_path(Token type) const {
  if (!is_open()) return {};
  if (is_row(type, kTypeDef)) return type_def_path(type);
  if (is_row(type, kTypeRef)) return type_ref_path(type);
  return {};
}

TypePath ModuleNames::type_def_path(Token type) const {
  TypePath path;
  for (int depth = 0; depth < kMaxNesting; ++depth) {
    const std::string name = wide_text([&](char16_t* text, uint32_t room, uint32_t* length) {
      return import_->GetTypeDefProps(type, text, room, length, nullptr, nullptr);
    });
    if (name.empty()) return {};
    const Token outer = enclosing_type(type);
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

TypePath ModuleNames::type_ref_path(Token type) const {
  TypePath path;
  for (int depth = 0; depth < kMaxNesting; ++depth) {
    Token scope = 0;
    const std::string name = wide_text([&](char16_t* text, uint32_t room, uint32_t* length) {
      return import_->GetTypeRefProps(type, &scope, text, room, length);
    });
    if (name.empty()) return {};
    if (!is_row(scope, kTypeRef)) {
      set_outermost(path, name);
      break;
    }
    path.names.push_back(name);
    type = scope;
  }
  std::reverse(path.names.begin(), path.names.end());
  return path;
}

Token ModuleNames::enclosing_type(Token type) const {
  Token outer = 0;
  return succeeded(import_->GetNestedClassProps(type, &outer)) && is_row(outer, kTypeDef) ? outer : 0;
}

std::vector<std::string> ModuleNames::generic_parameters(Token owner) const {
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

std::span<const uint8_t> ModuleNames::type_spec(Token spec) const {
  const uint8_t* blob = nullptr;
  uint32_t size = 0;
  if (!is_open() || !is_row(spec, kTypeSpec) || failed(import_->GetTypeSpecFromToken(spec, &blob, &size))) return {};
  return {blob, size};
}

std::vector<Token> ModuleNames::methods_named(Token type, const std::string& name) const {
  std::vector<Token> methods;
  MetaEnum rows = nullptr;
  Token row = 0;
  uint32_t count = 0;
  while (import_->EnumMethods(&rows, type, &row, 1, &count) == kOk && count == 1) {
    if (method(row).name == name) methods.push_back(row);
  }
  import_->CloseEnum(rows);
  return methods;
}

std::string ModuleNames::state_machine_of(Token method) const {
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

std::string ModuleNames::module_name() const {
  return wide_text([&](char16_t* text, uint32_t room, uint32_t* length) {
    return import_->GetScopeProps(text, room, length, nullptr);
  });
}

}  // namespace oriel::coreclr
