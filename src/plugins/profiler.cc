#include "plugins/profiler.h"

#include "plugins/environment.h"
#include "plugins/hooks/hooks.h"
#include "plugins/info/jit_info.h"
#include "plugins/log.h"
#include "runtimes/coreclr/exceptions_in_flight.h"
#include "runtimes/coreclr/guests/slots.h"
#include "runtimes/coreclr/object_pins.h"

namespace oriel::plugins {
namespace {

// No exception may leave a callback.
template <typename Act>
HResult guarded(Act act) {
  try {
    return act();
  } catch (...) {
    return kOutOfMemory;
  }
}

// The runtime's newest version: later slots are called only if it has them.
ComPtr<coreclr::UngatedProfilerInfo> newest(IUnknown* info) {
  for (size_t i = std::size(coreclr::kInfoVersions); i-- > 0;) {
    ComPtr<coreclr::UngatedProfilerInfo> found;
    if (succeeded(info->QueryInterface(coreclr::kInfoVersions[i].id, reinterpret_cast<void**>(found.receive()))))
      return found;
  }
  return {};
}

}  // namespace

HResult Profiler::QueryInterface(const Guid& id, void** object) {
  if (object == nullptr) return kInvalidArgument;
  bool is_ours = id == kIUnknownId;
  for (const coreclr::InterfaceVersion& version : coreclr::kCallbackVersions) is_ours |= version.id == id;
  *object = is_ours ? this : nullptr;
  if (!is_ours) return kNoInterface;
  AddRef();
  return kOk;
}

HResult Profiler::Initialize(IUnknown* info) {
  return guarded([&] { return info == nullptr ? kPointerError : begin(info); });
}

// The library stays in the process, so state that an earlier attach left is ignored.
bool Profiler::make_engine(IUnknown* info, bool is_attach) {
  ComPtr<coreclr::UngatedProfilerInfo> runtime = newest(info);
  if (!runtime) return false;
  engine_ = new Engine(std::move(runtime));
  instrumenter_ = new Instrumenter(*engine_);
  leaves_exceptions_unprotected_ = coreclr::leaves_exceptions_unprotected(coreclr::major_version(Profiler::runtime()));
  has_pins_ = coreclr::has_object_pins(Profiler::runtime());
  engine_->begin(is_attach);
  return true;
}

// Plug-ins are loaded: starts the hooks and sets the event mask.
HResult Profiler::run(bool is_attach) {
  Hooks::of_process().start(*engine_, is_attach);
  const bool wanted = !engine_->plugins().all()->empty() || !Hooks::of_process().empty();
  if (!engine_->is_disabled() && wanted) return engine_->run();
  Hooks::of_process().remove_all();
  return coreclr::kCancelActivation;
}

HResult Profiler::begin(IUnknown* info) {
  const std::vector<std::string> paths = paths_beginning("ConfigPath64_");
  Log::of_process().read_environment();
  // Nothing is configured, so the runtime need not call this profiler.
  if (paths.empty() && environment("RawProfilerHook").empty()) {
    Log::of_process().error("no configuration is named (MicrosoftInstrumentationEngine_ConfigPath64_NAME)");
    return coreclr::kCancelActivation;
  }
  if (!make_engine(info, false)) return coreclr::kCancelActivation;
  for (const std::string& path : paths) engine_->read(path);
  Hooks::of_process().add_of_environment(*engine_);
  return run(false);
}

HResult Profiler::Shutdown() {
  return guarded([&] {
    const Plugins::All all = engine_->plugins().all();
    for (const auto& plugin : *all) call(*plugin, "OnShutdown", [](Plugin& p) { return p.method->OnShutdown(); });
    Log::of_process().set_host({});
    return kOk;
  });
}

// Loads.

HResult Profiler::AppDomainCreationStarted(AppDomainID id) {
  return guarded([&] {
    engine_->program().domain(id);
    return kOk;
  });
}

HResult Profiler::AppDomainCreationFinished(AppDomainID id, HResult status) {
  return guarded([&] {
    if (failed(status)) return kOk;
    const ComPtr<AppDomainInfo> domain = engine_->program().domain(id);
    domain->finish();
    const Plugins::All all = engine_->plugins().all();
    for (const auto& plugin : *all)
      call(*plugin, "OnAppDomainCreated", [&](Plugin& p) { return p.method->OnAppDomainCreated(domain.get()); });
    return kOk;
  });
}

HResult Profiler::AppDomainShutdownFinished(AppDomainID id, HResult) {
  return guarded([&] {
    const ComPtr<AppDomainInfo> domain = engine_->program().remove_domain(id);
    if (!domain) return kOk;
    const Plugins::All all = engine_->plugins().all();
    for (const auto& plugin : *all)
      call(*plugin, "OnAppDomainShutdown", [&](Plugin& p) { return p.method->OnAppDomainShutdown(domain.get()); });
    return kOk;
  });
}

ComPtr<ModuleInfo> Profiler::learn_module(ModuleID id, AssemblyID assembly_id) {
  const ComPtr<AssemblyInfo> assembly = engine_->program().assembly(assembly_id);
  ComPtr<ModuleInfo> module = engine_->program().module(id);
  module->set_assembly(assembly);
  assembly->add(module);
  return module;
}

HResult Profiler::ModuleAttachedToAssembly(ModuleID id, AssemblyID assembly_id) {
  return guarded([&] {
    const ComPtr<ModuleInfo> module = learn_module(id, assembly_id);
    const Plugins::All all = engine_->plugins().all();
    for (const auto& plugin : *all)
      call(*plugin, "OnModuleLoaded", [&](Plugin& p) { return p.method->OnModuleLoaded(module.get()); });
    return kOk;
  });
}

HResult Profiler::AssemblyLoadFinished(AssemblyID id, HResult) {
  return guarded([&] {
    const ComPtr<AssemblyInfo> assembly = engine_->program().assembly(id);
    const Plugins::All all = engine_->plugins().all();
    for (const auto& plugin : *all)
      call(*plugin, "OnAssemblyLoaded", [&](Plugin& p) { return p.method->OnAssemblyLoaded(assembly.get()); });
    return kOk;
  });
}

HResult Profiler::ModuleUnloadStarted(ModuleID id) {
  return guarded([&] {
    instrumenter_->module_unloading(id);
    return kOk;
  });
}

HResult Profiler::ModuleUnloadFinished(ModuleID id, HResult) {
  return guarded([&] {
    const ComPtr<ModuleInfo> module = engine_->program().remove_module(id);
    if (!module) return kOk;
    const Plugins::All all = engine_->plugins().all();
    for (const auto& plugin : *all)
      call(*plugin, "OnModuleUnloaded", [&](Plugin& p) { return p.method->OnModuleUnloaded(module.get()); });
    module->set_assembly({});
    return kOk;
  });
}

HResult Profiler::AssemblyUnloadFinished(AssemblyID id, HResult) {
  return guarded([&] {
    const ComPtr<AssemblyInfo> assembly = engine_->program().remove_assembly(id);
    if (!assembly) return kOk;
    const Plugins::All all = engine_->plugins().all();
    for (const auto& plugin : *all)
      call(*plugin, "OnAssemblyUnloaded", [&](Plugin& p) { return p.method->OnAssemblyUnloaded(assembly.get()); });
    assembly->set_domain({});
    return kOk;
  });
}

// Compilations.

void Profiler::started(FunctionID function, bool is_rejit) {
  const Plugins::All all = engine_->plugins().all();
  for (const auto& plugin : *all)
    if (plugin->jit)
      call(*plugin, "JitStarted", [&](Plugin& p) { return p.jit->JitStarted(function, is_rejit ? 1 : 0); });
}

HResult Profiler::JITCompilationStarted(FunctionID function, Bool safe) {
  return guarded([&] {
    started(function, false);
    instrumenter_->compile(function, safe);
    return kOk;
  });
}

void Profiler::compiled(FunctionID function, ReJITID version, HResult status) {
  const Plugins::All all = engine_->plugins().all();
  const Compilation known = instrumenter_->known(function, version != 0, true);
  ComPtr<MethodJitInfo> info;
  for (const auto& plugin : *all) {
    if (plugin->jit2 && known.method) {
      if (!info) info = make<MethodJitInfo>(known.method, version, status, known.is_changed, known.map);
      call(*plugin, "JitComplete", [&](Plugin& p) { return p.jit2->JitComplete(info.get()); });
    } else if (plugin->jit && !plugin->jit2) {
      call(*plugin, "JitComplete",
           [&](Plugin& p) { return p.jit->JitComplete(function, version != 0 ? 1 : 0, status); });
    }
  }
}

HResult Profiler::JITCompilationFinished(FunctionID function, HResult status, Bool) {
  return guarded([&] {
    compiled(function, 0, status);
    return kOk;
  });
}

// The runtime accepts no other code for these methods: they are reported, and their code can be read.
HResult Profiler::DynamicMethodJITCompilationStarted(FunctionID function, Bool, const uint8_t* code, uint32_t size) {
  return guarded([&] {
    started(function, false);
    instrumenter_->compile_dynamic(function, {code, code == nullptr ? 0 : size});
    return kOk;
  });
}

HResult Profiler::DynamicMethodJITCompilationFinished(FunctionID function, HResult status, Bool) {
  return guarded([&] {
    compiled(function, 0, status);
    return kOk;
  });
}

// All are asked until one refuses.
HResult Profiler::JITInlining(FunctionID caller, FunctionID callee, Bool* may) {
  return guarded([&] {
    *may = 1;
    const Plugins::All all = engine_->plugins().all();
    const ComPtr<MethodInfo> inlinee = engine_->program().method(callee);
    const ComPtr<MethodInfo> into = caller == callee ? inlinee : engine_->program().method(caller);
    if (!inlinee || !into) return kOk;
    for (const auto& plugin : *all) {
      if (*may == 0) break;
      const HResult result = call(*plugin, "AllowInlineSite",
                                  [&](Plugin& p) { return p.method->AllowInlineSite(inlinee.get(), into.get(), may); });
      if (failed(result)) *may = 0;
    }
    return kOk;
  });
}

HResult Profiler::GetReJITParameters(ModuleID module, Token method, void* control) {
  return guarded([&] {
    instrumenter_->recompile(module, method, *static_cast<coreclr::FunctionControl*>(control));
    return kOk;
  });
}

HResult Profiler::ReJITCompilationStarted(FunctionID function, ReJITID, Bool) {
  return guarded([&] {
    started(function, true);
    return kOk;
  });
}

HResult Profiler::ReJITCompilationFinished(FunctionID function, ReJITID version, HResult status, Bool) {
  return guarded([&] {
    compiled(function, version, status);
    return kOk;
  });
}

}  // namespace oriel::plugins
