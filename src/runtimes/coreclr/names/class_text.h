// The runtime's types as text: classes with their exact generic arguments, arrays, and types known only by their token.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "metadata/type_text.h"
#include "runtimes/coreclr/loaded_modules.h"
#include "runtimes/coreclr/names/module_metadata.h"

namespace oriel::coreclr {

// Where names are looked up.
struct Names {
  ProfilerInfo& info;
  LoadedModules& modules;
};

// Elements and generic arguments nest deeper than this only in programs that try to break profilers.
inline constexpr int kMaxClassNesting = 32;

struct ClassFacts {
  ModuleID module = 0;
  Token token = 0;
  std::vector<ClassID> arguments;
};
// Queries generic arguments: ask(room, &count, data) fills `arguments` up to `room` and returns their count. If the
// usual room is too small, it is called again. Returns whether the runtime answered.
template <typename Ask>
bool ask_arguments(std::vector<ClassID>& arguments, Ask ask) {
  constexpr uint32_t kUsualArguments = 8;
  arguments.resize(kUsualArguments);
  uint32_t count = 0;
  HResult result = ask(static_cast<uint32_t>(arguments.size()), &count, arguments.data());
  if (succeeded(result) && count > arguments.size()) {
    arguments.resize(count);
    result = ask(static_cast<uint32_t>(arguments.size()), &count, arguments.data());
  }
  if (failed(result)) return false;
  arguments.resize(std::min<size_t>(count, arguments.size()));
  return true;
}

// The runtime's facts about a class; the token is 0 for arrays, pointers and the like.
ClassFacts class_facts(ProfilerInfo& info, ClassID klass);

// A class by id; "" if the runtime does not know it.
std::string class_text(const Names& names, ClassID klass, metadata::Style style);

// Generic arguments as text: the class if it is known, otherwise the parameter's name. Code that is shared between all
// reference types has the class System.__Canon there; raw style shows the parameter's name instead.
std::vector<std::string> argument_texts(const Names& names, const std::vector<ClassID>& arguments,
                                        const std::vector<std::string>& parameters, metadata::Style style);

// Names for the signatures of one module, in one class and method.
class SignatureScope final : public metadata::NameScope {
 public:
  // `metadata` is the module's and must outlive this.
  SignatureScope(const Names& names, const ModuleMetadata& metadata) : names_(names), metadata_(metadata) {}

  metadata::TypePath type_path(uint32_t token) const override { return metadata_.type_path(token); }
  std::span<const uint8_t> type_spec(uint32_t token) const override { return metadata_.type_spec(token); }
  std::string internal_type(uint64_t handle, metadata::Style style) const override;
  std::string class_parameter(uint32_t index, metadata::Style style) const override;
  std::string method_parameter(uint32_t index, metadata::Style style) const override;

  // The generic arguments (some or all may be missing) and the parameters' names.
  struct Generics {
    std::vector<ClassID> arguments;
    std::vector<std::string> parameters;
  };
  Generics of_class;
  Generics of_method;

 private:
  std::string parameter(const Generics& generics, uint32_t index, metadata::Style style) const;

  const Names names_;
  const ModuleMetadata& metadata_;
};

}  // namespace oriel::coreclr
