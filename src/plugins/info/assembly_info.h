// An assembly, for plug-ins.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "oriel/plugins/program.h"
#include "plugins/info/module_info.h"

namespace oriel::plugins {

class AppDomainInfo;

class AssemblyInfo final : public Container<IAssemblyInfo> {
 public:
  AssemblyInfo(coreclr::UngatedProfilerInfo& runtime, AssemblyID id);
  ~AssemblyInfo() override;

  HResult GetAppDomainInfo(IAppDomainInfo** domain) override;
  HResult GetModuleCount(uint32_t* count) override;
  HResult GetModules(uint32_t count, IEnumModuleInfo** modules) override;
  HResult GetModuleById(ModuleID id, IModuleInfo** module) override;
  HResult GetModuleByMvid(Guid* mvid, IModuleInfo** module) override;
  HResult GetModulesByName(Bstr name, IEnumModuleInfo** modules) override;
  HResult GetModuleForMethod(Token token, IModuleInfo** module) override;
  HResult GetModuleForType(Bstr name, Token scope, Token* type) override;
  HResult GetManifestModule(IModuleInfo** module) override;
  HResult GetPublicKey(uint32_t size, uint8_t* bytes) override;
  HResult GetPublicKeySize(uint32_t* size) override;
  HResult GetPublicKeyToken(Bstr* token) override;
  HResult GetID(AssemblyID* id) override;
  HResult GetName(Bstr* name) override;
  HResult GetMetaDataToken(uint32_t* token) override;

  AssemblyID id() const { return id_; }
  AppDomainID domain_id() const { return domain_id_; }
  const std::string& name() const { return name_; }
  void set_domain(ComPtr<AppDomainInfo> domain);
  ComPtr<AppDomainInfo> domain();
  void add(const ComPtr<ModuleInfo>& module);
  void remove(ModuleID id);
  std::vector<ComPtr<ModuleInfo>> modules();

 private:
  std::vector<uint8_t> public_key();

  const AssemblyID id_;
  AppDomainID domain_id_ = 0;
  ModuleID manifest_ = 0;
  std::string name_;
  std::mutex lock_;  // guards the next; nothing is called under it
  ComPtr<AppDomainInfo> domain_;
  std::vector<ComPtr<ModuleInfo>> modules_;
};

}  // namespace oriel::plugins
