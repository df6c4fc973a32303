// Names of domains, assemblies, modules and classes.
#include "base/copy_memory.h"
#include "engine/engine.h"
#include "metadata/debug_directory.h"
#include "runtimes/coreclr/com/wide_text.h"
#include "runtimes/coreclr/names/describe.h"
#include "runtimes/coreclr/names/things.h"

namespace oriel::coreclr {
namespace {

std::string or_unnamed(const std::string& name, const char* what) { return name.empty() ? what : name; }

// An instance's bytes on the heap. Only classes with instances of a fixed size have a layout. A struct's layout does
// not include the box.
uint32_t instance_size(ProfilerInfo& info, ClassID klass) {
  constexpr uint32_t kWord = sizeof(void*), kLeast = 3 * kWord;
  const Held held;
  uint32_t fields = 0, size = 0, offset_in_box = 0;
  if (failed(info.GetClassLayout(held, klass, nullptr, 0, &fields, &size))) return 0;
  if (failed(info.GetBoxClassLayout(held, klass, &offset_in_box))) return size;
  const uint32_t boxed = (kWord + offset_in_box + size + kWord - 1) & ~(kWord - 1);  // the object's header and its
                                                                                     // class
  return boxed < kLeast ? kLeast : boxed;
}

void describe_pdb(const Names& names, oriel_image& image) {
  constexpr uint32_t kFlatLayout = 0x20;  // corprof.idl: COR_PRF_MODULE_FLAT_LAYOUT
  const Held held;
  const uint8_t* base = nullptr;
  AssemblyID assembly = 0;
  uint32_t length = 0, flags = 0;
  const HResult told = names.info.GetModuleInfo2(held, image.runtime_id, &base, 0, &length, nullptr, &assembly, &flags);
  if (failed(told) || base == nullptr) return;
  const auto read = [base](uint64_t offset, void* to, size_t size) { return copy_memory(base + offset, to, size); };
  const auto layout = (flags & kFlatLayout) ? metadata::ImageLayout::kFile : metadata::ImageLayout::kLoaded;
  if (const auto directory = metadata::read_debug_directory(read, layout)) {
    image.pdb_path = directory->pdb_path;
    image.pdb_id = directory->pdb_id;
  }
}

}  // namespace

void describe(const Names& names, oriel_domain& domain) {
  domain.name = or_unnamed(wide_text([&](char16_t* text, uint32_t room, uint32_t* length) {
                             return names.info.GetAppDomainInfo(domain.runtime_id, room, length, text, nullptr);
                           }),
                           "[unnamed domain]");
}

void describe(const Names& names, oriel_assembly& assembly) {
  const Held held;
  assembly.name =
      or_unnamed(wide_text([&](char16_t* text, uint32_t room, uint32_t* length) {
                   return names.info.GetAssemblyInfo(held, assembly.runtime_id, room, length, text, nullptr, nullptr);
                 }),
                 "[unnamed assembly]");
}

void describe(const Names& names, oriel_image& image) {
  const Held held;
  AssemblyID assembly = 0;
  const uint8_t* base = nullptr;
  const std::string path = wide_text([&](char16_t* text, uint32_t room, uint32_t* length) {
    return names.info.GetModuleInfo(held, image.runtime_id, &base, room, length, text, &assembly);
  });
  if (assembly != 0 && assembly != kUnknownParent) image.assembly = intern_assembly(assembly);
  // An image in memory has no path: the runtime reports a bare name, or nothing.
  const size_t slash = path.rfind('/');
  if (slash != std::string::npos) image.path = path;
  image.name = slash == std::string::npos ? path : path.substr(slash + 1);
  describe_pdb(names, image);
  if (!image.name.empty()) return;
  const ModuleMetadata metadata = names.modules.metadata(image.runtime_id);
  image.name = or_unnamed(metadata.is_open() ? metadata.module_name() : "", "[unnamed image]");
}

void describe(const Names& names, oriel_class& klass) {
  klass.name = "[unnamed class]";
  if (klass.runtime_id != 0) {
    const ClassFacts facts = class_facts(names.info, klass.runtime_id);
    if (klass.image == nullptr) {
      if (facts.module != 0) klass.image = intern_image(facts.module);
      note_parts(names.info, klass);
    }
    if (klass.token == 0) klass.token = facts.token;
    klass.instance_size = instance_size(names.info, klass.runtime_id);
    klass.name = or_unnamed(class_text(names, klass.runtime_id, metadata::Style::kFull), "[unnamed class]");
    return;
  }
  if (klass.image == nullptr) return;
  const ModuleMetadata metadata = names.modules.metadata(klass.image->runtime_id);
  if (!metadata.is_open()) return;
  const auto arguments =
      argument_texts(names, {}, metadata.generic_parameter_names(klass.token), metadata::Style::kFull);
  klass.name = metadata::type_text(metadata.type_path(klass.token), arguments, metadata::Style::kFull);
}

}  // namespace oriel::coreclr
