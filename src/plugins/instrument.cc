#include "plugins/instrument.h"

#include <utility>

#include "plugins/dump.h"
#include "plugins/hooks/hook_control.h"
#include "plugins/hooks/hooks.h"
#include "plugins/log.h"
#include "runtimes/coreclr/com/body_memory.h"

namespace oriel::plugins {
namespace {

// The end mark of a ReJIT's map, by which debuggers tell versions apart.
constexpr uint32_t kVersionMark = 0xfeefee;

// Restricts a map to the sequence points that CreateBaseline declared, if there are any.
std::vector<IlMapEntry> through_points(const std::vector<IlMapEntry>& points, const std::vector<IlMapEntry>& map) {
  if (points.empty()) return map;
  std::vector<IlMapEntry> kept;
  for (const IlMapEntry& entry : map)
    for (const IlMapEntry& point : points)
      if (point.new_offset == entry.old_offset) kept.push_back({point.old_offset, entry.new_offset, entry.accurate});
  return kept;
}

// The runtime takes ownership of the memory.
coreclr::IlMapEntry* copy_for_runtime(const std::vector<IlMapEntry>& map) {
  static_assert(sizeof(IlMapEntry) == sizeof(coreclr::IlMapEntry));
  return reinterpret_cast<coreclr::IlMapEntry*>(const_cast<IlMapEntry*>(map.data()));
}

}  // namespace

bool Instrumenter::is_wanted(Plugin& plugin, MethodInfo& method, bool is_rejit) {
  Bool wanted = 0;
  const HResult result = call(plugin, "ShouldInstrumentMethod",
                              [&](Plugin& p) { return p.method->ShouldInstrumentMethod(&method, is_rejit, &wanted); });
  return succeeded(result) && wanted != 0;
}

// If one fails, the method stays as it was, because the changes of all others are in the same graph.
Instrumenter::Change Instrumenter::ask(MethodInfo& method, bool is_rejit) {
  const Plugins::All all = engine_.plugins().all();
  std::vector<std::shared_ptr<Plugin>> wanting;
  for (const auto& plugin : *all)
    if (is_wanted(*plugin, method, is_rejit)) wanting.push_back(plugin);
  if (wanting.empty()) return {};
  if (const Status read = method.read(); !read) {
    say_once(method.full_name() + " is unchanged: " + read.message());
    return {};
  }
  method.graph()->may_make_baseline = true;
  for (const auto& plugin : wanting)
    if (failed(call(*plugin, "BeforeInstrumentMethod",
                    [&](Plugin& p) { return p.method->BeforeInstrumentMethod(&method, is_rejit); })))
      return {};
  method.graph()->may_make_baseline = false;
  for (const auto& plugin : wanting)
    if (failed(call(*plugin, "InstrumentMethod",
                    [&](Plugin& p) { return p.method->InstrumentMethod(&method, is_rejit); })))
      return {};
  Result<Rendered> rendered = method.render();
  if (!rendered) {
    say_once(method.full_name() + " is unchanged: " + rendered.message());
    return {};
  }
  rendered->map = through_points(method.graph()->baseline_points, rendered->map);
  if (Log& log = Log::of_process(); log.takes(kLogResults)) dump_method(method, *rendered, log);
  return {std::move(*rendered), false};
}

void Instrumenter::tell_complete(MethodInfo& method, bool is_rejit) {
  const Plugins::All all = engine_.plugins().all();
  for (const auto& plugin : *all)
    call(*plugin, "OnInstrumentationComplete",
         [&](Plugin& p) { return p.method->OnInstrumentationComplete(&method, is_rejit); });
}

// Hooks are called even if plug-ins change nothing.
void Instrumenter::let_hooks(Change& change, HookedBody& body, const std::function<void(coreclr::Guest&)>& tell) {
  Hooks::of_process().each([&](coreclr::Guest& hook) {
    tell(hook);
    body.accept_body(hook);
  });
  if (body.body().empty()) return;
  change.body.bytes.assign(body.body().begin(), body.body().end());
  change.body.map = body.map();
  change.is_none = false;
}

void Instrumenter::set_body(Compilation& compilation, const Change& change) {
  MethodInfo& method = *compilation.method.get();
  coreclr::UngatedProfilerInfo& runtime = engine_.runtime();
  const ModuleID module = method.module()->id();
  const uint8_t* body = coreclr::copy_into_module(runtime, module, change.body.bytes);
  if (body == nullptr || failed(runtime.SetILFunctionBody(module, method.token(), body))) {
    say_once(method.full_name() + " is unchanged: the runtime rejects its new body");
    return;
  }
  compilation.is_changed = true;
  compilation.map = change.body.map;
  if (!compilation.map.empty())
    runtime.SetILInstrumentedCodeMap(method.function(), 1, static_cast<uint32_t>(compilation.map.size()),
                                     copy_for_runtime(compilation.map));
  tell_complete(method, false);
}

// The previous entry is released after the lock, because plug-ins may have attached data to it.
void Instrumenter::remember_compiled(FunctionID function, Compilation compilation) {
  const std::lock_guard guard(lock_);
  std::swap(compiled_[function], compilation);
}

void Instrumenter::compile(FunctionID function, Bool safe) {
  const Hooks& hooks = Hooks::of_process();
  const auto tell = [&](coreclr::Guest& hook) {
    hook.call<coreclr::CallbackSlot::kJITCompilationStarted>(function, safe);
  };
  ModuleID id = 0;
  Token token = 0;
  const bool is_known = succeeded(engine_.runtime().GetFunctionInfo(function, nullptr, &id, &token)) && !is_nil(token);
  const ComPtr<ModuleInfo> module = is_known ? engine_.program().known_module(id) : ComPtr<ModuleInfo>();
  if (!module) return hooks.each(tell);
  Compilation compilation;
  compilation.method = make<MethodInfo>(module, token, function);
  MethodInfo& method = *compilation.method.get();
  Change change = ask(method, false);
  if (!hooks.empty()) {
    HookedBody body(*module.get(), token, change.body.bytes, change.body.map);
    let_hooks(change, body, tell);
  }
  if (!change.is_none) set_body(compilation, change);
  remember_compiled(function, std::move(compilation));
}

void Instrumenter::compile_dynamic(FunctionID function, std::span<const uint8_t> code) {
  Compilation compilation;
  compilation.method = dynamic_method(engine_.runtime(), function, code,
                                      [&](ModuleID module) { return engine_.program().known_module(module); });
  if (compilation.method) remember_compiled(function, std::move(compilation));
}

void Instrumenter::set_version(Compilation& compilation, const Change& change, uint32_t count,
                               coreclr::FunctionControl& control) {
  MethodInfo& method = *compilation.method.get();
  const std::vector<uint8_t>& bytes = change.body.bytes;
  if (failed(control.SetILFunctionBody(static_cast<uint32_t>(bytes.size()), bytes.data()))) {
    say_once(method.full_name() + " is unchanged: the runtime rejects its new version");
    return;
  }
  control.SetCodegenFlags(method.codegen_flags() | change.flags);
  compilation.is_changed = true;
  compilation.map = change.body.map;
  std::vector<IlMapEntry> map = change.body.map;
  if (!map.empty()) {
    map.push_back({kVersionMark, count, 1});
    control.SetILInstrumentedCodeMap(static_cast<uint32_t>(map.size()), copy_for_runtime(map));
  }
  tell_complete(method, true);
}

void Instrumenter::recompile(ModuleID id, Token token, coreclr::FunctionControl& control) {
  const Hooks& hooks = Hooks::of_process();
  const ComPtr<ModuleInfo> module = engine_.program().known_module(id);
  if (!module) return hooks.tell<coreclr::CallbackSlot::kGetReJITParameters>(id, token, &control);
  Compilation compilation;
  compilation.method = make<MethodInfo>(module, token, FunctionID{0});
  MethodInfo& method = *compilation.method.get();
  uint32_t count = 0;
  {
    const std::lock_guard guard(lock_);
    count = ++rejits_[{id, token}];
  }
  method.set_rejit_count(count);
  Change change = ask(method, true);
  if (!hooks.empty()) {
    HookedBody body(*module.get(), token, change.body.bytes, change.body.map);
    HookControl given(body);
    let_hooks(change, body, [&](coreclr::Guest& hook) {
      hook.call<coreclr::CallbackSlot::kGetReJITParameters>(id, token, static_cast<void*>(&given));
    });
    change.flags = given.flags();
  }
  if (!change.is_none) set_version(compilation, change, count, control);
  const std::lock_guard guard(lock_);
  std::swap(recompiled_[{id, token}], compilation);
}

Compilation Instrumenter::known(FunctionID function, bool is_rejit, bool ends) {
  ModuleID module = 0;
  Token token = 0;
  if (is_rejit) engine_.runtime().GetFunctionInfo(function, nullptr, &module, &token);
  Compilation found;
  {
    const std::lock_guard guard(lock_);
    if (is_rejit) {
      const auto at = recompiled_.find({module, token});  // other instantiations may follow
      if (at != recompiled_.end()) found = at->second;
    } else if (const auto at = compiled_.find(function); at != compiled_.end()) {
      found = at->second;
      if (ends) compiled_.erase(at);
    }
  }
  if (found.method && found.method->function() == function) return found;
  const ComPtr<ModuleInfo> known = engine_.program().known_module(is_rejit ? module : 0);
  if (known) found.method = make<MethodInfo>(known, token, function);
  return found;
}

void Instrumenter::module_unloading(ModuleID module) {
  const auto is_of = [&](const auto& entry) { return entry.first.first == module; };
  std::vector<Compilation> gone;  // released after the lock
  const std::lock_guard guard(lock_);
  for (auto& [key, compilation] : recompiled_)
    if (key.first == module) gone.push_back(std::move(compilation));
  std::erase_if(recompiled_, is_of);
  std::erase_if(rejits_, is_of);
}

}  // namespace oriel::plugins
