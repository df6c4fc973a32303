// The domains, assemblies and modules that the runtime reported as loaded.
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

  // Finds a method of any kind; null if its module is not known.
  ComPtr<MethodInfo> method(FunctionID function);

  // Creates records that do not exist yet.
  ComPtr<AppDomainInfo> domain(AppDomainID id);
  ComPtr<AssemblyInfo> assembly(AssemblyID id);
  ComPtr<ModuleInfo> module(ModuleID id);
  // Null if there is no record.
  ComPtr<ModuleInfo> known_module(ModuleID id);
  ComPtr<AssemblyInfo> known_assembly(AssemblyID id);

  // They are unloaded. Records that are still held can be queried for what they know.
  ComPtr<ModuleInfo> remove_module(ModuleID id);
  ComPtr<AssemblyInfo> remove_assembly(AssemblyID id);
  ComPtr<AppDomainInfo> remove_domain(AppDomainID id);

 private:
  std::vector<ComPtr<AppDomainInfo>> domains();

  coreclr::UngatedProfilerInfo& runtime_;
  std::mutex lock_;  // guards the next; nothing is called under it
  std::vector<ComPtr<AppDomainInfo>> domains_;
  std::map<ModuleID, ComPtr<ModuleInfo>> modules_;
};

}  // namespace oriel::plugins
