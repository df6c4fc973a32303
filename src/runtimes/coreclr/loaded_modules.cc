#include "runtimes/coreclr/loaded_modules.h"

#include <utility>

namespace oriel::coreclr {

ModuleMetadata open_metadata(const Held& held, ProfilerInfo& info, ModuleID module, bool* answered) {
  ComPtr<MetaDataImport> import;
  auto** slot = reinterpret_cast<IUnknown**>(import.receive());
  const bool told = !failed(info.GetModuleMetaData(held, module, kOpenRead, kIMetaDataImport2Id, slot));
  if (answered != nullptr) *answered = told;
  return told && import ? ModuleMetadata(std::move(import)) : ModuleMetadata();
}

ModuleMetadata LoadedModules::metadata(ModuleID module) {
  if (!may_use_answers()) return {};
  const Held held;
  const bool is_kept = !held.is_gone_for_others(module);
  if (is_kept) {
    const std::lock_guard lock(open_lock_);
    const auto found = open_.find(module);
    if (found != open_.end()) return found->second;
  }
  // Not under the lock: the runtime may wait for a thread that waits for the lock. Two threads may open the same
  // module; one wins.
  bool answered = false;
  ModuleMetadata opened = open_metadata(held, info_, module, &answered);
  if (!is_kept || !answered) return opened;
  const std::lock_guard lock(open_lock_);
  return open_.emplace(module, std::move(opened)).first->second;
}

std::vector<ModuleID> LoadedModules::all() const {
  std::vector<ModuleID> found;
  ComPtr<ModuleEnum> modules;
  if (failed(info_.EnumModules(reinterpret_cast<void**>(modules.receive())))) return found;
  ModuleID module = 0;
  uint32_t fetched = 0;
  while (modules->Next(1, &module, &fetched) == kOk && fetched == 1) found.push_back(module);
  return found;
}

void LoadedModules::for_each(const std::function<bool(ModuleID, const ModuleMetadata&)>& visit) {
  bool more = true;
  for (const ModuleID module : all()) {
    while_loaded(module, [&] {
      const ModuleMetadata found = metadata(module);
      more = !found.is_open() || visit(module, found);
    });
    if (!more) return;
  }
}

void LoadedModules::while_loaded(ModuleID module, const std::function<void()>& what) {
  const Held held;
  if (!held.is_gone(module)) what();
}

void LoadedModules::close(ModuleID module) {
  ModuleMetadata gone;  // released after the lock
  const std::lock_guard lock(open_lock_);
  const auto found = open_.find(module);
  if (found == open_.end()) return;
  gone = std::move(found->second);
  open_.erase(found);
}

}  // namespace oriel::coreclr
