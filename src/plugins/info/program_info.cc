#include "plugins/info/program_info.h"

#include "plugins/info/enumerator.h"
#include "plugins/info/method_info.h"

namespace oriel::plugins {

std::vector<ComPtr<AppDomainInfo>> Program::domains() {
  const std::lock_guard guard(lock_);
  return domains_;
}

ComPtr<AppDomainInfo> Program::domain(AppDomainID id) {
  const std::lock_guard guard(lock_);
  for (const auto& domain : domains_)
    if (domain->id() == id) return domain;
  domains_.push_back(make<AppDomainInfo>(runtime_, id));
  return domains_.back();
}

ComPtr<AssemblyInfo> Program::known_assembly(AssemblyID id) {
  for (const auto& domain : domains())
    if (ComPtr<AssemblyInfo> found = domain->find(id)) return found;
  return {};
}

ComPtr<AssemblyInfo> Program::assembly(AssemblyID id) {
  if (ComPtr<AssemblyInfo> found = known_assembly(id)) return found;
  ComPtr<AssemblyInfo> made = make<AssemblyInfo>(runtime_, id);
  const ComPtr<AppDomainInfo> its = domain(made->domain_id());
  made->set_domain(its);
  its->add(made);
  return made;
}

ComPtr<ModuleInfo> Program::known_module(ModuleID id) {
  const std::lock_guard guard(lock_);
  const auto found = modules_.find(id);
  return found == modules_.end() ? ComPtr<ModuleInfo>() : found->second;
}

ComPtr<ModuleInfo> Program::module(ModuleID id) {
  if (ComPtr<ModuleInfo> known = known_module(id)) return known;
  ComPtr<ModuleInfo> made = make<ModuleInfo>(runtime_, id);
  const std::lock_guard guard(lock_);
  return modules_.try_emplace(id, made).first->second;
}

ComPtr<ModuleInfo> Program::remove_module(ModuleID id) {
  ComPtr<ModuleInfo> module;
  {
    const std::lock_guard guard(lock_);
    const auto found = modules_.find(id);
    if (found == modules_.end()) return {};
    module = found->second;
    modules_.erase(found);
  }
  if (const ComPtr<AssemblyInfo> assembly = module->assembly()) assembly->remove(id);
  return module;
}

ComPtr<AssemblyInfo> Program::remove_assembly(AssemblyID id) {
  ComPtr<AssemblyInfo> assembly = known_assembly(id);
  for (const auto& domain : domains()) domain->remove(id);
  return assembly;
}

ComPtr<AppDomainInfo> Program::remove_domain(AppDomainID id) {
  const std::lock_guard guard(lock_);
  for (auto at = domains_.begin(); at != domains_.end(); ++at) {
    if ((*at)->id() != id) continue;
    ComPtr<AppDomainInfo> removed = *at;
    domains_.erase(at);
    return removed;
  }
  return {};
}

HResult Program::GetAppDomainCount(uint32_t* count) {
  if (count == nullptr) return kPointerError;
  *count = static_cast<uint32_t>(domains().size());
  return kOk;
}

HResult Program::GetAppDomainById(AppDomainID id, IAppDomainInfo** out) {
  if (out == nullptr) return kPointerError;
  *out = nullptr;
  for (const auto& domain : domains())
    if (domain->id() == id) return give(domain, out);
  return kFail;
}

HResult Program::GetAppDomainIDs(uint32_t count, uint32_t* actual, AppDomainID* ids) {
  if (actual == nullptr || (ids == nullptr && count > 0)) return kPointerError;
  const std::vector<ComPtr<AppDomainInfo>> all = domains();
  *actual = static_cast<uint32_t>(all.size());
  for (size_t i = 0; i < all.size() && i < count; ++i) ids[i] = all[i]->id();
  return kOk;
}

HResult Program::GetAppDomains(IEnumAppDomainInfo** out) {
  if (out == nullptr) return kPointerError;
  std::vector<ComPtr<IAppDomainInfo>> all;
  for (const auto& domain : domains()) all.push_back(share<IAppDomainInfo>(domain.get()));
  return give_list(std::move(all), out);
}

HResult Program::GetAssemblyInfoById(AssemblyID id, IAssemblyInfo** out) {
  if (out == nullptr) return kPointerError;
  const ComPtr<AssemblyInfo> found = known_assembly(id);
  give(found, out);
  return found ? kOk : kFail;
}

HResult Program::GetModuleInfoById(ModuleID id, IModuleInfo** out) {
  if (out == nullptr) return kPointerError;
  const ComPtr<ModuleInfo> found = known_module(id);
  give(found, out);
  return found ? kOk : kFail;
}

HResult Program::GetModuleInfosByMvid(Guid mvid, IEnumModuleInfo** out) {
  if (out == nullptr) return kPointerError;
  std::vector<ComPtr<IModuleInfo>> found;
  for (const auto& domain : domains()) {
    for (const auto& module : domain->modules()) {
      Guid its{};
      if (succeeded(module->GetMVID(&its)) && its == mvid) found.push_back(share<IModuleInfo>(module.get()));
    }
  }
  return give_list(std::move(found), out);
}

ComPtr<MethodInfo> Program::method(FunctionID function) {
  ModuleID id = 0;
  Token token = 0;
  const HResult result = runtime_.GetFunctionInfo(function, nullptr, &id, &token);
  if (failed(result) || is_nil(token))
    return dynamic_method(runtime_, function, {}, [&](ModuleID module) { return known_module(module); });
  const ComPtr<ModuleInfo> its = known_module(id);
  return its ? make<MethodInfo>(its, token, function) : ComPtr<MethodInfo>();
}

HResult Program::GetMethodInfoById(FunctionID function, IMethodInfo** out) {
  if (out == nullptr) return kPointerError;
  const ComPtr<MethodInfo> found = method(function);
  give(found, out);
  return found ? kOk : kFail;
}

}  // namespace oriel::plugins
