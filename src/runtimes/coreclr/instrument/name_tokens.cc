#include "runtimes/coreclr/instrument/name_tokens.h"

#include "base/text/utf16.h"
#include "runtimes/coreclr/com/wide_text.h"

namespace oriel::coreclr {

Result<Token> NameTokens::token(NamedToken kind, const std::string& text) {
  switch (kind) {
    case NamedToken::kType:
      return type_token(text);
    case NamedToken::kMember:
      return member_token(text);
    case NamedToken::kTypeOrMember:
      return text.find("::") == std::string::npos ? type_token(text) : member_token(text);
    case NamedToken::kString:
      return tokens_.user_string(module_, utf16_of(text));
    case NamedToken::kAssembly:
      return assembly_token(text);
    case NamedToken::kSignature:
      break;
  }
  const Result<std::vector<uint8_t>> signature = metadata::signature_of_text(text, *this);
  return signature ? tokens_.signature(module_, *signature) : signature.status();
}

Result<uint32_t> NameTokens::type(const std::string& assembly, const std::vector<std::string>& names) {
  if (assembly.empty() || is_own_assembly(assembly)) return own_type(names);
  Result<Token> scope = assembly_token(assembly);
  for (const std::string& name : names) {
    if (!scope) break;
    scope = tokens_.type_ref(module_, *scope, utf16_of(name));
  }
  return scope;
}

Result<Token> NameTokens::own_type(const std::vector<std::string>& names) {
  constexpr Token kGlobal = kTypeDefTable | 1;
  if (names.size() == 1 && names.front() == "<Module>") return kGlobal;
  std::vector<std::u16string> wide;
  for (const std::string& name : names) wide.push_back(utf16_of(name));
  const ModuleMetadata metadata = tokens_.newest(module_, names_.modules);
  const Token found = metadata.is_open() ? metadata.find_type(wide) : 0;
  if (found != 0) return found;
  std::string text = names.front();
  for (size_t i = 1; i < names.size(); ++i) text += "/" + names[i];
  return Status::error("the image has no type " + text + "; of another assembly it is [Assembly]" + text);
}

Result<Token> NameTokens::type_token(const std::string& text) {
  const Result<std::vector<uint8_t>> type = metadata::type_of_text(text, *this);
  return type ? type_token(*type) : type.status();
}

Result<Token> NameTokens::type_token(std::span<const uint8_t> type) {
  const Token named = metadata::named_type(type);
  return named != 0 ? named : tokens_.type_spec(module_, type);
}

Result<Token> NameTokens::member_token(const std::string& text) {
  const Result<metadata::MemberText> member = metadata::member_of_text(text, *this);
  if (!member) return member.status();
  const Token named = metadata::named_type(member->owner);
  Result<Token> found = Token{0};
  if (table_of(named) == kTypeDefTable) {
    found = definition(named, *member);
  } else if (found = type_token(member->owner); found) {
    found = tokens_.member_ref(module_, *found, utf16_of(member->name), member->signature);
  }
  if (!found || member->arguments.empty()) return found;
  return tokens_.method_spec(module_, *found, member->arguments);
}

Token NameTokens::find(Token type, const metadata::MemberText& member) {
  const ModuleMetadata metadata = tokens_.newest(module_, names_.modules);
  const std::u16string name = utf16_of(member.name);
  const auto size = static_cast<uint32_t>(member.signature.size());
  Token found = 0;
  const HResult result = member.is_field
                             ? metadata.import().FindField(type, name.c_str(), member.signature.data(), size, &found)
                             : metadata.import().FindMethod(type, name.c_str(), member.signature.data(), size, &found);
  return succeeded(result) ? found : 0;
}

Result<Token> NameTokens::definition(Token type, const metadata::MemberText& member) {
  if (const Token found = find(type, member)) return found;
  return Status::error("the type has no " + std::string(member.is_field ? "field " : "method ") + member.name +
                       " of that signature");
}

Result<Token> NameTokens::assembly_token(const std::string& text) {
  const Result<metadata::AssemblyText> assembly = metadata::assembly_of_text(text);
  return assembly ? tokens_.assembly_ref(module_, *assembly) : assembly.status();
}

bool NameTokens::is_own_assembly(const std::string& name) {
  ComPtr<MetaDataAssemblyImport> assembly;
  const ModuleMetadata metadata = names_.modules.metadata(module_);
  if (!metadata.is_open()) return false;
  metadata.import().QueryInterface(kIMetaDataAssemblyImportId, reinterpret_cast<void**>(assembly.receive()));
  Token own = 0;
  if (!assembly || failed(assembly->GetAssemblyFromScope(&own))) return false;
  return name == wide_text([&](char16_t* text, uint32_t room, uint32_t* length) {
           return assembly->GetAssemblyProps(own, nullptr, nullptr, nullptr, text, room, length, nullptr, nullptr);
         });
}

}  // namespace oriel::coreclr
