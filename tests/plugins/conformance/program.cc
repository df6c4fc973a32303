#include "program.h"

#include <cstdio>
#include <cstring>
#include <vector>

#include "graphs.h"

namespace conformance {
namespace {

// An object of this plug-in, to attach to things.
struct Item final : IUnknown {
  HResult QueryInterface(const Guid& id, void** object) override {
    *object = id == kIUnknownId ? this : nullptr;
    if (*object == nullptr) return kNoInterface;
    AddRef();
    return kOk;
  }
  uint32_t AddRef() override { return ++references; }
  uint32_t Release() override { return --references; }
  uint32_t references = 1;
};

constexpr uint32_t kAll = 0xffffffff;
constexpr Guid kComponent = {0x11111111, 1, 1, {1, 1, 1, 1, 1, 1, 1, 1}};
constexpr Guid kObject = {0x22222222, 2, 2, {2, 2, 2, 2, 2, 2, 2, 2}};

}  // namespace

std::string name_of(IMethodInfo* method) {
  Bstr full = nullptr;
  if (failed(method->GetFullName(&full)) || full == nullptr) return "";
  std::string name = shown(full);
  name = name.substr(1, name.size() - 2);
  const size_t space = name.find("Plugged.");
  return space == std::string::npos ? name : name.substr(space + 8);
}

std::string name_of(IModuleInfo* module) {
  Bstr name = nullptr;
  return failed(module->GetModuleName(&name)) ? "" : shown(name);
}

void tell_data(const char* of, IUnknown* container) {
  const auto data = query<IDataContainer>(container);
  const Part part(std::string("data of ") + of + (data ? "" : ": none"));
  if (!data) return;
  static Item item;
  ComPtr<IUnknown> found;
  tell("GetDataItem of none", data->GetDataItem(&kComponent, &kObject, found.receive()));
  tell("SetDataItem", data->SetDataItem(&kComponent, &kObject, &item));
  tell("GetDataItem", data->GetDataItem(&kComponent, &kObject, found.receive()), found);
  found = {};
  tell("GetDataItem of another", data->GetDataItem(&kObject, &kComponent, found.receive()));
  tell("SetDataItem of null", data->SetDataItem(&kComponent, &kObject, nullptr));
  tell("GetDataItem of what was taken away", data->GetDataItem(&kComponent, &kObject, found.receive()));
  write_line("references " + shown(item.references));
}

void tell_logging(IProfilerManager* manager) {
  const auto logging = get("GetLoggingInstance", manager, &IProfilerManager::GetLoggingInstance);
  if (!logging) return;
  tell_faces("logging", logging.get());
  LoggingFlags flags{};
  tell("GetLoggingFlags", logging->GetLoggingFlags(&flags), flags);
  tell("LogMessage", logging->LogMessage(u"a message"));
  tell("LogError", logging->LogError(u"an error"));
  tell("LogDumpMessage", logging->LogDumpMessage(u"a dump"));
  tell("EnableDiagnosticLogToDebugPort", logging->EnableDiagnosticLogToDebugPort(0));
  tell("SetLoggingFlags", logging->SetLoggingFlags(kLogErrors));
  tell("GetLoggingFlags", logging->GetLoggingFlags(&flags), flags);
  tell("SetLoggingFlags", logging->SetLoggingFlags(kLogNothing));
  tell("GetLoggingFlags", logging->GetLoggingFlags(&flags), flags);
  tell("GetLoggingFlags of null", logging->GetLoggingFlags(nullptr));
  tell("LogMessage of null", logging->LogMessage(nullptr));
}

void tell_manager(IProfilerManager* manager) {
  const Part part("manager");
  tell_faces("it", manager);
  ask("GetRuntimeType", manager, &IProfilerManager::GetRuntimeType);
  ComPtr<IUnknown> info;
  tell("GetCorProfilerInfo", manager->GetCorProfilerInfo(info.receive()), info);
  get("GetProfilerHost", manager, &IProfilerManager::GetProfilerHost);
  tell_logging(manager);
  if (const auto three = query<IProfilerManager3>(manager))
    ask("GetApiVersion", three.get(), &IProfilerManager3::GetApiVersion);
  if (const auto four = query<IProfilerManager4>(manager))
    get("GetGlobalLoggingInstance", four.get(), &IProfilerManager4::GetGlobalLoggingInstance);
  if (const auto five = query<IProfilerManager5>(manager)) {
    Bool registered = 7;
    tell("IsInstrumentationMethodRegistered of none", five->IsInstrumentationMethodRegistered(kObject, &registered),
         registered);
  }
  if (const auto strings = query<IProfilerStringManager>(manager))
    tell("FreeString of null", strings->FreeString(nullptr));
  ComPtr<IUnknown> other;
  tell("GetInstrumentationMethod of none", manager->GetInstrumentationMethod(kObject, other.receive()));
}

void tell_domains(IProfilerManager* manager) {
  const Part part("domains");
  const auto domains = get("GetAppDomainCollection", manager, &IProfilerManager::GetAppDomainCollection);
  if (!domains) return;
  tell_faces("it", domains.get());
  ask("GetAppDomainCount", domains.get(), &IAppDomainCollection::GetAppDomainCount);
  AppDomainID ids[8] = {};
  uint32_t actual = 0;
  tell("GetAppDomainIDs", domains->GetAppDomainIDs(8, &actual, ids), actual);
  ComPtr<IEnumAppDomainInfo> all;
  tell("GetAppDomains", domains->GetAppDomains(all.receive()));
  // The runtime's own comes first, because the order varies.
  std::vector<ComPtr<IAppDomainInfo>> found;
  tell_all("domains", all.get(), [&](IAppDomainInfo* one) {
    Bool is_system = 0;
    one->GetIsSystemDomain(&is_system);
    one->AddRef();
    found.insert(is_system ? found.begin() : found.end(), ComPtr<IAppDomainInfo>(one));
  });
  for (const auto& held : found) {
    IAppDomainInfo* const domain = held.get();
    tell_faces("domain", domain);
    ask_id("GetAppDomainId", domain, &IAppDomainInfo::GetAppDomainId);
    ask("GetIsSystemDomain", domain, &IAppDomainInfo::GetIsSystemDomain);
    ask("GetIsSharedDomain", domain, &IAppDomainInfo::GetIsSharedDomain);
    ask("GetIsDefaultDomain", domain, &IAppDomainInfo::GetIsDefaultDomain);
    ask("GetName", domain, &IAppDomainInfo::GetName);
    ComPtr<IEnumAssemblyInfo> assemblies;
    ComPtr<IEnumModuleInfo> modules;
    tell("GetAssemblies", domain->GetAssemblies(assemblies.receive()), assemblies);
    tell("GetModules", domain->GetModules(modules.receive()), modules);
    tell_data("domain", domain);
  }
  ComPtr<IAppDomainInfo> domain;
  tell("GetAppDomainById", domains->GetAppDomainById(ids[0], domain.receive()), domain);
  ComPtr<IAppDomainInfo> none;
  tell("GetAppDomainById of none", domains->GetAppDomainById(12345, none.receive()));
  ComPtr<IModuleInfo> module;
  tell("GetModuleInfoById of none", domains->GetModuleInfoById(12345, module.receive()));
  ComPtr<IAssemblyInfo> assembly;
  tell("GetAssemblyInfoById of none", domains->GetAssemblyInfoById(12345, assembly.receive()));
}

void tell_assembly(IAssemblyInfo* assembly) {
  const Part part("assembly");
  tell_faces("it", assembly);
  get("GetAppDomainInfo", assembly, &IAssemblyInfo::GetAppDomainInfo);
  ask("GetModuleCount", assembly, &IAssemblyInfo::GetModuleCount);
  ask_id("GetID", assembly, &IAssemblyInfo::GetID);
  ask("GetName", assembly, &IAssemblyInfo::GetName);
  ask("GetMetaDataToken", assembly, &IAssemblyInfo::GetMetaDataToken);
  uint32_t size = 0;
  tell("GetPublicKeySize", assembly->GetPublicKeySize(&size), size);
  uint8_t key[512] = {};
  if (size <= sizeof key) tell("GetPublicKey", assembly->GetPublicKey(size, key), Bytes{key, size, 16});
  ask("GetPublicKeyToken", assembly, &IAssemblyInfo::GetPublicKeyToken);
  get("GetManifestModule", assembly, &IAssemblyInfo::GetManifestModule);
  ComPtr<IEnumModuleInfo> modules;
  tell("GetModules", assembly->GetModules(1, modules.receive()));
  tell_all("modules", modules.get(), [](IModuleInfo* module) { write_line(name_of(module)); });
  tell_data("assembly", assembly);
}

void tell_module(IModuleInfo* module) {
  const Part part("module");
  tell_faces("it", module);
  ask("GetModuleName", module, &IModuleInfo::GetModuleName);
  ask("GetFullPath", module, &IModuleInfo::GetFullPath);
  const auto assembly = get("GetAssemblyInfo", module, &IModuleInfo::GetAssemblyInfo);
  get("GetAppDomainInfo", module, &IModuleInfo::GetAppDomainInfo);
  get("GetMetaDataImport", module, &IModuleInfo::GetMetaDataImport);
  get("GetMetaDataAssemblyImport", module, &IModuleInfo::GetMetaDataAssemblyImport);
  get("GetMetaDataEmit", module, &IModuleInfo::GetMetaDataEmit);
  get("GetMetaDataAssemblyEmit", module, &IModuleInfo::GetMetaDataAssemblyEmit);
  ask_id("GetModuleID", module, &IModuleInfo::GetModuleID);
  Guid mvid{};
  tell("GetMVID", module->GetMVID(&mvid), mvid);
  ask("GetIsILOnly", module, &IModuleInfo::GetIsILOnly);
  ask("GetIsMscorlib", module, &IModuleInfo::GetIsMscorlib);
  ask("GetIsDynamic", module, &IModuleInfo::GetIsDynamic);
  ask("GetIsNgen", module, &IModuleInfo::GetIsNgen);
  ask("GetIsWinRT", module, &IModuleInfo::GetIsWinRT);
  ask("GetIs64bit", module, &IModuleInfo::GetIs64bit);
  ask("GetImageBase", module, &IModuleInfo::GetImageBase);
  uint8_t header[72] = {};
  tell("GetCorHeader", module->GetCorHeader(sizeof header, header), Bytes{header, kAll, 24});
  tell("GetCorHeader without room", module->GetCorHeader(8, header));
  ask("GetEntrypointToken", module, &IModuleInfo::GetEntrypointToken);
  uint8_t version[52] = {};
  tell("GetModuleVersion", module->GetModuleVersion(sizeof version, version), Bytes{version, kAll, 24});
  const auto types = get("CreateTypeFactory", module, &IModuleInfo::CreateTypeFactory);
  ComPtr<IMethodInfo> method;
  tell("GetMethodInfoByToken", module->GetMethodInfoByToken(0x06000001, method.receive()));
  if (method) write_line("method " + name_of(method.get()));
  ComPtr<IMethodInfo> none;
  tell("GetMethodInfoByToken of none", module->GetMethodInfoByToken(0x0600ffff, none.receive()));
  if (const auto two = query<IModuleInfo2>(module)) {
    ask("GetIsFlatLayout", two.get(), &IModuleInfo2::GetIsFlatLayout);
    const uint8_t* address = nullptr;
    tell("ResolveRva", two->ResolveRva(0x2000, &address), address);
  }
  if (const auto three = query<IModuleInfo3>(module))
    ask("GetIsLoadedFromDisk", three.get(), &IModuleInfo3::GetIsLoadedFromDisk);
  tell("GetModuleName of null", module->GetModuleName(nullptr));
  tell("GetModuleID of null", module->GetModuleID(nullptr));
  tell_data("module", module);
}

void tell_type(const char* of, IType* type) {
  if (type == nullptr) return write_line(std::string(of) + ": none");
  const Part part(of);
  tell_faces("it", type);
  ask("GetCorElementType", type, &IType::GetCorElementType);
  ask("IsPrimitive", type, &IType::IsPrimitive);
  ask("IsArray", type, &IType::IsArray);
  ask("IsClass", type, &IType::IsClass);
  ask("GetName", type, &IType::GetName);
  if (const auto token = query<ITokenType>(type)) {
    ask("GetToken", token.get(), &ITokenType::GetToken);
    get("GetOwningModule", token.get(), &ITokenType::GetOwningModule);
  }
  if (const auto composite = query<ICompositeType>(type)) {
    const auto related = get("GetRelatedType", composite.get(), &ICompositeType::GetRelatedType);
    tell_type("related", related.get());
  }
  if (const auto generic = query<IGenericParameterType>(type))
    ask("GetPosition", generic.get(), &IGenericParameterType::GetPosition);
}

void tell_types(IModuleInfo* module, IProfilerManager* manager) {
  const Part part("types");
  ComPtr<ITypeCreator> types;
  ComPtr<ISignatureBuilder> builder;
  module->CreateTypeFactory(types.receive());
  tell("CreateSignatureBuilder", manager->CreateSignatureBuilder(builder.receive()));
  if (!types || !builder) return;
  tell_faces("types", types.get());
  tell_faces("builder", builder.get());
  for (ElementType element = 0; element < 0x22; ++element) {
    ComPtr<IType> type;
    const std::string slot = "FromCorElement " + std::to_string(element);
    tell(slot.c_str(), types->FromCorElement(element, type.receive()));
    if (type) ask("  GetName", type.get(), &IType::GetName);
  }
  ComPtr<IType> token;
  tell("FromToken", types->FromToken(0x12, 0x02000002, token.receive()));
  tell_type("token", token.get());
  ComPtr<IType> bad;
  tell("FromToken of no class", types->FromToken(0x08, 0x02000002, bad.receive()));

  const uint8_t* bytes = nullptr;
  uint32_t size = 0;
  tell("GetCorSignaturePtr of nothing", builder->GetCorSignaturePtr(&bytes), bytes);
  tell("Add", builder->Add(5));
  tell("Add", builder->Add(0x80));
  tell("Add", builder->Add(0x4000));
  tell("AddSignedInt", builder->AddSignedInt(-3));
  tell("AddSignedInt", builder->AddSignedInt(-8192));
  tell("AddToken", builder->AddToken(0x01000012));
  tell("AddElementType", builder->AddElementType(0x1c));
  tell("AddData", builder->AddData(reinterpret_cast<const uint8_t*>("ab"), 2));
  if (token) tell("AddToSignature", token->AddToSignature(builder.get()));
  ask("GetSize", builder.get(), &ISignatureBuilder::GetSize);
  builder->GetSize(&size);
  tell("GetCorSignaturePtr", builder->GetCorSignaturePtr(&bytes));
  write_line(shown_bytes(bytes, size));
  uint8_t copy[64] = {};
  uint32_t needed = 0;
  tell("GetCorSignature", builder->GetCorSignature(sizeof copy, copy, &needed), needed);
  tell("GetCorSignature without room", builder->GetCorSignature(1, copy, &needed));
  tell("GetCorSignature of null", builder->GetCorSignature(0, nullptr, &needed), needed);
  ComPtr<ISignatureBuilder> second;
  manager->CreateSignatureBuilder(second.receive());
  tell("AddSignature", second->AddSignature(builder.get()));
  ask("GetSize", second.get(), &ISignatureBuilder::GetSize);
  tell("AddSignature of null", second->AddSignature(nullptr));
  tell("Clear", second->Clear());
  ask("GetSize", second.get(), &ISignatureBuilder::GetSize);

  // One signature of each kind, which must be the same when written back.
  const std::string kSignatures[] = {{"\x08"},
                                     {"\x1d\x0e"},
                                     {"\x0f\x01"},
                                     {"\x10\x0a"},
                                     {"\x12\x08"},
                                     {"\x11\x09"},
                                     std::string("\x14\x0a\x02\x00\x02\x00\x00", 7),
                                     {"\x13\x01"},
                                     std::string("\x1e\x00", 2),
                                     {"\x15\x12\x08\x02\x08\x0e"},
                                     std::string("\x1b\x00\x01\x01\x08", 5),
                                     {"\x45\x10\x08"},
                                     {"\x1f\x08\x08"},
                                     {"\x16"},
                                     {"\x21"}};
  for (const std::string& signature : kSignatures) {
    const auto* at = reinterpret_cast<const uint8_t*>(signature.data());
    ComPtr<IType> type;
    uint32_t read = 0;
    const std::string slot = "FromSignature " + shown_bytes(at, signature.size());
    tell(slot.c_str(), types->FromSignature(static_cast<uint32_t>(signature.size()), at, type.receive(), &read), read);
    if (!type) continue;
    tell_type("of it", type.get());
    second->Clear();
    tell("AddToSignature", type->AddToSignature(second.get()));
    second->GetSize(&size);
    second->GetCorSignaturePtr(&bytes);
    write_line(shown_bytes(bytes, size));
  }
  const auto parser = query<ISignatureParser>(types.get());
  if (!parser) return;
  const auto* method = reinterpret_cast<const uint8_t*>("\x20\x02\x0e\x08\x1c");
  uint32_t convention = 0, generic = 0, read = 0;
  ComPtr<IType> result;
  ComPtr<IEnumTypes> parameters;
  tell("ParseMethodSignature",
       parser->ParseMethodSignature(method, 5, &convention, result.receive(), parameters.receive(), &generic, &read),
       convention, generic, read);
  tell_type("result", result.get());
  tell_all("parameters", parameters.get(),
           [](IType* type) { ask("GetCorElementType", type, &IType::GetCorElementType); });
  const auto* locals = reinterpret_cast<const uint8_t*>("\x07\x02\x0e\x08");
  ComPtr<IEnumTypes> all;
  tell("ParseLocalVarSignature", parser->ParseLocalVarSignature(locals, 4, &convention, all.receive(), &read),
       convention, read);
  ComPtr<IEnumTypes> none;
  tell("ParseLocalVarSignature of a method",
       parser->ParseLocalVarSignature(method, 5, &convention, none.receive(), &read));
  ComPtr<IEnumTypes> some;
  tell("ParseTypeSequence", parser->ParseTypeSequence(locals + 2, 2, 2, some.receive(), &read), read);
  tell("ParseMethodSignature of null",
       parser->ParseMethodSignature(nullptr, 0, nullptr, nullptr, nullptr, nullptr, nullptr));
}

void tell_method(IMethodInfo* method) {
  const Part part("method " + name_of(method));
  tell_faces("it", method);
  get("GetModuleInfo", method, &IMethodInfo::GetModuleInfo);
  ask("GetName", method, &IMethodInfo::GetName);
  ask("GetFullName", method, &IMethodInfo::GetFullName);
  ask_id("GetClassId", method, &IMethodInfo::GetClassId);
  ask_id("GetFunctionId", method, &IMethodInfo::GetFunctionId);
  ask("GetMethodToken", method, &IMethodInfo::GetMethodToken);
  ask("GetGenericParameterCount", method, &IMethodInfo::GetGenericParameterCount);
  ask("GetIsStatic", method, &IMethodInfo::GetIsStatic);
  ask("GetIsPublic", method, &IMethodInfo::GetIsPublic);
  ask("GetIsPrivate", method, &IMethodInfo::GetIsPrivate);
  ask("GetIsPropertyGetter", method, &IMethodInfo::GetIsPropertyGetter);
  ask("GetIsPropertySetter", method, &IMethodInfo::GetIsPropertySetter);
  ask("GetIsFinalizer", method, &IMethodInfo::GetIsFinalizer);
  ask("GetIsConstructor", method, &IMethodInfo::GetIsConstructor);
  ask("GetIsStaticConstructor", method, &IMethodInfo::GetIsStaticConstructor);
  ComPtr<IEnumMethodParameters> parameters;
  tell("GetParameters", method->GetParameters(parameters.receive()));
  tell_all("parameters", parameters.get(), [](IMethodParameter* parameter) {
    ComPtr<IType> type;
    tell("IMethodParameter.GetType", parameter->GetType(type.receive()));
    tell_type("type", type.get());
  });
  ComPtr<IType> declaring, result;
  tell("GetDeclaringType", method->GetDeclaringType(declaring.receive()));
  tell_type("declaring type", declaring.get());
  tell("GetReturnType", method->GetReturnType(result.receive()));
  tell_type("return type", result.get());
  uint8_t signature[128] = {};
  uint32_t needed = 0;
  tell("GetCorSignature of null", method->GetCorSignature(0, nullptr, &needed), needed);
  tell("GetCorSignature", method->GetCorSignature(sizeof signature, signature, &needed),
       Bytes{signature, needed, sizeof signature});
  tell("GetCorSignature without room", method->GetCorSignature(1, signature, &needed));
  ask("GetLocalVarSigToken", method, &IMethodInfo::GetLocalVarSigToken);
  ask("GetAttributes", method, &IMethodInfo::GetAttributes);
  ask("GetRejitCodeGenFlags", method, &IMethodInfo::GetRejitCodeGenFlags);
  ask("GetCodeRva", method, &IMethodInfo::GetCodeRva);
  ask("MethodImplFlags", method, &IMethodInfo::MethodImplFlags);
  ask("GetRejitCount", method, &IMethodInfo::GetRejitCount);
  ask("GetMaxStack", method, &IMethodInfo::GetMaxStack);
  tell("GetName of null", method->GetName(nullptr));
  tell_data("method", method);
}

void tell_jit(IMethodJitInfo* method) {
  const Part part("compiled");
  tell_faces("it", method);
  ask_id("GetFunctionID", method, &IMethodJitInfo::GetFunctionID);
  ask("GetIsRejit", method, &IMethodJitInfo::GetIsRejit);
  ask_id("GetRejitId", method, &IMethodJitInfo::GetRejitId);
  HResult result = 0;
  tell("GetJitHR", method->GetJitHR(&result), result);
  ask("GetILTransformationStatus", method, &IMethodJitInfo::GetILTransformationStatus);
  get("GetModuleInfo", method, &IMethodJitInfo::GetModuleInfo);
  const auto two = query<IMethodJitInfo2>(method);
  if (!two) return;
  ask("GetMethodToken", two.get(), &IMethodJitInfo2::GetMethodToken);
  ask_id("GetNativeCodeAddress", two.get(), &IMethodJitInfo2::GetNativeCodeAddress);
  uint32_t needed = 0;
  tell("GetILNativeMapping", two->GetILNativeMapping(0, nullptr, &needed));
  write_line(needed > 0 ? "some" : "none");
  IlMapEntry map[256] = {};
  tell("GetILInstrumentationMap of null", two->GetILInstrumentationMap(0, nullptr, &needed), needed);
  tell("GetILInstrumentationMap", two->GetILInstrumentationMap(256, map, &needed), needed);
  std::string line = "map";
  for (uint32_t i = 0; i < needed && i < 256; ++i)
    line += " " + shown(map[i].old_offset) + ">" + shown(map[i].new_offset) + (map[i].accurate ? "" : "~");
  write_line(line);
}

}  // namespace conformance
