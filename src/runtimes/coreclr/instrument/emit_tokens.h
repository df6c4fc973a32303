// Adds the signatures, types and methods that instrumented bodies need to the module's own metadata, and returns their
// tokens. A module's metadata is opened for writing only when its first method is instrumented: opening it earlier is
// most of what instrumentation costs other tools at start-up.
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

  // The token of a standAloneSig, the same for the same bytes. Any thread.
  Result<Token> signature(ModuleID module, std::span<const uint8_t> bytes);
  // The token of a typeSpec.
  Result<Token> type_spec(ModuleID module, std::span<const uint8_t> type);
  // The tokens of a typeRef, by its scope and its name with the namespace, and of a memberRef.
  Result<Token> type_ref(ModuleID module, Token scope, std::u16string_view name);
  Result<Token> member_ref(ModuleID module, Token owner, std::u16string_view name, std::span<const uint8_t> signature);
  // The token of a methodSpec for a methodDef or memberRef.
  Result<Token> method_spec(ModuleID module, Token method, std::span<const uint8_t> arguments);
  Result<Token> user_string(ModuleID module, const std::u16string& text);
  // The token of an assemblyRef: an existing one with that name, whatever its version, or a new one.
  Result<Token> assembly_ref(ModuleID module, const metadata::AssemblyText& assembly);
  // A new typeDef, methodDef or fieldDef, which its owner must not have already. A type's `owner` is the type that it
  // is nested in, or 0.
  struct Definition {
    Token owner = 0;
    std::u16string name;
    uint32_t attributes = 0;
    std::vector<uint8_t> signature;  // of a member
  };
  Result<Token> type_def(ModuleID module, const Definition& type, Token base);
  Result<Token> method_def(ModuleID module, const Definition& method);
  Result<Token> field_def(ModuleID module, const Definition& field);
  // The module's metadata including what was added; see LoadedModules::metadata.
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

  // What `make` adds to the module. make(emit, token) returns the runtime's result.
  Result<Token> added(ModuleID module, const auto& make);
  static Result<Token> made(Module& module, const auto& make);
  Result<Module*> opened(ModuleID module);  // call it under the lock
  // The token that `list` has for the key, or the one that `make` adds.
  template <typename Key>
  Result<Token> token_for(ModuleID module, const Key& key, std::map<Key, Token> Module::*list, const auto& make);

  ProfilerInfo& info_;
  std::mutex lock_;  // held in calls of the runtime's metadata, which calls nothing back
  std::map<ModuleID, Module> modules_;
};

}  // namespace oriel::coreclr
