// Adds its number to what Subjects.Other returns and, once Rejit was called, to what Subjects.Leaf returns. The program
// calls its exported functions, which make the engine do what a plug-in may request at any time.
#include <cstdio>
#include <mutex>
#include <set>
#include <thread>

#include "small.h"

namespace small {
namespace {

std::u16string wide(const std::string& text) { return {text.begin(), text.end()}; }

class Changing final : public Method, public IInstrumentationMethodJitEvents2 {
 public:
  using Method::Method;

  HResult QueryInterface(const Guid& id, void** object) override { return Method::QueryInterface(id, object); }
  uint32_t AddRef() override { return 2; }
  uint32_t Release() override { return 1; }

  HResult InitializeForAttach(IProfilerManager* manager, IInstrumentationMethodAttachContext* context) override {
    ComPtr<IEnumInstrumentationMethodSettings> all;
    context->EnumSettings(all.receive());
    uint32_t count = 0;
    all->GetCount(&count);
    for (uint32_t i = 0; i < count; ++i) {
      ComPtr<IInstrumentationMethodSetting> setting;
      uint32_t fetched = 0;
      all->Next(1, setting.receive(), &fetched);
      Bstr name = nullptr, value = nullptr;
      setting->GetName(&name);
      setting->GetValue(&value);
      std::fprintf(stderr, "setting %s is %s\n", text_of(name).c_str(), text_of(value).c_str());
    }
    return Initialize(manager);
  }

  // Finds what was loaded before the attach.
  HResult AttachComplete() override {
    ComPtr<IAppDomainCollection> domains;
    ComPtr<IEnumAppDomainInfo> all;
    manager_->GetAppDomainCollection(domains.receive());
    domains->GetAppDomains(all.receive());
    for (;;) {
      ComPtr<IAppDomainInfo> domain;
      uint32_t fetched = 0;
      if (failed(all->Next(1, domain.receive(), &fetched)) || fetched == 0) break;
      ComPtr<IEnumModuleInfo> modules;
      char16_t name[] = u"plugins.dll";
      domain->GetModuleInfosByName(name, modules.receive());
      ComPtr<IModuleInfo> module;
      modules->Next(1, module.receive(), &fetched);
      if (module) OnModuleLoaded(module.get());
    }
    std::fprintf(stderr, "attached, plugins.dll is %s\n", module_ ? "there" : "not there");
    return kOk;
  }

  HResult OnModuleLoaded(IModuleInfo* module) override {
    if (name_of(module) != "plugins.dll") return kOk;
    module->AddRef();
    module_ = module;
    return kOk;
  }

  HResult ShouldInstrumentMethod(IMethodInfo* method, Bool rejit, Bool* instrument) override {
    const std::string name = name_of(method);
    *instrument = name == "Subjects.Other" || (rejit != 0 && name == "Subjects.Leaf");
    if (rejit != 0) std::fprintf(stderr, "again %s\n", name.c_str());
    return kOk;
  }
  HResult InstrumentMethod(IMethodInfo* method, Bool) override { return add_to_result(method, number_); }

  HResult JitStarted(FunctionID, Bool) override { return kOk; }
  HResult JitComplete(FunctionID, Bool, HResult) override { return kOk; }
  HResult JitComplete(IMethodJitInfo* info) override {
    FunctionID function = 0;
    ComPtr<IMethodInfo> method;
    ComPtr<IAppDomainCollection> domains;
    Token token = 0;
    const ComPtr<IMethodJitInfo2> more = query<IMethodJitInfo2>(info);
    more->GetMethodToken(&token);
    if ((token & 0xffffff) != 0) return kOk;
    info->GetFunctionID(&function);
    manager_->GetAppDomainCollection(domains.receive());
    domains->GetMethodInfoById(function, method.receive());
    if (method && name_of(method.get()) == "AddedToSeven") std::fprintf(stderr, "dynamic AddedToSeven\n");
    return kOk;
  }

  // The runtime accepts this in its own callbacks, and from threads that run no managed code.
  HResult rejit() {
    HResult result = kFail;
    std::thread([&] {
      const Token leaf = token_of("Leaf");
      if (leaf != 0) result = module_->RequestRejit(leaf);
    }).join();
    return result;
  }

  // Adds another plug-in of this library.
  HResult add(Number number) {
    char id[48];
    std::snprintf(id, sizeof id, "{5B0C1E5E-0001-4000-8000-0000000000%02X}", number);
    std::u16string folder = wide(told()), name = u"Added", module = u"libsmall-changing.so", guid = wide(id);
    ComPtr<IInstrumentationMethod> added;
    const HResult result = manager_->AddInstrumentationMethod(folder.data(), name.data(), name.data(), module.data(),
                                                              guid.data(), number, added.receive());
    if (succeeded(result)) added_ = added.get();
    return result;
  }
  HResult remove() { return manager_->RemoveInstrumentationMethod(added_); }

 private:
  void* other_face(const Guid& id) override {
    const bool is_jit = id == IInstrumentationMethodJitEvents::kId || id == IInstrumentationMethodJitEvents2::kId;
    return is_jit ? static_cast<IInstrumentationMethodJitEvents2*>(this) : nullptr;
  }

  // The method with that name in Subjects, which must exist.
  Token token_of(const std::string& name) {
    constexpr Token kMethods = 0x06000000;
    for (Token token = kMethods + 1; module_ != nullptr && token < kMethods + 100; ++token) {
      ComPtr<IMethodInfo> method;
      module_->GetMethodInfoByToken(token, method.receive());
      if (method && name_of(method.get()) == "Subjects." + name) return token;
    }
    return 0;
  }

  IModuleInfo* module_ = nullptr;
  IInstrumentationMethod* added_ = nullptr;
};

Changing* first = nullptr;

}  // namespace

IInstrumentationMethod* make_method(Number number) {
  auto* made = new Changing(number);
  if (first == nullptr) first = made;
  return made;
}

extern "C" __attribute__((visibility("default"))) int Rejit(int) { return first->rejit(); }
extern "C" __attribute__((visibility("default"))) int Add(int number) {
  return first->add(static_cast<Number>(number));
}
extern "C" __attribute__((visibility("default"))) int Remove(int) { return first->remove(); }

}  // namespace small
