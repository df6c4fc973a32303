// A method whose body profilers change, with its module's metadata as they see it.
#pragma once

#include "engine/code_editor.h"
#include "runtimes/coreclr/instrument/name_tokens.h"

namespace oriel::coreclr {

class BodySite final : public CodeSite {
 public:
  // All arguments must outlive this.
  BodySite(const Names& names, EmitTokens& tokens, ModuleID module, const MethodDefinition& definition)
      : names_(names), tokens_(tokens), module_(module), definition_(definition), texts_(names, tokens, module) {}

  Status check(std::span<const uint8_t> body) const override;
  std::span<const uint8_t> signature() const override { return definition_.signature; }
  std::span<const uint8_t> signature_of(uint32_t token) const override;
  Result<uint32_t> token(NamedToken kind, const std::string& text) override { return texts_.token(kind, text); }
  Result<std::vector<uint8_t>> type(const std::string& text) override { return metadata::type_of_text(text, texts_); }
  Result<uint32_t> signature_token(std::span<const uint8_t> signature) override {
    return tokens_.signature(module_, signature);
  }
  std::string type_text(std::span<const uint8_t> type) const override;

 private:
  // Includes everything that was added so far.
  ModuleMetadata metadata() const { return tokens_.newest(module_, names_.modules); }

  const Names names_;
  EmitTokens& tokens_;
  const ModuleID module_;
  const MethodDefinition& definition_;
  NameTokens texts_;
};

}  // namespace oriel::coreclr
