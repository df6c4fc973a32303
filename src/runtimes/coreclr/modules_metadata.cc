#include "runtimes/coreclr/modules_metadata.h"

#include "runtimes/coreclr/while_loaded.h"

namespace oriel::coreclr {

ComPtr<MetaDataImport> ModulesMetadata::of(ModuleID module) {
  {
    const std::lock_guard lock(mutex_);
    const auto found = open_.find(module);
    if (found != open_.end()) return found->second;
  }
  // Not under the lock: the runtime may wait for whoever waits for us. Two threads may open the same module; one wins.
  ComPtr<MetaDataImport> import;
  auto** slot = reinterpret_cast<IUnknown**>(import.receive());
  if (failed(info_.GetModuleMetaData(module, kOpenRead, kIMetaDataImport2Id, slot))) return {};
  const std::lock_guard lock(mutex_);
  return open_.emplace(module, import).first->second;
}

std::vector<ModuleID> ModulesMetadata::loaded() const {
  std::vector<ModuleID> found;
  ComPtr<ModuleEnum> modules;
  if (failed(info_.EnumModules(reinterpret_cast<void**>(modules.receive())))) return found;
  ModuleID module = 0;
  uint32_t fetched = 0;
  while (modules->Next(1, &module, &fetched) == kOk && fetched == 1) found.push_back(module);
  return found;
}

void ModulesMetadata::for_each_loaded(const std::function<bool(ModuleID, MetaDataImport&)>& visit) {
  bool more = true;
  for (const ModuleID module : loaded()) {
    const bool could = if_loaded(module, [&] {
      const ComPtr<MetaDataImport> import = of(module);
      more = !import || visit(module, *import.get());
    });
    if (!could || !more) return;
  }
}

void ModulesMetadata::forget(ModuleID module) {
  ComPtr<MetaDataImport> gone;  // released after the lock is
  const std::lock_guard lock(mutex_);
  const auto found = open_.find(module);
  if (found == open_.end()) return;
  gone = std::move(found->second);
  open_.erase(found);
}

}  // namespace oriel::coreclr
