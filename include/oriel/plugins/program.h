// The loaded program: application domains, assemblies, modules, methods.
#pragma once

#include "oriel/plugins/data.h"
#include "oriel/plugins/graph.h"

namespace oriel::plugins {

struct IAppDomainInfo;
struct IAssemblyInfo;
struct IMethodInfo;

// A range of native code and the instruction that it was compiled from: the runtime's COR_DEBUG_IL_TO_NATIVE_MAP.
struct IlToNativeEntry {
  uint32_t il_offset;
  uint32_t native_begin;
  uint32_t native_end;
};

// A module. Also IDataContainer. After unloading it returns what was known by then.
struct IModuleInfo : IUnknown {
  static constexpr Guid kId = {0x0bd963b1, 0xfd87, 0x4492, {0xa4, 0x17, 0x15, 0x2f, 0x3d, 0x0c, 0x9c, 0xbc}};

  // The file's name; for a module without a file, the name in its metadata. The caller frees strings.
  virtual HResult GetModuleName(Bstr* module_name) = 0;
  virtual HResult GetFullPath(Bstr* full_path) = 0;
  virtual HResult GetAssemblyInfo(IAssemblyInfo** assembly_info) = 0;
  virtual HResult GetAppDomainInfo(IAppDomainInfo** app_domain_info) = 0;
  // IMetaDataImport2; the others are what their names say. Opened on first use.
  virtual HResult GetMetaDataImport(IUnknown** import) = 0;
  virtual HResult GetMetaDataAssemblyImport(IUnknown** import) = 0;
  virtual HResult GetMetaDataEmit(IUnknown** emit) = 0;
  virtual HResult GetMetaDataAssemblyEmit(IUnknown** emit) = 0;
  virtual HResult GetModuleID(ModuleID* module_id) = 0;
  virtual HResult GetMVID(Guid* mvid) = 0;
  virtual HResult GetIsILOnly(Bool* value) = 0;
  virtual HResult GetIsMscorlib(Bool* value) = 0;
  virtual HResult GetIsDynamic(Bool* value) = 0;
  virtual HResult GetIsNgen(Bool* value) = 0;
  virtual HResult GetIsWinRT(Bool* value) = 0;
  virtual HResult GetIs64bit(Bool* value) = 0;
  virtual HResult GetImageBase(const uint8_t** value) = 0;
  // IMAGE_COR20_HEADER.
  virtual HResult GetCorHeader(uint32_t size, uint8_t* value) = 0;
  // E_FAIL if it has none.
  virtual HResult GetEntrypointToken(uint32_t* entrypoint_token) = 0;
  // VS_FIXEDFILEINFO.
  virtual HResult GetModuleVersion(uint32_t size, uint8_t* value) = 0;
  // Recompiles the method, with the plug-ins' changes at that time. Any thread.
  virtual HResult RequestRejit(Token method_token) = 0;
  virtual HResult CreateTypeFactory(ITypeCreator** type_factory) = 0;
  // For queries, not for instrumentation, like the next.
  virtual HResult GetMethodInfoById(FunctionID function_id, IMethodInfo** method_info) = 0;
  virtual HResult GetMethodInfoByToken(Token token, IMethodInfo** method_info) = 0;
  // Copies types, members and method bodies of another module, given by its metadata and image, into this one. Only
  // from OnModuleLoaded.
  virtual HResult ImportModule(IUnknown* import, const uint8_t** image) = 0;

 protected:
  ~IModuleInfo() = default;
};

// With addresses in its image.
struct IModuleInfo2 : IModuleInfo {
  using Base = IModuleInfo;
  static constexpr Guid kId = {0x4200c448, 0x7ede, 0x4e61, {0xae, 0x67, 0xb0, 0x17, 0xd3, 0x02, 0x1f, 0x12}};

  virtual HResult GetIsFlatLayout(Bool* value) = 0;
  // E_NOTIMPL for a dynamic module, which has no image.
  virtual HResult ResolveRva(uint32_t rva, const uint8_t** resolved_address) = 0;

 protected:
  ~IModuleInfo2() = default;
};

// Distinguishes files from images loaded from memory.
struct IModuleInfo3 : IModuleInfo2 {
  using Base = IModuleInfo2;
  static constexpr Guid kId = {0xb4c10b86, 0xe3d3, 0x4514, {0x91, 0xb9, 0xb2, 0xba, 0xa8, 0x4e, 0x7d, 0x8b}};

  virtual HResult GetIsLoadedFromDisk(Bool* value) = 0;

 protected:
  ~IModuleInfo3() = default;
};

struct IEnumModuleInfo : Enumerator<IEnumModuleInfo, IModuleInfo> {
  static constexpr Guid kId = {0x683b3d0b, 0x5cab, 0x49ac, {0x92, 0x42, 0xc7, 0xde, 0x19, 0x0c, 0x77, 0x64}};

 protected:
  ~IEnumModuleInfo() = default;
};

// An assembly. Also IDataContainer.
struct IAssemblyInfo : IUnknown {
  static constexpr Guid kId = {0x110fe5ba, 0x57cd, 0x4308, {0x86, 0xbe, 0x48, 0x74, 0x78, 0xab, 0xe2, 0xcd}};

  virtual HResult GetAppDomainInfo(IAppDomainInfo** app_domain_info) = 0;
  virtual HResult GetModuleCount(uint32_t* count) = 0;
  virtual HResult GetModules(uint32_t count, IEnumModuleInfo** modules) = 0;
  virtual HResult GetModuleById(ModuleID module_id, IModuleInfo** module_info) = 0;
  virtual HResult GetModuleByMvid(Guid* mvid, IModuleInfo** module_info) = 0;
  virtual HResult GetModulesByName(Bstr module_name, IEnumModuleInfo** module_info) = 0;
  virtual HResult GetModuleForMethod(Token token, IModuleInfo** module_info) = 0;
  virtual HResult GetModuleForType(Bstr type_name, Token resolution_scope, Token* type_def) = 0;
  virtual HResult GetManifestModule(IModuleInfo** module_info) = 0;
  virtual HResult GetPublicKey(uint32_t size, uint8_t* bytes) = 0;
  virtual HResult GetPublicKeySize(uint32_t* size) = 0;
  virtual HResult GetPublicKeyToken(Bstr* public_key_token) = 0;
  virtual HResult GetID(AssemblyID* assembly_id) = 0;
  virtual HResult GetName(Bstr* name) = 0;
  virtual HResult GetMetaDataToken(uint32_t* token) = 0;

 protected:
  ~IAssemblyInfo() = default;
};

struct IEnumAssemblyInfo : Enumerator<IEnumAssemblyInfo, IAssemblyInfo> {
  static constexpr Guid kId = {0x71001b79, 0xb50a, 0x4103, {0x9d, 0x19, 0xff, 0xcf, 0x9f, 0x6c, 0xe1, 0xe9}};

 protected:
  ~IEnumAssemblyInfo() = default;
};

// An application domain; CoreCLR has one. Also IDataContainer.
struct IAppDomainInfo : IUnknown {
  static constexpr Guid kId = {0xa81a5232, 0x4693, 0x47e9, {0xa7, 0x4d, 0xbb, 0x4c, 0x71, 0x16, 0x46, 0x59}};

  virtual HResult GetAppDomainId(AppDomainID* app_domain_id) = 0;
  virtual HResult GetIsSystemDomain(Bool* value) = 0;
  virtual HResult GetIsSharedDomain(Bool* value) = 0;
  virtual HResult GetIsDefaultDomain(Bool* value) = 0;
  virtual HResult GetName(Bstr* name) = 0;
  virtual HResult GetAssemblies(IEnumAssemblyInfo** assembly_infos) = 0;
  virtual HResult GetModules(IEnumModuleInfo** module_infos) = 0;
  virtual HResult GetAssemblyInfoById(AssemblyID assembly_id, IAssemblyInfo** assembly_info) = 0;
  virtual HResult GetAssemblyInfosByName(Bstr assembly_name, IEnumAssemblyInfo** assembly_infos) = 0;
  virtual HResult GetModuleCount(uint32_t* count) = 0;
  virtual HResult GetModuleInfoById(ModuleID module_id, IModuleInfo** module_info) = 0;
  virtual HResult GetModuleInfosByMvid(Guid mvid, IEnumModuleInfo** module_info) = 0;
  virtual HResult GetModuleInfosByName(Bstr module_name, IEnumModuleInfo** module_info) = 0;

 protected:
  ~IAppDomainInfo() = default;
};

struct IEnumAppDomainInfo : Enumerator<IEnumAppDomainInfo, IAppDomainInfo> {
  static constexpr Guid kId = {0xc2a3e353, 0x08bb, 0x4a13, {0x85, 0x1e, 0x07, 0xb1, 0xbb, 0x4a, 0xd5, 0x7c}};

 protected:
  ~IEnumAppDomainInfo() = default;
};

// A parameter of a method, without `this`.
struct IMethodParameter : IUnknown {
  static constexpr Guid kId = {0x26255678, 0x9f51, 0x433f, {0x89, 0xb1, 0x51, 0xb9, 0x78, 0xeb, 0x4c, 0x2b}};

  virtual HResult GetType(IType** type) = 0;

 protected:
  ~IMethodParameter() = default;
};

struct IEnumMethodParameters : Enumerator<IEnumMethodParameters, IMethodParameter> {
  static constexpr Guid kId = {0x2dbc9fab, 0x93bd, 0x4733, {0x82, 0xfa, 0xea, 0x3b, 0x3d, 0x55, 0x8a, 0x0b}};

 protected:
  ~IEnumMethodParameters() = default;
};

// A method. Also IDataContainer. Only one passed to InstrumentMethod may be changed; others can only be queried.
struct IMethodInfo : IUnknown {
  static constexpr Guid kId = {0xcc21a894, 0xf4df, 0x4726, {0x83, 0x18, 0xd6, 0xc2, 0x4c, 0x49, 0x85, 0xb1}};

  virtual HResult GetModuleInfo(IModuleInfo** module_info) = 0;
  // The caller frees strings.
  virtual HResult GetName(Bstr* name) = 0;
  virtual HResult GetFullName(Bstr* full_name) = 0;
  // Changes made before InstrumentMethod returns become the method's code.
  virtual HResult GetInstructions(IInstructionGraph** instruction_graph) = 0;
  virtual HResult GetLocalVariables(ILocalVariableCollection** local_variables) = 0;
  virtual HResult GetClassId(ClassID* class_id) = 0;
  virtual HResult GetFunctionId(FunctionID* function_id) = 0;
  virtual HResult GetMethodToken(Token* token) = 0;
  virtual HResult GetGenericParameterCount(uint32_t* count) = 0;
  virtual HResult GetIsStatic(Bool* value) = 0;
  virtual HResult GetIsPublic(Bool* value) = 0;
  virtual HResult GetIsPrivate(Bool* value) = 0;
  virtual HResult GetIsPropertyGetter(Bool* value) = 0;
  virtual HResult GetIsPropertySetter(Bool* value) = 0;
  virtual HResult GetIsFinalizer(Bool* value) = 0;
  virtual HResult GetIsConstructor(Bool* value) = 0;
  virtual HResult GetIsStaticConstructor(Bool* value) = 0;
  virtual HResult GetParameters(IEnumMethodParameters** parameters) = 0;
  virtual HResult GetDeclaringType(IType** type) = 0;
  virtual HResult GetReturnType(IType** type) = 0;
  // Copies it; without a buffer only returns its size.
  virtual HResult GetCorSignature(uint32_t size, uint8_t* signature, uint32_t* needed) = 0;
  virtual HResult GetLocalVarSigToken(Token* token) = 0;
  virtual HResult SetLocalVarSigToken(Token token) = 0;
  virtual HResult GetAttributes(uint32_t* cor_method_attr) = 0;
  virtual HResult GetRejitCodeGenFlags(uint32_t* refit_flags) = 0;
  virtual HResult GetCodeRva(uint32_t* rva) = 0;
  virtual HResult MethodImplFlags(uint32_t* cor_method_impl) = 0;
  // COR_PRF_CODEGEN_FLAGS for the coming compilation.
  virtual HResult SetRejitCodeGenFlags(uint32_t flags) = 0;
  virtual HResult GetExceptionSection(IExceptionSection** exception_section) = 0;
  virtual HResult GetInstructionFactory(IInstructionFactory** instruction_factory) = 0;
  // How often it was recompiled.
  virtual HResult GetRejitCount(uint32_t* rejit_count) = 0;
  // For its current instructions.
  virtual HResult GetMaxStack(uint32_t* max_stack) = 0;
  virtual HResult GetSingleRetDefaultInstrumentation(
      ISingleRetDefaultInstrumentation** single_ret_default_instrumentation) = 0;

 protected:
  ~IMethodInfo() = default;
};

// With its original local variables.
struct IMethodInfo2 : IMethodInfo {
  using Base = IMethodInfo;
  static constexpr Guid kId = {0xcdf098f7, 0xd04a, 0x4b58, {0xb4, 0x6e, 0x18, 0x4c, 0x4f, 0x22, 0x3e, 0x5f}};

  virtual HResult GetOriginalLocalVariables(ILocalVariableCollection** local_variables) = 0;

 protected:
  ~IMethodInfo2() = default;
};

// A method that was just compiled. Valid only during JitComplete.
struct IMethodJitInfo : IUnknown {
  static constexpr Guid kId = {0xa2a780d6, 0xf337, 0x406c, {0xba, 0x57, 0xf1, 0x0f, 0xbd, 0x6c, 0x46, 0xf9}};

  virtual HResult GetFunctionID(FunctionID* function_id) = 0;
  virtual HResult GetIsRejit(Bool* is_rejit) = 0;
  // S_FALSE and 0 outside a ReJIT.
  virtual HResult GetRejitId(ReJITID* rejit_id) = 0;
  virtual HResult GetJitHR(HResult* result) = 0;
  virtual HResult GetILTransformationStatus(Bool* transformed) = 0;
  virtual HResult GetModuleInfo(IModuleInfo** module_info) = 0;

 protected:
  ~IMethodJitInfo() = default;
};

// With the addresses of its instructions.
struct IMethodJitInfo2 : IMethodJitInfo {
  using Base = IMethodJitInfo;
  static constexpr Guid kId = {0x8311a7cf, 0x30ec, 0x42c9, {0x85, 0xa4, 0xf5, 0x97, 0x13, 0xa4, 0xf3, 0x7d}};

  // Without a buffer only returns the number of entries.
  virtual HResult GetILNativeMapping(uint32_t count, IlToNativeEntry* map, uint32_t* needed) = 0;
  virtual HResult GetILInstrumentationMap(uint32_t count, IlMapEntry* map, uint32_t* needed) = 0;
  virtual HResult GetMethodToken(Token* token) = 0;
  virtual HResult GetNativeCodeAddress(uintptr_t* code_address) = 0;

 protected:
  ~IMethodJitInfo2() = default;
};

// Never returned.
struct IEnumAppMethodInfo : IUnknown {
  static constexpr Guid kId = {0x541a45b7, 0xd194, 0x47ee, {0x92, 0x31, 0xab, 0x69, 0xd2, 0x7d, 0x1d, 0x59}};

  virtual HResult Next(uint32_t count, IEnumAppMethodInfo** items, uint32_t* fetched) = 0;
  virtual HResult Skip(uint32_t count) = 0;
  virtual HResult Reset() = 0;
  virtual HResult Clone(IEnumAppMethodInfo** copy) = 0;
  virtual HResult GetCount(uint32_t* length) = 0;

 protected:
  ~IEnumAppMethodInfo() = default;
};

// Everything loaded.
struct IAppDomainCollection : IUnknown {
  static constexpr Guid kId = {0xc79f6730, 0xc5fb, 0x40c4, {0xb5, 0x28, 0x0a, 0x02, 0x48, 0xca, 0x4d, 0xeb}};

  virtual HResult GetAppDomainCount(uint32_t* count) = 0;
  virtual HResult GetAppDomainById(AppDomainID app_domain_id, IAppDomainInfo** app_domain_info) = 0;
  virtual HResult GetAppDomainIDs(uint32_t count, uint32_t* actual, AppDomainID* ids) = 0;
  virtual HResult GetAppDomains(IEnumAppDomainInfo** domains) = 0;
  virtual HResult GetAssemblyInfoById(AssemblyID assembly_id, IAssemblyInfo** assembly_info) = 0;
  virtual HResult GetModuleInfoById(ModuleID module_id, IModuleInfo** module_info) = 0;
  virtual HResult GetModuleInfosByMvid(Guid mvid, IEnumModuleInfo** all) = 0;
  virtual HResult GetMethodInfoById(FunctionID function_id, IMethodInfo** method_info) = 0;

 protected:
  ~IAppDomainCollection() = default;
};

}  // namespace oriel::plugins
