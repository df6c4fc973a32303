#include "runtimes/coreclr/instrument/assembly_files.h"

#include <dlfcn.h>

#include <algorithm>

#include "base/files/input_file.h"
#include "base/text/utf16.h"
#include "runtimes/coreclr/names/module_metadata.h"

namespace oriel::coreclr {
namespace {

// Longer chains of nested scopes or of forwards can only be cycles.
constexpr int kMaxSteps = 16;

std::u16string assembly_name(MetaDataAssemblyImport& import, Token reference) {
  char16_t text[kMaxName];
  uint32_t length = 0;
  const HResult result = import.GetAssemblyRefProps(reference, nullptr, nullptr, text, kMaxName, &length, nullptr,
                                                    nullptr, nullptr, nullptr);
  if (failed(result) || length == 0 || length > kMaxName) return {};
  return {text, length - 1};
}

ComPtr<MetaDataAssemblyImport> assembly_import(const ModuleMetadata& metadata) {
  ComPtr<MetaDataAssemblyImport> assembly;
  metadata.import().QueryInterface(kIMetaDataAssemblyImportId, reinterpret_cast<void**>(assembly.receive()));
  return assembly;
}

// The assembly that the outermost type of `names` is forwarded to; empty if it is not.
std::u16string forwarded_to(MetaDataAssemblyImport& assembly, const std::u16string& name) {
  Token exported = 0, target = 0;
  if (failed(assembly.FindExportedTypeByName(name.c_str(), 0, &exported)) || exported == 0) return {};
  if (failed(assembly.GetExportedTypeProps(exported, nullptr, 0, nullptr, &target, nullptr, nullptr))) return {};
  return table_of(target) == kAssemblyRefTable ? assembly_name(assembly, target) : std::u16string();
}

}  // namespace

TypeReference type_reference(const ModuleMetadata& metadata, Token type_ref) {
  TypeReference found;
  Token scope = type_ref;
  for (int step = 0; step < kMaxSteps && table_of(scope) == kTypeRefTable; ++step) {
    char16_t text[kMaxName];
    uint32_t length = 0;
    const Token at = scope;
    if (failed(metadata.import().GetTypeRefProps(at, &scope, text, kMaxName, &length)) || length == 0 ||
        length > kMaxName) {
      return {};
    }
    found.names.emplace_back(text, length - 1);
  }
  std::reverse(found.names.begin(), found.names.end());
  if (table_of(scope) != kAssemblyRefTable) return found;
  const ComPtr<MetaDataAssemblyImport> assembly = assembly_import(metadata);
  if (assembly) found.assembly = assembly_name(*assembly.get(), scope);
  return found;
}

std::vector<FoundType> AssemblyFiles::find(const TypeReference& reference) {
  if (reference.assembly.empty() || reference.names.empty()) return {};
  std::vector<FoundType> found = find_in_folders(reference);
  if (found.empty() && add_folders_of_modules()) found = find_in_folders(reference);
  return found;
}

std::vector<FoundType> AssemblyFiles::find_in_folders(const TypeReference& reference) {
  std::vector<FoundType> found;
  const std::lock_guard guard(lock_);
  if (has_dispenser()) look_in(reference.assembly, reference.names, 0, found);
  return found;
}

void AssemblyFiles::look_in(const std::u16string& assembly, const std::vector<std::u16string>& names, int step,
                            std::vector<FoundType>& found) {
  if (step == kMaxSteps || assembly.empty()) return;
  std::vector<std::u16string> forwards;
  for (const std::u16string& folder : folders_) {
    const File& file = open(folder + assembly + u".dll");
    if (!file.metadata.is_open()) continue;
    if (const Token type = file.metadata.find_type(names); type != 0) {
      const bool known = std::any_of(found.begin(), found.end(), [&](const FoundType& other) {
        return other.metadata == &file.metadata && other.type == type;
      });
      if (!known) found.push_back({&file.metadata, type});
    } else if (file.assembly) {
      const std::u16string target = forwarded_to(*file.assembly.get(), names.front());
      if (std::find(forwards.begin(), forwards.end(), target) == forwards.end()) forwards.push_back(target);
    }
  }
  for (const std::u16string& target : forwards) look_in(target, names, step + 1, found);
}

const AssemblyFiles::File& AssemblyFiles::open(const std::u16string& path) {
  const auto [at, is_new] = files_.try_emplace(path);
  File& file = at->second;
  if (!is_new || !check_input(utf8_of(path))) return file;
  ComPtr<MetaDataImport> import;
  auto** slot = reinterpret_cast<IUnknown**>(import.receive());
  if (failed(dispenser_->OpenScope(path.c_str(), kOpenRead, kIMetaDataImport2Id, slot)) || !import) return file;
  file.metadata = ModuleMetadata(std::move(import));
  file.assembly = assembly_import(file.metadata);
  return file;
}

bool AssemblyFiles::add_folder_of(ModuleID module) {
  char16_t text[4096];
  uint32_t length = 0;
  AssemblyID assembly = 0;
  const uint8_t* base = nullptr;
  if (failed(info_.GetModuleInfo(Held(), module, &base, std::size(text), &length, text, &assembly))) return false;
  std::u16string folder(text, std::min<size_t>(length, std::size(text)));
  const size_t slash = folder.rfind(u'/');
  if (slash == std::u16string::npos) return false;
  folder.resize(slash + 1);
  const std::lock_guard guard(lock_);
  if (std::find(folders_.begin(), folders_.end(), folder) != folders_.end()) return false;
  folders_.push_back(std::move(folder));
  return true;
}

bool AssemblyFiles::add_folders_of_modules() {
  bool any = false;
  for (const ModuleID module : modules_.all()) modules_.while_loaded(module, [&] { any |= add_folder_of(module); });
  return any;
}

// The runtime's library is found by the code address of an object that it created. `info_` may be a wrapper.
bool AssemblyFiles::has_dispenser() {
  if (asked_for_dispenser_) return static_cast<bool>(dispenser_);
  asked_for_dispenser_ = true;
  ComPtr<ModuleEnum> made;
  if (failed(info_.EnumModules(reinterpret_cast<void**>(made.receive()))) || !made) return false;
  Dl_info where{};
  const void* some_function = **reinterpret_cast<void***>(made.get());
  if (dladdr(some_function, &where) == 0 || where.dli_fname == nullptr) return false;
  void* library = dlopen(where.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return false;
  using Get = HResult (*)(const Guid&, const Guid&, void**);
  const auto get = reinterpret_cast<Get>(dlsym(library, "MetaDataGetDispenser"));
  auto** slot = reinterpret_cast<void**>(dispenser_.receive());
  const bool found = get != nullptr && succeeded(get(kCorMetaDataDispenserClass, kIMetaDataDispenserId, slot));
  dlclose(library);
  return found;
}

}  // namespace oriel::coreclr
