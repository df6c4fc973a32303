// What is loaded, as the runtime told of it.
#pragma once

#include <map>
#include <mutex>
#include <vector>

#include "oriel/plugins/program.h"
#include "plugins/info/domain_info.h"

namespace oriel::plugins {

class MethodInfo;

// Any thread.
class Program final : public Container<IAppDomainCollection> {
 public:
  explicit Program(coreclr::UngatedProfilerInfo& runtime) : runtime_(runtime) {}

  HResult GetAppDomainCount(uint32_t* count) override;
  HResult GetAppDomainById(AppDomainID id, IAppDomainInfo** domain) override;
  HResult GetAppDomainIDs(uint32_t count, uint32_t* actual, AppDomainID* ids) override;
  HResult GetAppDomains(IEnumAppDomainInfo** domains) override;
  HResult GetAssemblyInfoById(AssemblyID id, IAssemblyInfo** assembly) override;
  HResult GetModuleInfoById(ModuleID id, IModuleInfo** module) override;
  HResult GetModuleInfosByMvid(Guid mvid, IEnumModuleInfo** modules) override;
  HResult GetMethodInfoById(FunctionID function, IMethodInfo** method) override;

  // Of any kind; null if it is of a module that nobody knows.
  ComPtr<MethodInfo> method(FunctionID function);

  // What has no record yet gets one.
  ComPtr<AppDomainInfo> domain(AppDomainID id);
  ComPtr<AssemblyInfo> assembly(AssemblyID id);
  ComPtr<ModuleInfo> module(ModuleID id);
  // Null if there is none.
  ComPtr<ModuleInfo> known_module(ModuleID id);
  ComPtr<AssemblyInfo> known_assembly(AssemblyID id);

  // They go: what still holds one may ask it as far as it knows.
  ComPtr<ModuleInfo> remove_module(ModuleID id);
  ComPtr<AssemblyInfo> remove_assembly(AssemblyID id);
  ComPtr<AppDomainInfo> remove_domain(AppDomainID id);

 private:
  std::vector<ComPtr<AppDomainInfo>> domains();

  coreclr::UngatedProfilerInfo& runtime_;
  std::mutex lock_;  // the next; nobody is called under it
  std::vector<ComPtr<AppDomainInfo>> domains_;
  std::map<ModuleID, ComPtr<ModuleInfo>> modules_;
};

}  // namespace oriel::plugins
