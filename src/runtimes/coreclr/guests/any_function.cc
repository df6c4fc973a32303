#include "runtimes/coreclr/guests/any_function.h"

#include <vector>

#include "runtimes/coreclr/loaded_modules.h"
#include "runtimes/coreclr/names/module_metadata.h"

namespace oriel::coreclr {
namespace {

// A class of the core library; 0 if there is none with that name.
ClassID core_class(const Held& held, ProfilerInfo& info, const char16_t* name) {
  LoadedModules modules(info);
  ClassID klass = 0;
  modules.for_each([&](ModuleID module, const ModuleMetadata& metadata) {
    const Token type = metadata.is_core_library() ? metadata.find_type({name}) : 0;
    if (type != 0 && failed(info.GetClassFromToken(held, module, type, &klass))) klass = 0;
    return false;
  });
  return klass;
}

FunctionID instantiated(const Held& held, ProfilerInfo& info, const MethodKey& key, const ModuleMetadata& metadata,
                        ClassID argument) {
  const auto definition = metadata.definition(key.token);
  if (!definition || argument == 0) return 0;
  std::vector<ClassID> of_type(metadata.generic_arity(definition->type), argument);
  std::vector<ClassID> of_method(metadata.generic_arity(key.token), argument);
  ClassID type = 0;
  const HResult loaded =
      of_type.empty() ? info.GetClassFromToken(held, key.module, definition->type, &type)
                      : info.GetClassFromTokenAndTypeArgs(held, key.module, definition->type,
                                                          static_cast<uint32_t>(of_type.size()), of_type.data(), &type);
  FunctionID function = 0;
  if (failed(loaded) || type == 0 ||
      failed(info.GetFunctionFromTokenAndTypeArgs(
          held, key.module, key.token, type, static_cast<uint32_t>(of_method.size()), of_method.data(), &function)))
    return 0;
  return function;
}

}  // namespace

FunctionID any_function(ProfilerInfo& info, const MethodKey& key) {
  const Held held;
  FunctionID function = 0;
  if (succeeded(info.GetFunctionFromToken(held, key.module, key.token, &function)) && function != 0) return function;
  const ModuleMetadata metadata = LoadedModules(info).metadata(key.module);
  if (!metadata.is_open()) return 0;
  function = instantiated(held, info, key, metadata, core_class(held, info, u"System.Object"));
  return function != 0 ? function : instantiated(held, info, key, metadata, core_class(held, info, u"System.Int32"));
}

}  // namespace oriel::coreclr
