#include "profile/build/names.h"

#include "base/text/path.h"
#include "log/properties.h"
#include "profile/recorded.h"
#include "symbols/symbol_table.h"

namespace oriel::profile {
namespace {

std::string missing(const char* what, uint64_t id) {
  return "[" + std::string(what) + " " + std::to_string(id) + ", not in the log]";
}

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
  const std::string klass = method->klass == 0 ? "" : class_name(method->klass);
  return klass.empty() ? method->name : klass + "." + method->name;
}

void Names::add(const log::ImageOrigin& origin) {
  const auto [known, made] =
      known_origins_.try_emplace({origin.origin, origin.name}, static_cast<uint32_t>(origins_.size()));
  if (made) origins_.push_back({origin.origin, origin.name});
  image_origins_.at(origin.image) = known->second;
}

void Names::take_image(const log::ClassName* klass, Function& function) const {
  if (!klass) return;
  if (const log::ImageName* image = images_.find(klass->image)) function.module = image->name;
  if (const uint32_t* origin = image_origins_.find(klass->image)) function.origin = *origin;
}

Function Names::method(uint64_t id) const {
  Function function;
  function.managed = true;
  function.name = method_name(id);
  const log::MethodName* method = methods_.find(id);
  if (!method) return function;
  if (method->raw_name != function.name) function.raw_name = method->raw_name;
  take_image(classes_.find(method->klass), function);
  return function;
}

log::MethodDefinition Names::definition(uint64_t method) const {
  const log::MethodDefinition* known = definitions_.find(method);
  return known ? *known : log::MethodDefinition{};
}

Image Names::image(uint64_t id) const {
  Image image;
  if (const log::ImageName* name = images_.find(id)) image.path = name->path;
  if (const log::ImageSymbols* symbols = symbols_.find(id)) {
    image.pdb_id = symbols->pdb_id;
    image.pdb_path = symbols->pdb_path;
  }
  return image;
}

uint64_t Names::address(uint64_t native) const {
  const auto known = addresses_.find(native);
  return known == addresses_.end() ? 0 : known->second;
}

uint64_t Names::library_of(uint64_t native) const {
  const log::NativeName* known = natives_.find(native);
  return known ? known->library : 0;
}

Image Names::library(uint64_t id) const {
  Image image;
  if (const log::LibraryName* library = libraries_.find(id)) image.path = library->path;
  if (const auto build = builds_.find(id); build != builds_.end()) image.build_id = build->second;
  return image;
}

std::set<std::string> Names::unoptimized() const {
  std::set<std::string> result;
  for (const uint64_t id : unoptimized_)
    if (const log::ImageName* image = images_.find(id)) result.insert(image->name);
  return result;
}

Function Names::type(uint64_t id) const {
  Function function;
  function.managed = true;
  function.type = true;
  function.name = class_name(id);
  take_image(classes_.find(id), function);
  return function;
}

std::string Names::library_name(uint64_t id) const {
  const log::LibraryName* library = id == 0 ? nullptr : libraries_.find(id);
  return library ? file_name(library->path) : "";
}

// Replaces missing names, and those that only tell a function's purpose, by the names in symbol files.
void Names::find_symbols() {
  std::map<uint64_t, symbols::SymbolTable> tables;
  for (const auto& [id, address] : addresses_) {
    const log::NativeName* native = natives_.find(id);
    if (!native || !(native->name.empty() || native->name.starts_with('['))) continue;
    const log::LibraryName* library = libraries_.find(native->library);
    const auto build = builds_.find(native->library);
    if (!library || build == builds_.end()) continue;
    const auto [table, made] = tables.try_emplace(native->library);
    if (made) table->second = symbols::read_debug_symbols(library->path, build->second);
    const auto function = table->second.find(address);
    if (function && function->name) natives_.at(id).name = function->name;
  }
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
