#include "runtimes/coreclr/instrument/code_editor.h"

#include <algorithm>

#include "base/text/utf16.h"
#include "runtimes/coreclr/com/wide_text.h"
#include "runtimes/coreclr/instrument/name_tokens.h"
#include "runtimes/coreclr/names/things.h"

namespace oriel::coreclr {
namespace {

std::string field_name(const ModuleMetadata& metadata, Token field, Token* type) {
  return wide_text([&](char16_t* text, uint32_t room, uint32_t* length) {
    return metadata.import().GetFieldProps(field, type, text, room, length, nullptr, nullptr, nullptr, nullptr, nullptr,
                                           nullptr);
  });
}

std::string string_text(const ModuleMetadata& metadata, Token token) {
  uint32_t length = 0;
  if (failed(metadata.import().GetUserString(token, nullptr, 0, &length))) return {};
  std::u16string text(length, u'\0');
  if (failed(metadata.import().GetUserString(token, text.data(), length, &length))) return {};
  return utf8_of(text);
}

// A memberRef's parent may be a vararg method, which has no type.
std::string type_name(Token type, const SignatureScope& scope) {
  metadata::TypeSignature named;
  named.kind = Element::kClass;
  named.token = type;
  return metadata::type_text(named, scope, metadata::Style::kFull);
}

std::string method_name(const ModuleMetadata& metadata, Token method, const SignatureScope& scope) {
  const std::string name = utf8_of(metadata.name_of(method));
  if (name.empty()) return {};
  std::string qualified = type_name(metadata.owner_of(method), scope) + "." + name;
  const auto signature = metadata::decode_method_signature(metadata.signature_of(method));
  // A memberRef may name a field.
  constexpr uint8_t kKind = 0x0f, kField = 0x06;
  const std::span<const uint8_t> blob = metadata.signature_of(method);
  if (!signature || (!blob.empty() && (blob[0] & kKind) == kField)) return qualified;
  return qualified + metadata::parameters_text(signature->parameters, scope, metadata::Style::kFull);
}

std::vector<SiteKey> live_keys(std::span<oriel_method* const> methods) {
  std::vector<SiteKey> keys;
  for (const oriel_method* method : methods) {
    const bool gone = method->unloaded.load() || method->image->unloaded.load();
    if (!gone) keys.push_back({method->image->runtime_id, method->token});
  }
  return keys;
}

}  // namespace

// `held` must live as long as the answer is used.
ModuleMetadata ImageEditor::metadata(const Held& held, const oriel_image& image) {
  if (!is_there(held, image)) return {};
  return instrumenter_.bodies.tokens().newest(image.runtime_id, names_.modules);
}

Result<uint32_t> ImageEditor::token(oriel_image& image, NamedToken kind, const std::string& text) {
  const Held held;
  if (!metadata(held, image).is_open()) return Status::error("the image has no metadata");
  return NameTokens(names_, instrumenter_.bodies.tokens(), image.runtime_id).token(kind, text);
}

std::vector<uint32_t> ImageEditor::types(oriel_image& image) {
  const Held held;
  const ModuleMetadata now = metadata(held, image);
  return now.is_open() ? now.types() : std::vector<Token>();
}

std::vector<uint32_t> ImageEditor::members(oriel_image& image, uint32_t type, const char* name) {
  const Held held;
  const ModuleMetadata now = metadata(held, image);
  if (!now.is_open() || table_of(type) != kTypeDefTable) return {};
  std::vector<Token> found = name != nullptr ? now.methods_named(type, name) : now.methods_of(type);
  for (const Token field : now.fields_of(type))
    if (name == nullptr || field_name(now, field, nullptr) == name) found.push_back(field);
  return found;
}

std::string ImageEditor::token_name(oriel_image& image, uint32_t token) {
  const Held held;
  const ModuleMetadata now = metadata(held, image);
  if (!now.is_open() || !now.has(token)) return {};
  SignatureScope scope(names_, now);
  switch (table_of(token)) {
    case kTypeDefTable:
    case kTypeRefTable:
    case kTypeSpecTable:
      return type_name(token, scope);
    case kMethodDefTable:
    case kMemberRefTable:
    case kMethodSpecTable:
      return method_name(now, token, scope);
    case kFieldTable: {
      Token type = 0;
      const std::string name = field_name(now, token, &type);
      return type_name(type, scope) + "." + name;
    }
    case kUserStrings:
      return string_text(now, token);
    default:
      return {};
  }
}

oriel_method* ImageEditor::method(oriel_image& image, uint32_t token) {
  const Held held;
  const ModuleMetadata now = is_there(held, image) ? names_.modules.metadata(image.runtime_id) : ModuleMetadata();
  if (!now.is_open() || table_of(token) != kMethodDefTable) return nullptr;
  const auto definition = now.definition(token);
  return definition ? instrumenter_.sites.record_of({image.runtime_id, token}, now, definition->type, 0) : nullptr;
}

void ImageEditor::recompile_methods(std::span<oriel_method* const> methods) {
  std::vector<SiteKey> keys;
  for (const SiteKey& key : live_keys(methods))
    if (std::ranges::find(keys, key) == keys.end()) keys.push_back(key);
  instrumenter_.refilter.recompile_methods(keys);
}

void ImageEditor::update_probes(std::span<oriel_method* const> methods, std::span<oriel_method* const> to_clear) {
  std::vector<SiteKey> cleared = live_keys(to_clear);
  std::erase_if(cleared, [&](const SiteKey& key) {
    bool is_clear = false;
    names_.modules.while_loaded(key.module, [&] { is_clear = instrumenter_.bodies.clear_default(key); });
    return !is_clear;
  });
  instrumenter_.refilter.run_for(live_keys(methods), cleared);
}

Inliners ImageEditor::inliners(oriel_method& method) {
  const Held held;
  if (!is_there(held, *method.image)) return {};
  return instrumenter_.inliners.of({method.image->runtime_id, method.token});
}

}  // namespace oriel::coreclr
