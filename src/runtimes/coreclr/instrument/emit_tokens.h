// Tokens for signatures, types and methods that instrumented bodies need, made in the module's own metadata. A module's
// metadata is opened for writing when the first of its methods is instrumented, not before: that is most of what
// instrumentation costs at start-up elsewhere.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/status.h"
#include "metadata/il_text.h"
#include "runtimes/coreclr/com/profiling.h"
#include "runtimes/coreclr/loaded_modules.h"

namespace oriel::coreclr {

class EmitTokens {
 public:
  explicit EmitTokens(ProfilerInfo& info) : info_(info) {}

  // A standAloneSig's token in the module, the same one for the same bytes. Any thread.
  Result<Token> signature(ModuleID module, std::span<const uint8_t> bytes);
  // A typeSpec's.
  Result<Token> type_spec(ModuleID module, std::span<const uint8_t> type);
  // A typeRef's, by its name with its namespace in a scope, and a memberRef's.
  Result<Token> type_ref(ModuleID module, Token scope, std::u16string_view name);
  Result<Token> member_ref(ModuleID module, Token owner, std::u16string_view name, std::span<const uint8_t> signature);
  // A methodSpec's, of a methodDef or memberRef.
  Result<Token> method_spec(ModuleID module, Token method, std::span<const uint8_t> arguments);
  Result<Token> user_string(ModuleID module, const std::u16string& text);
  // An assemblyRef's: the one of that name that the module has, whatever its version, else a new one.
  Result<Token> assembly_ref(ModuleID module, const metadata::AssemblyText& assembly);
  // A new typeDef's, methodDef's or fieldDef's, which its owner has none like so far; `owner`: of a type the one that
  // it is nested in, or 0.
  struct Definition {
    Token owner = 0;
    std::u16string name;
    uint32_t attributes = 0;
    std::vector<uint8_t> signature;  // of a member
  };
  Result<Token> type_def(ModuleID module, const Definition& type, Token base);
  Result<Token> method_def(ModuleID module, const Definition& method);
  Result<Token> field_def(ModuleID module, const Definition& field);
  // The module's metadata with what was added to it. As LoadedModules::metadata.
  ModuleMetadata newest(ModuleID module, LoadedModules& modules);
  // The module is being unloaded.
  void forget(ModuleID module);

 private:
  struct Module {
    ComPtr<MetaDataEmit> emit;
    std::map<std::vector<uint8_t>, Token> signatures;
    std::map<std::vector<uint8_t>, Token> types;
    std::map<std::pair<Token, std::u16string>, Token> type_refs;
    std::map<std::tuple<Token, std::u16string, std::vector<uint8_t>>, Token> member_refs;
    std::map<std::pair<Token, std::vector<uint8_t>>, Token> method_specs;
    std::map<std::u16string, Token> strings;
    std::map<std::string, Token> assemblies;
  };

  // What `make` adds to the module: make(emit, token) answers as the runtime.
  Result<Token> added(ModuleID module, const auto& make);
  static Result<Token> made(Module& module, const auto& make);
  Result<Module*> opened(ModuleID module);  // under the lock
  // The token that `list` has for the key, or what `make` adds.
  template <typename Key>
  Result<Token> token_for(ModuleID module, const Key& key, std::map<Key, Token> Module::*list, const auto& make);

  ProfilerInfo& info_;
  std::mutex lock_;  // the runtime's metadata calls nobody back
  std::map<ModuleID, Module> modules_;
};

}  // namespace oriel::coreclr
