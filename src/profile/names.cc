#include "profile/names.h"

#include "log/properties.h"
#include "profile/recorded.h"

namespace oriel::profile {
namespace {

std::string missing(const char* what, uint64_t id) {
  return "[" + std::string(what) + " " + std::to_string(id) + ", not in the log]";
}

std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

std::string Names::class_name(uint64_t id) const {
  const log::ClassName* klass = classes_.find(id);
  return klass ? klass->name : missing("class", id);
}

std::string Names::image_name(uint64_t id) const {
  const log::ImageName* image = images_.find(id);
  return image ? image->name : missing("image", id);
}

std::string Names::method_name(uint64_t id) const {
  const log::MethodName* method = methods_.find(id);
  if (!method) return missing("method", id);
  return method->klass == 0 ? method->name : class_name(method->klass) + "." + method->name;
}

Function Names::method(uint64_t id) const {
  Function function;
  function.managed = true;
  function.name = method_name(id);
  const log::MethodName* method = methods_.find(id);
  if (!method) return function;
  if (method->raw_name != function.name) function.raw_name = method->raw_name;
  const log::ClassName* klass = classes_.find(method->klass);
  const log::ImageName* image = klass ? images_.find(klass->image) : nullptr;
  if (image) function.module = image->name;
  return function;
}

Function Names::type(uint64_t id) const {
  Function function;
  function.managed = true;
  function.type = true;
  function.name = class_name(id);
  const log::ClassName* klass = classes_.find(id);
  if (const log::ImageName* image = klass ? images_.find(klass->image) : nullptr) function.module = image->name;
  return function;
}

std::string Names::library_name(uint64_t id) const {
  const log::LibraryName* library = id == 0 ? nullptr : libraries_.find(id);
  return library ? file_name(library->path) : "";
}

void Names::add(const log::Intro& intro) {
  const std::string* program = property(intro, log::property::kRuntimeIn);
  runtime_in_ = program ? file_name(*program) : "";
}

std::string Names::native_name(uint64_t id) const {
  const log::NativeName* native = natives_.find(id);
  if (!native) return missing("native function", id);
  if (!native->name.empty()) return native->name;
  const std::string library = library_name(native->library);
  if (library.empty()) return "[generated code]";
  return (library == runtime_in_ ? "[runtime in " : "[") + library + "]";
}

Function Names::native(uint64_t id) const {
  Function function;
  function.name = native_name(id);
  if (const log::NativeName* native = natives_.find(id)) function.module = library_name(native->library);
  return function;
}

}  // namespace oriel::profile
