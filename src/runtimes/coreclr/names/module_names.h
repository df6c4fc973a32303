// What one module's metadata says, asked in the terms of src/metadata. Each answer is empty where there is none.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "metadata/type_text.h"
#include "runtimes/coreclr/com/profiling.h"

namespace oriel::coreclr {

struct MethodRow {
  std::string name;
  Token type = 0;
  std::span<const uint8_t> signature;  // valid as long as the module
};

class ModuleNames {
 public:
  explicit ModuleNames(ComPtr<MetaDataImport> import) : import_(std::move(import)) {}

  bool is_open() const { return static_cast<bool>(import_); }
  MethodRow method(Token method) const;
  // Of typeDefs and typeRefs. Nothing while there is no metadata: signatures of the runtime's stubs have tokens of a
  // module that it does not tell.
  metadata::TypePath type_path(Token type) const;
  // The typeDef around a nested one; 0 if it is not nested.
  Token enclosing_type(Token type) const;
  // The names of the generic parameters of a typeDef or methodDef, in their order.
  std::vector<std::string> generic_parameters(Token owner) const;
  std::span<const uint8_t> type_spec(Token spec) const;
  std::vector<Token> methods_named(Token type, const std::string& name) const;
  // The name of the state machine's class that the compiler's attribute on an async method or iterator tells.
  std::string state_machine_of(Token method) const;
  // The module's own name, as its compiler wrote it.
  std::string module_name() const;

 private:
  metadata::TypePath type_def_path(Token type) const;
  metadata::TypePath type_ref_path(Token type) const;

  ComPtr<MetaDataImport> import_;
};

}  // namespace oriel::coreclr
