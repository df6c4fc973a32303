#include "plugins/info/assembly_info.h"

#include <algorithm>
#include <cstring>

#include "plugins/info/domain_info.h"
#include "plugins/info/enumerator.h"
#include "plugins/sha1.h"
#include "plugins/text.h"
#include "runtimes/coreclr/com/wide_text.h"

namespace oriel::plugins {
namespace {

constexpr Token kAssembly = 0x20000001;

std::vector<ComPtr<IModuleInfo>> as_interfaces(const std::vector<ComPtr<ModuleInfo>>& modules) {
  std::vector<ComPtr<IModuleInfo>> all;
  for (const auto& module : modules) all.push_back(share<IModuleInfo>(module.get()));
  return all;
}

}  // namespace

AssemblyInfo::AssemblyInfo(coreclr::UngatedProfilerInfo& runtime, AssemblyID id) : id_(id) {
  name_ = coreclr::wide_text([&](char16_t* buffer, uint32_t room, uint32_t* length) {
    return runtime.GetAssemblyInfo(id_, room, length, buffer, &domain_id_, &manifest_);
  });
}

AssemblyInfo::~AssemblyInfo() = default;

void AssemblyInfo::set_domain(ComPtr<AppDomainInfo> domain) {
  const std::lock_guard guard(lock_);
  std::swap(domain_, domain);
}

ComPtr<AppDomainInfo> AssemblyInfo::domain() {
  const std::lock_guard guard(lock_);
  return domain_;
}

void AssemblyInfo::add(const ComPtr<ModuleInfo>& module) {
  const std::lock_guard guard(lock_);
  for (const auto& known : modules_)
    if (known->id() == module->id()) return;
  modules_.push_back(module);
}

void AssemblyInfo::remove(ModuleID id) {
  const std::lock_guard guard(lock_);
  std::erase_if(modules_, [&](const auto& module) { return module->id() == id; });
}

std::vector<ComPtr<ModuleInfo>> AssemblyInfo::modules() {
  const std::lock_guard guard(lock_);
  return modules_;
}

HResult AssemblyInfo::GetAppDomainInfo(IAppDomainInfo** domain) {
  if (domain == nullptr) return kPointerError;
  const std::lock_guard guard(lock_);
  return domain_ ? give(domain_, domain) : kFail;
}

HResult AssemblyInfo::GetModuleCount(uint32_t* count) {
  if (count == nullptr) return kPointerError;
  *count = static_cast<uint32_t>(modules().size());
  return kOk;
}

HResult AssemblyInfo::GetModules(uint32_t, IEnumModuleInfo** out) {
  if (out == nullptr) return kPointerError;
  return give_list(as_interfaces(modules()), out);
}

HResult AssemblyInfo::GetModuleById(ModuleID id, IModuleInfo** out) {
  if (out == nullptr) return kPointerError;
  *out = nullptr;
  for (const auto& module : modules())
    if (module->id() == id) return give(module, out);
  return kFail;
}

HResult AssemblyInfo::GetModuleByMvid(Guid* mvid, IModuleInfo** out) {
  if (mvid == nullptr || out == nullptr) return kPointerError;
  *out = nullptr;
  for (const auto& module : modules()) {
    Guid its{};
    if (succeeded(module->GetMVID(&its)) && its == *mvid) return give(module, out);
  }
  return kFail;
}

HResult AssemblyInfo::GetModulesByName(Bstr name, IEnumModuleInfo** out) {
  if (name == nullptr || out == nullptr) return kPointerError;
  std::vector<ComPtr<ModuleInfo>> found = modules();
  std::erase_if(found, [wanted = text_of(name)](const auto& module) { return module->name() != wanted; });
  return give_list(as_interfaces(found), out);
}

HResult AssemblyInfo::GetModuleForMethod(Token token, IModuleInfo** out) {
  if (out == nullptr) return kPointerError;
  *out = nullptr;
  for (const auto& module : modules())
    if (const auto metadata = module->metadata(); metadata.is_open() && metadata.has(token)) return give(module, out);
  return kOk;
}

HResult AssemblyInfo::GetModuleForType(Bstr name, Token scope, Token* type) {
  if (name == nullptr || type == nullptr) return kPointerError;
  *type = 0;
  for (const auto& module : modules())
    if (const auto metadata = module->metadata(); metadata.is_open())
      if (succeeded(metadata.import().FindTypeDefByName(name, scope, type))) break;
  return kOk;
}

HResult AssemblyInfo::GetManifestModule(IModuleInfo** out) {
  if (out == nullptr) return kPointerError;
  return GetModuleById(manifest_, out);
}

std::vector<uint8_t> AssemblyInfo::public_key() {
  for (const auto& module : modules()) {
    if (module->id() != manifest_) continue;
    ComPtr<coreclr::MetaDataAssemblyImport> import;
    const void* key = nullptr;
    uint32_t size = 0;
    if (failed(module->GetMetaDataAssemblyImport(reinterpret_cast<IUnknown**>(import.receive()))) ||
        failed(import->GetAssemblyProps(kAssembly, &key, &size, nullptr, nullptr, 0, nullptr, nullptr, nullptr)))
      break;
    const auto* bytes = static_cast<const uint8_t*>(key);
    return {bytes, bytes + size};
  }
  return {};
}

HResult AssemblyInfo::GetPublicKey(uint32_t size, uint8_t* bytes) {
  const std::vector<uint8_t> key = public_key();
  if (bytes == nullptr) return kPointerError;
  if (size < key.size()) return kInvalidArgument;
  std::copy(key.begin(), key.end(), bytes);
  return kOk;
}

HResult AssemblyInfo::GetPublicKeySize(uint32_t* size) {
  if (size == nullptr) return kPointerError;
  *size = static_cast<uint32_t>(public_key().size());
  return kOk;
}

// The last eight bytes of the key's hash, in reverse order (II.6.3).
HResult AssemblyInfo::GetPublicKeyToken(Bstr* token) {
  if (token == nullptr) return kPointerError;
  const std::vector<uint8_t> key = public_key();
  if (key.empty()) return kFail;
  const auto hash = sha1(key);
  std::string text;
  char two[4];
  for (size_t i = 0; i < 8; ++i) {
    std::snprintf(two, sizeof two, "%02x", hash[hash.size() - 1 - i]);
    text += two;
  }
  *token = make_bstr(text);
  return kOk;
}

HResult AssemblyInfo::GetID(AssemblyID* id) {
  if (id == nullptr) return kPointerError;
  *id = id_;
  return kOk;
}

HResult AssemblyInfo::GetName(Bstr* name) {
  if (name == nullptr) return kPointerError;
  *name = make_bstr(name_);
  return kOk;
}

HResult AssemblyInfo::GetMetaDataToken(uint32_t* token) {
  if (token == nullptr) return kPointerError;
  *token = kAssembly;
  return kOk;
}

}  // namespace oriel::plugins
