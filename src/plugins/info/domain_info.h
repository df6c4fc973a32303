// An application domain, for plug-ins.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "oriel/plugins/program.h"
#include "plugins/info/assembly_info.h"

namespace oriel::plugins {

class AppDomainInfo final : public Container<IAppDomainInfo> {
 public:
  AppDomainInfo(coreclr::UngatedProfilerInfo& runtime, AppDomainID id) : runtime_(runtime), id_(id) {}

  HResult GetAppDomainId(AppDomainID* id) override;
  HResult GetIsSystemDomain(Bool* value) override;
  HResult GetIsSharedDomain(Bool* value) override;
  HResult GetIsDefaultDomain(Bool* value) override;
  HResult GetName(Bstr* name) override;
  HResult GetAssemblies(IEnumAssemblyInfo** assemblies) override;
  HResult GetModules(IEnumModuleInfo** modules) override;
  HResult GetAssemblyInfoById(AssemblyID id, IAssemblyInfo** assembly) override;
  HResult GetAssemblyInfosByName(Bstr name, IEnumAssemblyInfo** assemblies) override;
  HResult GetModuleCount(uint32_t* count) override;
  HResult GetModuleInfoById(ModuleID id, IModuleInfo** module) override;
  HResult GetModuleInfosByMvid(Guid mvid, IEnumModuleInfo** modules) override;
  HResult GetModuleInfosByName(Bstr name, IEnumModuleInfo** modules) override;

  AppDomainID id() const { return id_; }
  // The domain was created. It keeps its current name, even if the runtime renames it.
  void finish();
  void add(const ComPtr<AssemblyInfo>& assembly);
  void remove(AssemblyID id);
  std::vector<ComPtr<AssemblyInfo>> assemblies();
  std::vector<ComPtr<ModuleInfo>> modules();
  ComPtr<AssemblyInfo> find(AssemblyID id);

 private:
  std::string name();

  coreclr::UngatedProfilerInfo& runtime_;
  const AppDomainID id_;
  std::mutex lock_;  // guards the next; nothing is called under it
  std::string name_;
  std::vector<ComPtr<AssemblyInfo>> assemblies_;
};

}  // namespace oriel::plugins
