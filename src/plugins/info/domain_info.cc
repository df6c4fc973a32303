#include "plugins/info/domain_info.h"

#include "plugins/info/enumerator.h"
#include "plugins/text.h"
#include "runtimes/coreclr/com/wide_text.h"

namespace oriel::plugins {
namespace {

template <typename Interface, typename T, typename Wanted>
std::vector<ComPtr<Interface>> choose(const std::vector<ComPtr<T>>& all, Wanted wanted) {
  std::vector<ComPtr<Interface>> chosen;
  for (const auto& one : all)
    if (wanted(*one.get())) chosen.push_back(share<Interface>(one.get()));
  return chosen;
}

constexpr std::string_view kSystem = "System.Private.CoreLib.dll";
constexpr auto kAll = [](const auto&) { return true; };

}  // namespace

HResult AppDomainInfo::GetAppDomainId(AppDomainID* id) {
  if (id == nullptr) return kPointerError;
  *id = id_;
  return kOk;
}

std::string AppDomainInfo::name() {
  {
    const std::lock_guard guard(lock_);
    if (!name_.empty()) return name_;
  }
  return coreclr::wide_text([&](char16_t* buffer, uint32_t room, uint32_t* length) {
    return runtime_.GetAppDomainInfo(id_, room, length, buffer, nullptr);
  });
}

void AppDomainInfo::finish() {
  std::string now = name();
  const std::lock_guard guard(lock_);
  name_ = std::move(now);
}

// The runtime's system domain has the core library's name; there is one other domain.
HResult AppDomainInfo::GetIsSystemDomain(Bool* value) { return answer_bool(name() == kSystem, value); }
HResult AppDomainInfo::GetIsSharedDomain(Bool* value) { return answer_bool(false, value); }
HResult AppDomainInfo::GetIsDefaultDomain(Bool* value) { return answer_bool(name() != kSystem, value); }

HResult AppDomainInfo::GetName(Bstr* out) {
  if (out == nullptr) return kPointerError;
  *out = make_bstr(name());
  return kOk;
}

void AppDomainInfo::add(const ComPtr<AssemblyInfo>& assembly) {
  const std::lock_guard guard(lock_);
  assemblies_.push_back(assembly);
}

void AppDomainInfo::remove(AssemblyID id) {
  const std::lock_guard guard(lock_);
  std::erase_if(assemblies_, [&](const auto& assembly) { return assembly->id() == id; });
}

std::vector<ComPtr<AssemblyInfo>> AppDomainInfo::assemblies() {
  const std::lock_guard guard(lock_);
  return assemblies_;
}

std::vector<ComPtr<ModuleInfo>> AppDomainInfo::modules() {
  std::vector<ComPtr<ModuleInfo>> all;
  for (const auto& assembly : assemblies())
    for (const auto& module : assembly->modules()) all.push_back(module);
  return all;
}

ComPtr<AssemblyInfo> AppDomainInfo::find(AssemblyID id) {
  for (const auto& assembly : assemblies())
    if (assembly->id() == id) return assembly;
  return {};
}

HResult AppDomainInfo::GetAssemblies(IEnumAssemblyInfo** out) {
  if (out == nullptr) return kPointerError;
  return give_list(choose<IAssemblyInfo>(assemblies(), kAll), out);
}

HResult AppDomainInfo::GetModules(IEnumModuleInfo** out) {
  if (out == nullptr) return kPointerError;
  return give_list(choose<IModuleInfo>(modules(), kAll), out);
}

HResult AppDomainInfo::GetAssemblyInfoById(AssemblyID id, IAssemblyInfo** out) {
  if (out == nullptr) return kPointerError;
  const ComPtr<AssemblyInfo> found = find(id);
  give(found, out);
  return found ? kOk : kFail;
}

HResult AppDomainInfo::GetAssemblyInfosByName(Bstr name, IEnumAssemblyInfo** out) {
  if (name == nullptr || out == nullptr) return kPointerError;
  const std::string wanted = text_of(name);
  return give_list(choose<IAssemblyInfo>(assemblies(), [&](auto& assembly) { return assembly.name() == wanted; }), out);
}

HResult AppDomainInfo::GetModuleCount(uint32_t* count) {
  if (count == nullptr) return kPointerError;
  *count = static_cast<uint32_t>(modules().size());
  return kOk;
}

HResult AppDomainInfo::GetModuleInfoById(ModuleID id, IModuleInfo** out) {
  if (out == nullptr) return kPointerError;
  *out = nullptr;
  for (const auto& module : modules())
    if (module->id() == id) return give(module, out);
  return kFail;
}

HResult AppDomainInfo::GetModuleInfosByMvid(Guid mvid, IEnumModuleInfo** out) {
  if (out == nullptr) return kPointerError;
  const auto is_it = [&](ModuleInfo& module) {
    Guid its{};
    return succeeded(module.GetMVID(&its)) && its == mvid;
  };
  return give_list(choose<IModuleInfo>(modules(), is_it), out);
}

HResult AppDomainInfo::GetModuleInfosByName(Bstr name, IEnumModuleInfo** out) {
  if (name == nullptr || out == nullptr) return kPointerError;
  const std::string wanted = text_of(name);
  return give_list(choose<IModuleInfo>(modules(), [&](ModuleInfo& module) { return module.name() == wanted; }), out);
}

}  // namespace oriel::plugins
