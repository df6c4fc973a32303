#include "runtimes/coreclr/things.h"

#include "engine/engine.h"

namespace oriel::coreclr {

oriel_method* method_of(ProfilerInfo& info, FunctionID function) {
  if (oriel_method* known = find_method(function)) return known;
  ClassID klass = 0;
  ModuleID module = 0;
  Token token = 0;
  Bool dynamic = 0;
  if (succeeded(info.IsFunctionDynamic(function, &dynamic)) && dynamic) return intern_method(function);
  if (failed(info.GetFunctionInfo(function, &klass, &module, &token)) || module == 0) return intern_method(function);
  return intern_method(function, intern_image(module), token);
}

oriel_class* class_of_id(ProfilerInfo& info, ClassID klass) {
  if (oriel_class* known = find_class(klass)) return known;
  ModuleID module = 0;
  Token token = 0;
  if (failed(info.GetClassIDInfo(klass, &module, &token)) || module == 0) return intern_class(klass);
  return intern_class(klass, intern_image(module), token);
}

}  // namespace oriel::coreclr
