// The kind of a type that a module's token denotes, without loading the type.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <unordered_set>

#include "runtimes/coreclr/instrument/assembly_files.h"
#include "runtimes/coreclr/names/module_metadata.h"

namespace oriel::coreclr {

enum class TypeKind : uint8_t {
  kUnknown,    // its assembly has no file and is not loaded yet, or several versions disagree
  kReference,  // class, array, delegate
  kValue,
  kString,     // System.String, whose constructors are special
  kParameter,  // a generic parameter
};

class TypeKinds {
 public:
  TypeKinds(ProfilerInfo& info, LoadedModules& modules) : modules_(modules), files_(info, modules) {}

  // Call it before the first question about a module: assemblies in its folder are searched from now on. Any thread.
  void meet(ModuleID module);
  // The module is being unloaded; its id may be reused.
  void forget(ModuleID module);
  // `type`: a typeDef, typeRef or typeSpec of the module whose metadata is given. Any thread.
  TypeKind of(const ModuleMetadata& metadata, Token type);

 private:
  TypeKind of_definition(const ModuleMetadata& metadata, Token type);
  TypeKind of_reference(const TypeReference& reference);
  TypeKind find(const TypeReference& reference);
  TypeKind find_in_modules(const TypeReference& reference);

  LoadedModules& modules_;
  AssemblyFiles files_;
  std::mutex lock_;
  std::unordered_set<ModuleID> met_;
  std::map<std::u16string, TypeKind> by_name_;  // for typeRefs; unknown types are asked about again
};

}  // namespace oriel::coreclr
