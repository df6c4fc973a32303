#include "plugins/info/module_info.h"

#include <cstring>

#include "base/text/path.h"
#include "base/text/utf16.h"
#include "plugins/code/image.h"
#include "plugins/code/types.h"
#include "plugins/info/assembly_info.h"
#include "plugins/info/method_info.h"
#include "plugins/text.h"
#include "runtimes/coreclr/com/wide_text.h"

namespace oriel::plugins {
namespace {

// COR_PRF_MODULE_FLAGS.
constexpr uint32_t kDisk = 0x1, kNgen = 0x2, kDynamic = 0x4, kFlatLayout = 0x20, kWindowsRuntime = 0x40;
constexpr uint32_t kIlOnly = 0x1;  // in the CLI header
constexpr uint32_t kCorHeaderSize = 72;

constexpr Guid kMetaDataAssemblyEmit = {0x211ef15b, 0x5317, 0x4438, {0xb1, 0x96, 0xde, 0xc8, 0x7b, 0x88, 0x76, 0x93}};

}  // namespace

ModuleInfo::ModuleInfo(coreclr::UngatedProfilerInfo& runtime, ModuleID id) : runtime_(runtime), id_(id) {
  path_ = coreclr::wide_text([&](char16_t* buffer, uint32_t room, uint32_t* length) {
    return runtime_.GetModuleInfo2(id_, &base_, room, length, buffer, &assembly_id_, &flags_);
  });
}

ModuleInfo::~ModuleInfo() = default;

std::string ModuleInfo::name() {
  const std::string file = file_name(path_);
  return file.empty() ? metadata().module_name() : file;
}

HResult ModuleInfo::GetModuleName(Bstr* out) { return out == nullptr ? kPointerError : answer(make_bstr(name()), out); }
HResult ModuleInfo::GetFullPath(Bstr* path) { return path == nullptr ? kPointerError : answer(make_bstr(path_), path); }

void ModuleInfo::set_assembly(ComPtr<AssemblyInfo> assembly) {
  const std::lock_guard guard(lock_);
  std::swap(assembly_, assembly);
}

ComPtr<AssemblyInfo> ModuleInfo::assembly() {
  const std::lock_guard guard(lock_);
  return assembly_;
}

HResult ModuleInfo::GetAssemblyInfo(IAssemblyInfo** out) {
  if (out == nullptr) return kPointerError;
  const ComPtr<AssemblyInfo> mine = assembly();
  return mine ? give(mine, out) : kFail;
}

HResult ModuleInfo::GetAppDomainInfo(IAppDomainInfo** domain) {
  if (domain == nullptr) return kPointerError;
  const ComPtr<AssemblyInfo> mine = assembly();
  return mine ? mine->GetAppDomainInfo(domain) : kFail;
}

HResult ModuleInfo::open(uint32_t access, const Guid& id, void** object) {
  return runtime_.GetModuleMetaData(id_, access, id, reinterpret_cast<IUnknown**>(object));
}

coreclr::ModuleMetadata ModuleInfo::metadata() {
  {
    const std::lock_guard guard(lock_);
    if (import_ && (!emit_ || sees_writes_)) return coreclr::ModuleMetadata(import_);
  }
  ComPtr<coreclr::MetaDataImport> opened;
  open(coreclr::kOpenRead, coreclr::kIMetaDataImport2Id, reinterpret_cast<void**>(opened.receive()));
  const std::lock_guard guard(lock_);
  if (opened) import_ = opened;
  sees_writes_ = static_cast<bool>(emit_);
  return import_ ? coreclr::ModuleMetadata(import_) : coreclr::ModuleMetadata();
}

ComPtr<coreclr::MetaDataEmit> ModuleInfo::emit() {
  {
    const std::lock_guard guard(lock_);
    if (emit_) return emit_;
  }
  ComPtr<coreclr::MetaDataEmit> opened;
  open(coreclr::kOpenRead | coreclr::kOpenWrite, coreclr::kIMetaDataEmitId, reinterpret_cast<void**>(opened.receive()));
  const std::lock_guard guard(lock_);
  if (!emit_) emit_ = opened;
  return emit_;
}

HResult ModuleInfo::GetMetaDataImport(IUnknown** import) {
  if (import == nullptr) return kPointerError;
  const coreclr::ModuleMetadata opened = metadata();
  return opened.is_open() ? give(share(&opened.import()), import) : kFail;
}

HResult ModuleInfo::GetMetaDataAssemblyImport(IUnknown** import) {
  if (import == nullptr) return kPointerError;
  return open(coreclr::kOpenRead, coreclr::kIMetaDataAssemblyImportId, reinterpret_cast<void**>(import));
}

HResult ModuleInfo::GetMetaDataEmit(IUnknown** out) {
  if (out == nullptr) return kPointerError;
  const ComPtr<coreclr::MetaDataEmit> opened = emit();
  return opened ? give(opened, out) : kFail;
}

HResult ModuleInfo::GetMetaDataAssemblyEmit(IUnknown** out) {
  if (out == nullptr) return kPointerError;
  if (!emit()) return kFail;
  return open(coreclr::kOpenRead | coreclr::kOpenWrite, kMetaDataAssemblyEmit, reinterpret_cast<void**>(out));
}

HResult ModuleInfo::GetModuleID(ModuleID* id) { return answer(id_, id); }

HResult ModuleInfo::GetMVID(Guid* mvid) {
  if (mvid == nullptr) return kPointerError;
  const coreclr::ModuleMetadata opened = metadata();
  return opened.is_open() ? opened.import().GetScopeProps(nullptr, 0, nullptr, mvid) : kFail;
}

HResult ModuleInfo::GetIsILOnly(Bool* value) {
  const auto image = read_image(base_, (flags_ & kFlatLayout) != 0);
  return answer_bool(image && (image->cor_flags & kIlOnly) != 0, value);
}
HResult ModuleInfo::GetIsMscorlib(Bool* value) {
  return value == nullptr ? kPointerError : answer_bool(metadata().is_core_library(), value);
}
HResult ModuleInfo::GetIsDynamic(Bool* value) { return answer_bool((flags_ & kDynamic) != 0, value); }
HResult ModuleInfo::GetIsNgen(Bool* value) { return answer_bool((flags_ & kNgen) != 0, value); }
HResult ModuleInfo::GetIsWinRT(Bool* value) { return answer_bool((flags_ & kWindowsRuntime) != 0, value); }
HResult ModuleInfo::GetIs64bit(Bool* value) {
  const auto image = read_image(base_, (flags_ & kFlatLayout) != 0);
  return answer_bool(image && image->is_64bit, value);
}
HResult ModuleInfo::GetIsFlatLayout(Bool* value) { return answer_bool((flags_ & kFlatLayout) != 0, value); }
HResult ModuleInfo::GetIsLoadedFromDisk(Bool* value) { return answer_bool((flags_ & kDisk) != 0, value); }
HResult ModuleInfo::GetImageBase(const uint8_t** base) { return answer(base_, base); }

HResult ModuleInfo::GetCorHeader(uint32_t size, uint8_t* header) {
  if (header == nullptr) return kPointerError;
  const bool is_flat = (flags_ & kFlatLayout) != 0;
  const auto image = read_image(base_, is_flat);
  const uint8_t* found = image && image->cor_header != 0 ? at_rva(base_, is_flat, image->cor_header) : nullptr;
  if (found == nullptr) return kFail;
  std::memcpy(header, found, size < kCorHeaderSize ? size : kCorHeaderSize);
  return kOk;
}

HResult ModuleInfo::GetEntrypointToken(uint32_t* token) {
  if (token == nullptr) return kPointerError;
  const auto image = read_image(base_, (flags_ & kFlatLayout) != 0);
  return image && image->entry_point != 0 ? answer(image->entry_point, token) : kFail;
}

// Windows reads it from the file's resources, which are not read here.
HResult ModuleInfo::GetModuleVersion(uint32_t, uint8_t* version) { return version == nullptr ? kPointerError : kFail; }

// Methods that have it inlined, at any depth, are recompiled too, and plug-ins are asked for these as well. The runtime
// knows them, precompiled or not.
HResult ModuleInfo::RequestRejit(Token method) {
  ModuleID module = id_;
  return runtime_.RequestReJITWithInliners(coreclr::kReJitBlockInlining | coreclr::kReJitInliningCallbacks, 1, &module,
                                           &method);
}

HResult ModuleInfo::CreateTypeFactory(ITypeCreator** types) {
  if (types == nullptr) return kPointerError;
  return give(make<TypeCreator>(share(this)), types);
}

HResult ModuleInfo::GetMethodInfoById(FunctionID function, IMethodInfo** method) {
  if (method == nullptr) return kPointerError;
  ModuleID module = 0;
  Token token = 0;
  const HResult result = runtime_.GetFunctionInfo(function, nullptr, &module, &token);
  if (failed(result)) return result;
  if (!is_nil(token)) return give(make<MethodInfo>(share(this), token, function), method);
  const ComPtr<MethodInfo> dynamic = dynamic_method(
      runtime_, function, {}, [&](ModuleID id) { return id == id_ ? share(this) : ComPtr<ModuleInfo>(); });
  give(dynamic, method);
  return dynamic ? kOk : kFail;
}

HResult ModuleInfo::GetMethodInfoByToken(Token token, IMethodInfo** method) {
  if (method == nullptr) return kPointerError;
  return give(make<MethodInfo>(share(this), token, FunctionID{0}), method);
}

HResult ModuleInfo::ImportModule(IUnknown*, const uint8_t**) { return kNotImplemented; }

HResult ModuleInfo::ResolveRva(uint32_t rva, const uint8_t** address) {
  if (address == nullptr) return kPointerError;
  if (base_ == nullptr) return kNotImplemented;
  const uint8_t* found = at_rva(base_, (flags_ & kFlatLayout) != 0, rva);
  return found == nullptr ? kFail : answer(found, address);
}

std::string ModuleInfo::type_name(Token type) {
  const coreclr::ModuleMetadata opened = metadata();
  if (!opened.is_open()) return {};
  const Token table = coreclr::table_of(type);
  if (table != coreclr::kTypeDefTable && table != coreclr::kTypeRefTable) return {};
  std::string name = utf8_of(opened.type_name(type));
  if (table == coreclr::kTypeRefTable) return name;
  for (Token outer = opened.enclosing_type(type); outer != 0; outer = opened.enclosing_type(outer))
    name = utf8_of(opened.type_name(outer)) + "+" + name;
  return name;
}

void ModuleInfo::set_original_body(Token method, std::span<const uint8_t> body) {
  const std::lock_guard guard(lock_);
  original_bodies_[method] = body;
}

std::span<const uint8_t> ModuleInfo::original_body(Token method) {
  {
    const std::lock_guard guard(lock_);
    const auto known = original_bodies_.find(method);
    if (known != original_bodies_.end()) return known->second;
  }
  const uint8_t* bytes = nullptr;
  uint32_t size = 0;
  if (failed(runtime_.GetILFunctionBody(id_, method, &bytes, &size))) return {};
  const std::lock_guard guard(lock_);
  return original_bodies_.try_emplace(method, bytes, size).first->second;
}

}  // namespace oriel::plugins
