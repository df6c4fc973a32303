#include "runtimes/coreclr/instrument/definitions.h"

#include <algorithm>

#include "base/text/utf16.h"
#include "runtimes/coreclr/com/body_memory.h"
#include "runtimes/coreclr/com/module_flags.h"
#include "runtimes/coreclr/instrument/body_site.h"

namespace oriel::coreclr {
namespace {

// Attributes of methods (ECMA-335 II.23.1.10).
constexpr uint32_t kStatic = 0x10, kHideBySignature = 0x80, kSpecialName = 0x800, kRuntimeSpecialName = 0x1000,
                   kNative = 0x2000;
// Visibility of a type (II.23.1.15), and of a nested one.
constexpr uint32_t kAccess = 0x7, kPublic = 0x1, kNestedPublic = 0x2, kNestedInternal = 0x5;
// The first byte of a method's signature.
constexpr uint8_t kHasThis = 0x20, kGeneric = 0x10, kConventionMask = 0x0f;

// The other attributes follow from the text.
uint32_t method_attributes(uint32_t given, const metadata::MemberText& method) {
  uint32_t attributes = (given & ~kStatic) | kHideBySignature;
  if ((method.signature[0] & kHasThis) == 0) attributes |= kStatic;
  if (method.name == ".ctor" || method.name == ".cctor") attributes |= kSpecialName | kRuntimeSpecialName;
  return attributes;
}

uint32_t type_attributes(uint32_t given, bool is_nested) {
  if (!is_nested || (given & kAccess) > kPublic) return given;
  return (given & ~kAccess) | ((given & kAccess) == kPublic ? kNestedPublic : kNestedInternal);
}

Status can_be_method(const metadata::MemberText& method, uint32_t attributes, bool of_new_type) {
  if (method.is_field) return Status::error("expected the parameters of a method");
  if ((method.signature[0] & kGeneric) != 0 || !method.arguments.empty())
    return Status::error("a new method cannot be generic");
  if ((method.signature[0] & kConventionMask) != 0 || (attributes & (kAbstractMethod | kNative)) != 0)
    return Status::error("a new method has managed code, it is not abstract or native");
  if ((attributes & kVirtualMethod) != 0 && !of_new_type)
    return Status::error(
        "only a type that is new itself gets new virtual methods, as code knows how others are laid out");
  return Status::ok();
}

}  // namespace

Definitions::Loading::Loading(Definitions& definitions, ModuleID module) : definitions_(definitions), module_(module) {
  const std::lock_guard guard(definitions_.lock_);
  definitions_.loading_[module_];
}

Definitions::Loading::~Loading() {
  const std::lock_guard guard(definitions_.lock_);
  definitions_.loading_.erase(module_);
}

Result<Token> Definitions::type(ModuleID module, const std::string& name, const std::string& base,
                                uint32_t attributes) {
  if (const Status status = may_define_in(module); !status) return status;
  const Result<std::vector<std::string>> names = metadata::names_of_text(name);
  if (!names) return names.status();
  if (names->back().empty() || names->back().back() == '.')
    return Status::error("expected a name behind the namespace");
  NameTokens texts(names_, tokens_, module);
  if (texts.type("", *names)) return Status::error("the image has a type " + name + " already");
  EmitTokens::Definition type;
  if (names->size() > 1) {
    Result<Token> outer = texts.type("", {names->begin(), names->end() - 1});
    if (!outer) return outer;
    type.owner = *outer;
  }
  Result<Token> extends = texts.token(NamedToken::kType, base);
  if (!extends) return extends;
  type.name = utf16_of(names->back());
  type.attributes = type_attributes(attributes, names->size() > 1);
  Result<Token> made = defined(module, tokens_.type_def(module, type, *extends));
  if (!made) return made;
  const std::lock_guard guard(lock_);
  if (const auto found = loading_.find(module); found != loading_.end()) found->second.push_back(*made);
  return made;
}

Result<Token> Definitions::field(ModuleID module, const std::string& text, uint32_t attributes) {
  const Result<Member> member = new_member(module, text);
  if (!member) return member.status();
  const auto& [owner, field] = *member;
  if (!field.is_field) return Status::error("expected a field, not a method");
  if (!is_new(module, owner))
    return Status::error("only a type that is new itself gets new fields, as code knows how others are laid out");
  return defined(module, tokens_.field_def(module, {owner, utf16_of(field.name), attributes, field.signature}));
}

// The code is built and checked first, so that no method is left without code.
Result<Token> Definitions::method(ModuleID module, const std::string& text, uint32_t attributes, const MakeCode& make) {
  const Result<Member> member = new_member(module, text);
  if (!member) return member.status();
  const auto& [owner, method] = *member;
  if (const Status status = can_be_method(method, attributes, is_new(module, owner)); !status) return status;
  const uint32_t all = method_attributes(attributes, method);
  const MethodDefinition definition{owner, all, 0, method.signature};
  BodySite site(names_, tokens_, module, definition);
  const Result<std::vector<uint8_t>> code = make(site);
  if (!code) return code.status();
  const uint8_t* const body = copy_into_module(Held(), names_.info, module, *code);
  if (body == nullptr) return Status::error("the runtime has no memory for the method's code");
  Result<Token> made =
      defined(module, tokens_.method_def(module, {owner, utf16_of(method.name), all, method.signature}));
  if (made && failed(names_.info.SetILFunctionBody(Held(), module, *made, body)))
    return Status::error("the runtime refused the method's code; it throws when it is called");
  return made;
}

Status Definitions::may_define_in(ModuleID module) {
  {
    const std::lock_guard guard(lock_);
    if (!loading_.contains(module))
      return Status::error(
          "an image gets new types and members only while it is loaded: in image_loaded callbacks about it");
  }
  if (is_made_by_program(names_.info, module))
    return Status::error("the program makes the image as it runs, and its types with it");
  return Status::ok();
}

Result<Definitions::Member> Definitions::new_member(ModuleID module, const std::string& text) {
  if (const Status status = may_define_in(module); !status) return status;
  NameTokens texts(names_, tokens_, module);
  const Result<metadata::MemberText> read = metadata::member_of_text(text, texts);
  if (!read) return read.status();
  const Token owner = metadata::named_type(read->owner);
  if (table_of(owner) != kTypeDefTable) return Status::error("only types of the image itself get new members");
  if (texts.find(owner, *read) != 0)
    return Status::error("the type has a member " + read->name + " of that signature already");
  return Member{owner, *read};
}

// The next reader of the metadata must see the new token.
Result<Token> Definitions::defined(ModuleID module, Result<Token> token) {
  if (token) names_.modules.close(module);
  return token;
}

bool Definitions::is_new(ModuleID module, Token type) {
  const std::lock_guard guard(lock_);
  const auto found = loading_.find(module);
  return found != loading_.end() && std::ranges::find(found->second, type) != found->second.end();
}

}  // namespace oriel::coreclr
