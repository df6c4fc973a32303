// A module, for plug-ins.
#pragma once

#include <map>
#include <mutex>
#include <span>
#include <string>

#include "oriel/plugins/program.h"
#include "plugins/info/data_items.h"
#include "runtimes/coreclr/names/module_metadata.h"

namespace oriel::plugins {

class AssemblyInfo;

// Any thread. Metadata is opened on first use, and for writing only if that is needed.
class ModuleInfo final : public Container<IModuleInfo3> {
 public:
  ModuleInfo(coreclr::UngatedProfilerInfo& runtime, ModuleID id);
  ~ModuleInfo() override;

  HResult GetModuleName(Bstr* name) override;
  HResult GetFullPath(Bstr* path) override;
  HResult GetAssemblyInfo(IAssemblyInfo** assembly) override;
  HResult GetAppDomainInfo(IAppDomainInfo** domain) override;
  HResult GetMetaDataImport(IUnknown** import) override;
  HResult GetMetaDataAssemblyImport(IUnknown** import) override;
  HResult GetMetaDataEmit(IUnknown** emit) override;
  HResult GetMetaDataAssemblyEmit(IUnknown** emit) override;
  HResult GetModuleID(ModuleID* id) override;
  HResult GetMVID(Guid* mvid) override;
  HResult GetIsILOnly(Bool* value) override;
  HResult GetIsMscorlib(Bool* value) override;
  HResult GetIsDynamic(Bool* value) override;
  HResult GetIsNgen(Bool* value) override;
  HResult GetIsWinRT(Bool* value) override;
  HResult GetIs64bit(Bool* value) override;
  HResult GetImageBase(const uint8_t** base) override;
  HResult GetCorHeader(uint32_t size, uint8_t* header) override;
  HResult GetEntrypointToken(uint32_t* token) override;
  HResult GetModuleVersion(uint32_t size, uint8_t* version) override;
  HResult RequestRejit(Token method) override;
  HResult CreateTypeFactory(ITypeCreator** types) override;
  HResult GetMethodInfoById(FunctionID function, IMethodInfo** method) override;
  HResult GetMethodInfoByToken(Token token, IMethodInfo** method) override;
  HResult ImportModule(IUnknown* import, const uint8_t** image) override;
  HResult GetIsFlatLayout(Bool* value) override;
  HResult ResolveRva(uint32_t rva, const uint8_t** address) override;
  HResult GetIsLoadedFromDisk(Bool* value) override;

  // For the engine.

  ModuleID id() const { return id_; }
  AssemblyID assembly_id() const { return assembly_id_; }
  coreclr::UngatedProfilerInfo& runtime() const { return runtime_; }
  std::string name();
  // The assembly is known once the module is attached to it, and forgotten when it is unloaded.
  void set_assembly(ComPtr<AssemblyInfo> assembly);
  ComPtr<AssemblyInfo> assembly();

  // For reading; is_open() is false if there is none. Includes what was written since.
  coreclr::ModuleMetadata metadata();
  // For writing; null if that is not possible.
  ComPtr<coreclr::MetaDataEmit> emit();
  // "Plugged.Outer+Inner" of a typeDef, "Name" of a typeRef; "" of others.
  std::string type_name(Token type);
  // The method's body without plug-ins' changes; empty if it has none. Valid as long as the module is loaded.
  std::span<const uint8_t> original_body(Token method);
  // A hook has set another body while the method was not being compiled. `body` is in memory of the runtime's.
  void set_original_body(Token method, std::span<const uint8_t> body);

 private:
  HResult open(uint32_t access, const Guid& id, void** object);

  coreclr::UngatedProfilerInfo& runtime_;
  const ModuleID id_;
  AssemblyID assembly_id_ = 0;
  const uint8_t* base_ = nullptr;
  uint32_t flags_ = 0;
  std::string path_;

  std::mutex lock_;  // the next; nobody is called under it
  ComPtr<AssemblyInfo> assembly_;
  ComPtr<coreclr::MetaDataImport> import_;
  ComPtr<coreclr::MetaDataEmit> emit_;
  bool sees_writes_ = false;  // import_ was opened after emit_
  std::map<Token, std::span<const uint8_t>> original_bodies_;
};

}  // namespace oriel::plugins
