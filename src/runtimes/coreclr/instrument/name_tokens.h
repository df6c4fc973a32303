// The tokens in a module's metadata for the names in texts (include/oriel/code.h): existing ones, or new ones.
#pragma once

#include <string>
#include <vector>

#include "engine/code_editor.h"
#include "metadata/il_text.h"
#include "runtimes/coreclr/instrument/emit_tokens.h"
#include "runtimes/coreclr/names/class_text.h"

namespace oriel::coreclr {

// Use it while the module is loaded, on one thread.
class NameTokens final : public metadata::TypeTokens {
 public:
  NameTokens(const Names& names, EmitTokens& tokens, ModuleID module)
      : names_(names), tokens_(tokens), module_(module) {}

  Result<uint32_t> type(const std::string& assembly, const std::vector<std::string>& names) override;
  Result<Token> token(NamedToken kind, const std::string& text);
  // The member of a typeDef of this name and signature; 0 if it has none.
  Token find(Token type, const metadata::MemberText& member);

 private:
  Result<Token> type_token(const std::string& text);
  Result<Token> type_token(std::span<const uint8_t> type);
  Result<Token> member_token(const std::string& text);
  Result<Token> definition(Token type, const metadata::MemberText& member);
  Result<Token> assembly_token(const std::string& text);
  bool is_own_assembly(const std::string& name);
  Result<Token> own_type(const std::vector<std::string>& names);

  const Names names_;
  EmitTokens& tokens_;
  const ModuleID module_;
};

}  // namespace oriel::coreclr
