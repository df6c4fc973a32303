// What a module's metadata says of methods and of the tokens in their bodies, for changing those bodies.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "il/signature.h"
#include "il/stack.h"
#include "runtimes/coreclr/com/profiling.h"

namespace oriel::coreclr {

inline constexpr Token kTableMask = 0xff000000;
inline constexpr Token kTypeRefTable = 0x01000000, kTypeDefTable = 0x02000000, kFieldTable = 0x04000000,
                       kMethodDefTable = 0x06000000, kMemberRefTable = 0x0a000000, kStandAloneSigTable = 0x11000000,
                       kTypeSpecTable = 0x1b000000, kMethodSpecTable = 0x2b000000, kUserStrings = 0x70000000;
inline Token table_of(Token token) { return token & kTableMask; }

// A methodDef's row. Spans live as long as the module.
struct MethodDefinition {
  Token type = 0;
  uint32_t attributes = 0;
  uint32_t implementation = 0;
  std::span<const uint8_t> signature;
};

// The name of a typeDef in its own scope: with its namespace, a nested one's without. Empty if there is none.
std::u16string type_definition_name(MetaDataImport& import, Token type, Token* extends = nullptr);
// The typeDef of these names, the outermost first; 0 if there is none.
Token find_type_definition(MetaDataImport& import, const std::vector<std::u16string>& names);

class MethodMetadata {
 public:
  explicit MethodMetadata(ComPtr<MetaDataImport> import) : import_(std::move(import)) {}

  // Is this System.Private.CoreLib? Others may have types of the same names.
  bool is_core_library() const;
  bool is_open() const { return static_cast<bool>(import_); }
  std::optional<MethodDefinition> definition(Token method) const;
  // Is there such a row, or such a string?
  bool has(Token token) const;
  // Of a methodDef, memberRef, methodSpec or standAloneSig; empty if there is none.
  std::span<const uint8_t> signature_of(Token token) const;
  // The type whose member a methodDef, memberRef or methodSpec is; 0 if there is none.
  Token owner_of(Token member) const;
  // The name of a methodDef, memberRef or methodSpec.
  std::u16string name_of(Token member) const;
  std::optional<il::StackEffect> call_effect(il::Opcode opcode, Token callee) const;
  // Has the method or its type generic parameters?
  bool is_generic(Token method, Token type) const;
  // How many generic parameters a type has, or a method of its own.
  uint32_t generic_parameters(Token owner) const;
  MetaDataImport& import() const { return *import_.get(); }
  // The methodDef or memberRef that a methodSpec is of; others as they are.
  Token unspecialized(Token method) const;

 private:
  ComPtr<MetaDataImport> import_;
};

}  // namespace oriel::coreclr
