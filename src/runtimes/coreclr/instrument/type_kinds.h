// What kind of type a token in a module stands for, without loading the type.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <unordered_set>

#include "runtimes/coreclr/instrument/assembly_files.h"
#include "runtimes/coreclr/names/module_metadata.h"

namespace oriel::coreclr {

enum class TypeKind : uint8_t {
  kUnknown,    // of an assembly that has no file and is not loaded yet; or several versions disagree
  kReference,  // class, array, delegate
  kValue,
  kString,     // System.String, whose constructors are no constructors
  kParameter,  // a generic parameter
};

class TypeKinds {
 public:
  TypeKinds(ProfilerInfo& info, LoadedModules& modules) : modules_(modules), files_(info, modules) {}

  // Before the first question about a module: assemblies that lie beside it are looked at from now on. Any thread.
  void meet(ModuleID module);
  // The module is being unloaded; another may get its id.
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
  std::map<std::u16string, TypeKind> by_name_;  // of typeRefs; what is not known is asked again
};

}  // namespace oriel::coreclr
