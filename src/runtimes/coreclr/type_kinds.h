// What kind of type a token in a module stands for, without loading the type.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "runtimes/coreclr/method_metadata.h"

namespace oriel::coreclr {

class ModulesMetadata;

enum class TypeKind : uint8_t {
  kUnknown,    // of an assembly that is not loaded yet
  kReference,  // class, array, delegate
  kValue,
  kString,     // System.String, whose constructors are no constructors
  kParameter,  // a generic parameter
};

class TypeKinds {
 public:
  explicit TypeKinds(ModulesMetadata& modules) : modules_(modules) {}

  // `type`: a typeDef, typeRef or typeSpec of the module whose metadata is given. Any thread.
  TypeKind of(const MethodMetadata& metadata, Token type);

 private:
  TypeKind of_definition(MetaDataImport& import, Token type);
  TypeKind of_name(const std::u16string& name, const std::u16string& enclosing);
  TypeKind find_in_modules(const std::u16string& name, const std::u16string& enclosing);

  ModulesMetadata& modules_;
  std::mutex lock_;
  std::map<std::u16string, TypeKind> by_name_;  // of typeRefs; what is not known is asked again
};

}  // namespace oriel::coreclr
