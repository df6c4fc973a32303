// What a module's metadata says about its types and methods, and about the tokens in their code. Answers are empty if
// there is none.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "metadata/type_text.h"
#include "runtimes/coreclr/com/profiling.h"

namespace oriel::coreclr {

// The runtime's longest name, with its terminating zero.
inline constexpr uint32_t kMaxName = 1024;

// Method attributes (ECMA-335 II.23.1.10).
inline constexpr uint32_t kVirtualMethod = 0x40, kAbstractMethod = 0x400;
// Method implementation attributes (II.23.1.11).
inline constexpr uint32_t kNoInlining = 0x0008, kAggressiveInlining = 0x0100;

// A methodDef's row without its name, which is expensive to read.
struct MethodDefinition {
  Token type = 0;
  uint32_t attributes = 0;
  uint32_t implementation = 0;
  std::span<const uint8_t> signature;
};

struct NamedMethod {
  std::string name;
  Token type = 0;
  std::span<const uint8_t> signature;
};

// Returned spans live as long as the module. Any thread.
class ModuleMetadata {
 public:
  // For a module without metadata. is_open is then false, and only type_path and type_spec may be called, because
  // signatures of the runtime's own stubs have tokens of such a module.
  ModuleMetadata() = default;
  explicit ModuleMetadata(ComPtr<MetaDataImport> import) : import_(std::move(import)) {}

  bool is_open() const { return static_cast<bool>(import_); }
  MetaDataImport& import() const { return *import_.get(); }

  // The module's own name, as its compiler wrote it.
  std::string module_name() const;
  // The GUID of its version, as oriel_image_mvid.
  std::string mvid() const;
  // Whether this is System.Private.CoreLib. Other modules may have types with the same names.
  bool is_core_library() const;
  // As Runtime::is_optimized.
  bool is_optimized() const;
  // As Runtime::has_names.
  bool has_names(std::string_view prefix) const;

  // All typeDefs, and the methods and fields of one.
  std::vector<Token> types() const;
  std::vector<Token> methods_of(Token type) const;
  std::vector<Token> fields_of(Token type) const;

  // Takes a typeDef or typeRef.
  metadata::TypePath type_path(Token type) const;
  // The name of a typeDef or typeRef in its own scope: with its namespace, or without if it is nested. `extends`
  // receives a typeDef's base type.
  std::u16string type_name(Token type, Token* extends = nullptr) const;
  // The typeDef with these names, outermost first; 0 if there is none.
  Token find_type(const std::vector<std::u16string>& names) const;
  // The typeDef that encloses a nested one; 0 if it is not nested.
  Token enclosing_type(Token type) const;
  // A typeSpec's signature.
  std::span<const uint8_t> type_spec(Token spec) const;

  std::optional<MethodDefinition> definition(Token method) const;
  NamedMethod named_method(Token method) const;
  std::vector<Token> methods_named(Token type, const std::string& name) const;
  // The name of the state machine's class, from the compiler's attribute on an async method or iterator.
  std::string state_machine_of(Token method) const;

  // The number of generic parameters of a type, or of a method itself.
  uint32_t generic_arity(Token owner) const;
  // Their names, in order.
  std::vector<std::string> generic_parameter_names(Token owner) const;
  // Whether the method or its type has generic parameters.
  bool is_generic(Token method, Token type) const;

  // Whether there is such a row or string.
  bool has(Token token) const;
  // Takes a methodDef, memberRef, methodSpec or standAloneSig.
  std::span<const uint8_t> signature_of(Token token) const;
  // The type that declares a methodDef, memberRef or methodSpec; 0 if there is none.
  Token owner_of(Token member) const;
  // The name of a methodDef, memberRef or methodSpec.
  std::u16string name_of(Token member) const;
  // The methodDef or memberRef of a methodSpec; other tokens unchanged.
  Token unspecialized(Token method) const;
  // The methodDef that a call's token denotes; 0 if the method is in another module.
  Token definition_within_module(Token callee) const;

 private:
  metadata::TypePath type_def_path(Token type) const;
  metadata::TypePath type_ref_path(Token type) const;

  ComPtr<MetaDataImport> import_;
};

}  // namespace oriel::coreclr
