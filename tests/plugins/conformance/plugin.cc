// An instrumentation method that calls every slot of its engine and writes down each answer. Any engine with the
// interfaces of the CLR Instrumentation Engine can load it, and the answers of two engines can be compared line by
// line.
#include <cstdlib>
#include <cstring>
#include <set>

#include "graphs.h"
#include "program.h"

namespace conformance {
namespace {

// {7C2F6D2E-9A0B-4C55-8E7B-3B9C7E0D4A11}
constexpr Guid kClass = {0x7c2f6d2e, 0x9a0b, 0x4c55, {0x8e, 0x7b, 0x3b, 0x9c, 0x7e, 0x0d, 0x4a, 0x11}};

bool is_subject(IModuleInfo* module) { return name_of(module) == "\"plugged.dll\""; }

class Plugin final : public IInstrumentationMethod,
                     public IInstrumentationMethodJitEvents2,
                     public IInstrumentationMethodExceptionEvents {
 public:
  HResult QueryInterface(const Guid& id, void** object) override {
    if (id == kIUnknownId || id == IInstrumentationMethod::kId)
      *object = static_cast<IInstrumentationMethod*>(this);
    else if (id == IInstrumentationMethodJitEvents::kId || id == IInstrumentationMethodJitEvents2::kId)
      *object = static_cast<IInstrumentationMethodJitEvents2*>(this);
    else if (id == IInstrumentationMethodExceptionEvents::kId)
      *object = static_cast<IInstrumentationMethodExceptionEvents*>(this);
    else
      *object = nullptr;
    return *object == nullptr ? kNoInterface : kOk;
  }
  // There is one, which lives as long as the process.
  uint32_t AddRef() override { return 2; }
  uint32_t Release() override { return 1; }

  HResult Initialize(IProfilerManager* manager) override {
    const Part part("Initialize");
    manager->AddRef();
    manager_ = manager;
    tell_manager(manager);
    ask_for_exceptions(manager);
    return kOk;
  }
  HResult OnAppDomainCreated(IAppDomainInfo* domain) override {
    write_line(std::string("OnAppDomainCreated ") + (domain == nullptr ? "null" : "some"));
    return kOk;
  }
  HResult OnAppDomainShutdown(IAppDomainInfo*) override { return kOk; }
  HResult OnAssemblyLoaded(IAssemblyInfo* assembly) override {
    Bstr name = nullptr;
    assembly->GetName(&name);
    const std::string text = shown(name);
    if (text.find("plugged") == std::string::npos) return kOk;
    const Part part("OnAssemblyLoaded " + text);
    tell_assembly(assembly);
    return kOk;
  }
  HResult OnAssemblyUnloaded(IAssemblyInfo*) override { return kOk; }
  HResult OnModuleLoaded(IModuleInfo* module) override {
    if (!is_subject(module)) return kOk;
    const Part part("OnModuleLoaded " + name_of(module));
    tell_module(module);
    ComPtr<IAssemblyInfo> assembly;
    module->GetAssemblyInfo(assembly.receive());
    if (assembly) tell_assembly(assembly.get());
    tell_types(module, manager_);
    tell_domains(manager_);
    return kOk;
  }
  HResult OnModuleUnloaded(IModuleInfo*) override { return kOk; }
  HResult OnShutdown() override {
    write_line("OnShutdown");
    return kOk;
  }

  HResult ShouldInstrumentMethod(IMethodInfo* method, Bool rejit, Bool* instrument) override {
    *instrument = is_ours(method);
    if (*instrument == 0) return kOk;
    if (name_of(method) == "Subjects.Again" && !rejit) {
      method->GetModuleInfo(again_module_.receive());
      method->GetMethodToken(&again_);
    }
    const Part part("ShouldInstrumentMethod " + name_of(method) + (rejit ? " again" : ""));
    if (told_.insert(name_of(method)).second) tell_method(method);
    return kOk;
  }
  HResult BeforeInstrumentMethod(IMethodInfo* method, Bool rejit) override {
    const Part part("BeforeInstrumentMethod " + name_of(method) + (rejit ? " again" : ""));
    make_baseline(name_of(method), method);
    return kOk;
  }
  HResult InstrumentMethod(IMethodInfo* method, Bool rejit) override {
    const std::string name = name_of(method);
    const Part part("InstrumentMethod " + name + (rejit ? " again" : ""));
    rejit ? change_again(method) : change(name, method);
    return name == "Subjects.Failed" ? kFail : kOk;
  }
  HResult OnInstrumentationComplete(IMethodInfo* method, Bool rejit) override {
    if (!is_ours(method)) return kOk;
    const Part part("OnInstrumentationComplete " + name_of(method) + (rejit ? " again" : ""));
    ask("GetMaxStack", method, &IMethodInfo::GetMaxStack);
    ask("GetLocalVarSigToken", method, &IMethodInfo::GetLocalVarSigToken);
    ComPtr<IInstructionGraph> graph;
    if (succeeded(method->GetInstructions(graph.receive())) && graph) list("complete", graph.get());
    if (name_of(method) == "Subjects.Calls") request_version();
    return kOk;
  }
  HResult AllowInlineSite(IMethodInfo* inlinee, IMethodInfo* caller, Bool* allow) override {
    *allow = 1;
    if (is_ours(inlinee) && is_ours(caller))
      write_line("AllowInlineSite " + name_of(inlinee) + " into " + name_of(caller));
    return kOk;
  }

  HResult JitStarted(FunctionID function, Bool) override {
    (void)function;
    return kOk;
  }
  HResult JitComplete(FunctionID, Bool, HResult) override {
    write_line("JitComplete of the older interface");
    return kOk;
  }
  HResult JitComplete(IMethodJitInfo* method) override {
    ComPtr<IModuleInfo> module;
    if (failed(method->GetModuleInfo(module.receive())) || !module || !is_subject(module.get())) return kOk;
    FunctionID function = 0;
    method->GetFunctionID(&function);
    ComPtr<IMethodInfo> info;
    module->GetMethodInfoById(function, info.receive());
    Bool rejit = 0;
    method->GetIsRejit(&rejit);
    const Part part("JitComplete " + (info ? name_of(info.get()) : "?") + (rejit ? " again" : ""));
    tell_jit(method);
    return kOk;
  }

  // Reported for the program's own methods only, because the frameworks' may differ.
  HResult ExceptionCatcherEnter(IMethodInfo* method, uintptr_t) override {
    return met("ExceptionCatcherEnter", method);
  }
  HResult ExceptionCatcherLeave() override { return kOk; }
  HResult ExceptionSearchCatcherFound(IMethodInfo* method) override {
    return met("ExceptionSearchCatcherFound", method);
  }
  HResult ExceptionSearchFilterEnter(IMethodInfo* method) override { return met("ExceptionSearchFilterEnter", method); }
  HResult ExceptionSearchFilterLeave() override { return kOk; }
  HResult ExceptionSearchFunctionEnter(IMethodInfo* method) override {
    return met("ExceptionSearchFunctionEnter", method);
  }
  HResult ExceptionSearchFunctionLeave() override { return kOk; }
  HResult ExceptionThrown(uintptr_t object) override {
    write_line(std::string("ExceptionThrown ") + (object != 0 ? "some" : "none"));
    return kOk;
  }
  HResult ExceptionUnwindFinallyEnter(IMethodInfo* method) override {
    return met("ExceptionUnwindFinallyEnter", method);
  }
  HResult ExceptionUnwindFinallyLeave() override { return kOk; }
  HResult ExceptionUnwindFunctionEnter(IMethodInfo* method) override {
    return met("ExceptionUnwindFunctionEnter", method);
  }
  HResult ExceptionUnwindFunctionLeave() override { return kOk; }

 private:
  HResult met(const char* event, IMethodInfo* method) {
    if (is_ours(method)) write_line(std::string(event) + " " + name_of(method));
    return kOk;
  }

  // The first slots of ICorProfilerInfo are the same in all versions; SetEventMask is the fourteenth.
  void ask_for_exceptions(IProfilerManager* manager) {
    constexpr uint32_t kExceptions = 0x40;
    ComPtr<IUnknown> info;
    if (failed(manager->GetCorProfilerInfo(info.receive())) || !info) return;
    using Get = HResult (*)(IUnknown*, uint32_t*);
    using Set = HResult (*)(IUnknown*, uint32_t);
    void** slots = *reinterpret_cast<void***>(info.get());
    uint32_t mask = 0;
    tell("GetEventMask", reinterpret_cast<Get>(slots[3 + 3])(info.get(), &mask), mask);
    tell("SetEventMask", reinterpret_cast<Set>(slots[3 + 13])(info.get(), kExceptions));
    tell("GetEventMask", reinterpret_cast<Get>(slots[3 + 3])(info.get(), &mask));
  }

  void request_version() {
    if (again_module_) tell("RequestRejit", again_module_->RequestRejit(again_));
  }

  // Adds another thousand.
  void change_again(IMethodInfo* method) {
    ComPtr<IInstructionGraph> graph;
    ComPtr<IInstructionFactory> factory;
    ComPtr<IInstruction> last, thousand, add;
    ask("GetRejitCount", method, &IMethodInfo::GetRejitCount);
    ask_id("GetFunctionId", method, &IMethodInfo::GetFunctionId);
    tell("SetRejitCodeGenFlags", method->SetRejitCodeGenFlags(0));
    method->GetInstructions(graph.receive());
    method->GetInstructionFactory(factory.receive());
    graph->GetLastInstruction(last.receive());
    factory->CreateLoadConstInstruction(1000, thousand.receive());
    factory->CreateInstruction(Opcode::Add, add.receive());
    tell("InsertBefore", graph->InsertBefore(last.get(), thousand.get()));
    tell("InsertBefore", graph->InsertBefore(last.get(), add.get()));
    list("changed", graph.get());
  }

  bool is_ours(IMethodInfo* method) {
    ComPtr<IModuleInfo> module;
    return succeeded(method->GetModuleInfo(module.receive())) && module && is_subject(module.get());
  }

  IProfilerManager* manager_ = nullptr;
  std::set<std::string> told_;
  ComPtr<IModuleInfo> again_module_;
  Token again_ = 0;
};

class Factory final : public IClassFactory {
 public:
  HResult QueryInterface(const Guid& id, void** object) override {
    *object = id == kIUnknownId || id == kIClassFactoryId ? this : nullptr;
    return *object == nullptr ? kNoInterface : kOk;
  }
  uint32_t AddRef() override { return 2; }
  uint32_t Release() override { return 1; }
  HResult CreateInstance(IUnknown*, const Guid& id, void** object) override {
    static Plugin plugin;
    return plugin.QueryInterface(id, object);
  }
  HResult LockServer(Bool) override { return kOk; }
};

}  // namespace

extern "C" __attribute__((visibility("default"))) HResult DllGetClassObject(const Guid& id, const Guid& interface,
                                                                            void** object) {
  static Factory factory;
  return id == kClass ? factory.QueryInterface(interface, object) : kClassNotAvailable;
}

}  // namespace conformance
