// In each callback it waits for another thread that calls the engine: if the engine held a lock, the program would
// hang. Prints at the end which callbacks came.
#include <cstdio>
#include <map>
#include <mutex>
#include <thread>

#include "small.h"

namespace small {
namespace {

class Waiting;
Waiting* one = nullptr;
void wait_in(const char* callback);

constexpr Guid kComponent = {0x5b0c1e5e, 2, 0x4000, {0x80, 0, 0, 0, 0, 0, 0, 1}};

// The item attached to modules.
struct Kept final : Item {
  ~Kept() override { wait_in("Release"); }
};

class Host final : public IProfilerManagerLoggingHost {
 public:
  HResult QueryInterface(const Guid& id, void** object) override {
    *object = id == kIUnknownId || id == IProfilerManagerLoggingHost::kId ? this : nullptr;
    return *object == nullptr ? kNoInterface : kOk;
  }
  uint32_t AddRef() override { return 2; }
  uint32_t Release() override { return 1; }
  HResult LogMessage(const char16_t*) override { return wait_in("LogMessage"), kOk; }
  HResult LogError(const char16_t*) override { return wait_in("LogError"), kOk; }
  HResult LogDumpMessage(const char16_t*) override { return wait_in("LogDumpMessage"), kOk; }
};

class Waiting final : public Method,
                      public IInstrumentationMethodJitEvents2,
                      public IInstrumentationMethodExceptionEvents {
 public:
  using Method::Method;

  HResult QueryInterface(const Guid& id, void** object) override { return Method::QueryInterface(id, object); }
  uint32_t AddRef() override { return 2; }
  uint32_t Release() override { return 1; }

  void wait(const char* callback) {
    // What the other thread calls may call back too: a line of the log, an item.
    static thread_local bool is_asking = false;
    {
      constexpr int kEnough = 30;
      const std::lock_guard guard(lock_);
      if (is_asking || ++waited_[callback] > kEnough) return;
    }
    std::thread([&] {
      is_asking = true;
      ask();
    }).join();
  }

  HResult OnAppDomainCreated(IAppDomainInfo*) override { return in("OnAppDomainCreated"); }
  HResult OnAssemblyLoaded(IAssemblyInfo*) override { return in("OnAssemblyLoaded"); }
  HResult OnAssemblyUnloaded(IAssemblyInfo*) override { return in("OnAssemblyUnloaded"); }
  HResult OnModuleLoaded(IModuleInfo* module) override {
    keep_item(module);
    return in("OnModuleLoaded");
  }
  HResult OnModuleUnloaded(IModuleInfo* module) override {
    // Replaces another item.
    keep_item(module);
    return in("OnModuleUnloaded");
  }
  HResult OnShutdown() override {
    in("OnShutdown");
    std::string names;
    const std::lock_guard guard(lock_);
    for (const auto& [name, count] : waited_) names += " " + name;
    std::fprintf(stderr, "waited in%s\n", names.c_str());
    return kOk;
  }
  HResult ShouldInstrumentMethod(IMethodInfo* method, Bool, Bool* instrument) override {
    *instrument = name_of(method) == "Subjects.Other";
    return in("ShouldInstrumentMethod");
  }
  HResult BeforeInstrumentMethod(IMethodInfo*, Bool) override { return in("BeforeInstrumentMethod"); }
  HResult InstrumentMethod(IMethodInfo* method, Bool) override {
    in("InstrumentMethod");
    return add_to_result(method, number_);
  }
  HResult OnInstrumentationComplete(IMethodInfo*, Bool) override { return in("OnInstrumentationComplete"); }
  HResult AllowInlineSite(IMethodInfo*, IMethodInfo*, Bool* allow) override {
    *allow = 1;
    return in("AllowInlineSite");
  }
  HResult JitStarted(FunctionID, Bool) override { return in("JitStarted"); }
  HResult JitComplete(FunctionID, Bool, HResult) override { return kOk; }
  HResult JitComplete(IMethodJitInfo*) override { return in("JitComplete"); }
  HResult ExceptionCatcherEnter(IMethodInfo*, uintptr_t) override { return in("ExceptionCatcherEnter"); }
  HResult ExceptionCatcherLeave() override { return kOk; }
  HResult ExceptionSearchCatcherFound(IMethodInfo*) override { return kOk; }
  HResult ExceptionSearchFilterEnter(IMethodInfo*) override { return kOk; }
  HResult ExceptionSearchFilterLeave() override { return kOk; }
  HResult ExceptionSearchFunctionEnter(IMethodInfo*) override { return kOk; }
  HResult ExceptionSearchFunctionLeave() override { return kOk; }
  HResult ExceptionThrown(uintptr_t) override { return in("ExceptionThrown"); }
  HResult ExceptionUnwindFinallyEnter(IMethodInfo*) override { return kOk; }
  HResult ExceptionUnwindFinallyLeave() override { return kOk; }
  HResult ExceptionUnwindFunctionEnter(IMethodInfo*) override { return kOk; }
  HResult ExceptionUnwindFunctionLeave() override { return kOk; }

 private:
  HResult start() override {
    one = this;
    enable_exception_callbacks(manager_);
    static Host host;
    manager_->GetLoggingInstance(log_.receive());
    log_->SetLoggingFlags(kLogTrace);
    manager_->SetLoggingHost(&host);
    return in("Initialize");
  }
  void* other_face(const Guid& id) override {
    if (id == IInstrumentationMethodExceptionEvents::kId)
      return static_cast<IInstrumentationMethodExceptionEvents*>(this);
    const bool is_jit = id == IInstrumentationMethodJitEvents::kId || id == IInstrumentationMethodJitEvents2::kId;
    return is_jit ? static_cast<IInstrumentationMethodJitEvents2*>(this) : nullptr;
  }

  HResult in(const char* callback) {
    log_->LogMessage(u"something");
    wait(callback);
    return kOk;
  }

  template <typename Thing>
  static void keep_item(Thing* thing) {
    const ComPtr<IDataContainer> container = query<IDataContainer>(thing);
    auto* item = new Kept;
    if (container) container->SetDataItem(&kComponent, &kComponent, item);
    item->Release();
  }

  // Needs each lock of the engine.
  void ask() {
    uint32_t version = 0;
    query<IProfilerManager3>(manager_)->GetApiVersion(&version);
    Bool registered = 0;
    query<IProfilerManager5>(manager_)->IsInstrumentationMethodRegistered(kComponent, &registered);
    ComPtr<IUnknown> info, other;
    manager_->GetCorProfilerInfo(info.receive());
    manager_->GetInstrumentationMethod(kComponent, other.receive());
    manager_->RemoveInstrumentationMethod(nullptr);
    manager_->RemoveRawProfilerHook();
    log_->LogMessage(u"asked");
    ComPtr<IAppDomainCollection> domains;
    ComPtr<IEnumAppDomainInfo> all;
    manager_->GetAppDomainCollection(domains.receive());
    domains->GetAppDomains(all.receive());
    for_each<IAppDomainInfo>(all.get(), look_at);
  }

  static void look_at(IAppDomainInfo* domain) {
    ComPtr<IEnumModuleInfo> modules;
    domain->GetModules(modules.receive());
    for_each<IModuleInfo>(modules.get(), [](IModuleInfo* module) {
      ComPtr<IUnknown> item;
      ComPtr<IAssemblyInfo> assembly;
      name_of(module);
      module->GetAssemblyInfo(assembly.receive());
      query<IDataContainer>(module)->GetDataItem(&kComponent, &kComponent, item.receive());
    });
  }

  ComPtr<IProfilerManagerLogging> log_;
  std::mutex lock_;  // guards the next
  std::map<std::string, int> waited_;
};

void wait_in(const char* callback) {
  if (one != nullptr) one->wait(callback);
}

}  // namespace

IInstrumentationMethod* make_method(Number number) { return new Waiting(number); }

}  // namespace small
