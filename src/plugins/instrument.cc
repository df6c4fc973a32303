#include "plugins/instrument.h"

#include <cstring>

#include "plugins/dump.h"
#include "plugins/log.h"

namespace oriel::plugins {
namespace {

// What debuggers find at the end of a ReJIT's map: by it they tell versions apart.
constexpr uint32_t kVersionMark = 0xfeefee;

// Those of a baseline's sequence points, where CreateBaseline told some; else as they are.
std::vector<IlMapEntry> through_points(const std::vector<IlMapEntry>& points, const std::vector<IlMapEntry>& map) {
  if (points.empty()) return map;
  std::vector<IlMapEntry> kept;
  for (const IlMapEntry& entry : map)
    for (const IlMapEntry& point : points)
      if (point.new_offset == entry.old_offset) kept.push_back({point.old_offset, entry.new_offset, entry.accurate});
  return kept;
}

// The runtime takes the memory for its own.
coreclr::IlMapEntry* copy_for_runtime(const std::vector<IlMapEntry>& map) {
  static_assert(sizeof(IlMapEntry) == sizeof(coreclr::IlMapEntry));
  return reinterpret_cast<coreclr::IlMapEntry*>(const_cast<IlMapEntry*>(map.data()));
}

}  // namespace

bool Instrumenter::is_wanted(Plugin& plugin, MethodInfo& method, bool is_rejit) {
  Bool wanted = 0;
  call(plugin, "ShouldInstrumentMethod",
       [&](Plugin& p) { return p.method->ShouldInstrumentMethod(&method, is_rejit, &wanted); });
  return wanted != 0;
}

// One that fails leaves the method as it was: what others did to it is in the same graph.
Instrumenter::Change Instrumenter::ask(MethodInfo& method, bool is_rejit) {
  const Plugins::All all = engine_.plugins().all();
  std::vector<std::shared_ptr<Plugin>> wanting;
  for (const auto& plugin : *all)
    if (is_wanted(*plugin, method, is_rejit)) wanting.push_back(plugin);
  if (wanting.empty()) return {};
  Log& log = Log::of_process();
  if (const Status read = method.read(); !read) {
    log.error(method.full_name() + " is left as it is: " + read.message());
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
    log.error(method.full_name() + " is left as it is: " + rendered.message());
    return {};
  }
  rendered->map = through_points(method.graph()->baseline_points, rendered->map);
  if ((log.flags() & kLogResults) != 0) dump_method(method, *rendered, log);
  return {std::move(*rendered), false};
}

void Instrumenter::tell_complete(MethodInfo& method, bool is_rejit) {
  const Plugins::All all = engine_.plugins().all();
  for (const auto& plugin : *all)
    call(*plugin, "OnInstrumentationComplete",
         [&](Plugin& p) { return p.method->OnInstrumentationComplete(&method, is_rejit); });
}

HResult Instrumenter::set_body(MethodInfo& method, const Rendered& body) {
  coreclr::ProfilerInfo& runtime = engine_.runtime();
  const ModuleID module = method.module()->id();
  ComPtr<coreclr::MethodMalloc> memory;
  HResult result = runtime.GetILFunctionBodyAllocator(module, reinterpret_cast<void**>(memory.receive()));
  if (failed(result)) return result;
  void* bytes = memory->Alloc(static_cast<uint32_t>(body.bytes.size()));
  if (bytes == nullptr) return kOutOfMemory;
  std::memcpy(bytes, body.bytes.data(), body.bytes.size());
  result = runtime.SetILFunctionBody(module, method.token(), static_cast<const uint8_t*>(bytes));
  if (failed(result) || body.map.empty()) return result;
  return runtime.SetILInstrumentedCodeMap(method.function(), 1, static_cast<uint32_t>(body.map.size()),
                                          copy_for_runtime(body.map));
}

void Instrumenter::compile(FunctionID function) {
  ModuleID id = 0;
  Token token = 0;
  if (failed(engine_.runtime().GetFunctionInfo(function, nullptr, &id, &token)) || token == 0) return;
  const ComPtr<ModuleInfo> module = engine_.program().known_module(id);
  if (!module) return;
  Compilation compilation;
  compilation.method = make<MethodInfo>(module, token, function);
  Change change = ask(*compilation.method.get(), false);
  if (!change.is_none) {
    const HResult result = set_body(*compilation.method.get(), change.body);
    compilation.is_changed = succeeded(result);
    compilation.map = std::move(change.body.map);
    if (succeeded(result)) tell_complete(*compilation.method.get(), false);
  }
  const std::lock_guard guard(lock_);
  compiled_[function] = std::move(compilation);
}

void Instrumenter::recompile(ModuleID id, Token token, coreclr::FunctionControl& control) {
  const ComPtr<ModuleInfo> module = engine_.program().known_module(id);
  if (!module) return;
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
  if (!change.is_none) {
    const std::vector<uint8_t>& bytes = change.body.bytes;
    const HResult result = control.SetILFunctionBody(static_cast<uint32_t>(bytes.size()), bytes.data());
    if (succeeded(result)) control.SetCodegenFlags(method.codegen_flags());
    compilation.is_changed = succeeded(result);
    compilation.map = change.body.map;
    std::vector<IlMapEntry> map = std::move(change.body.map);
    if (!map.empty()) {
      map.push_back({kVersionMark, count, 1});
      control.SetILInstrumentedCodeMap(static_cast<uint32_t>(map.size()), copy_for_runtime(map));
    }
    if (succeeded(result)) tell_complete(method, true);
  }
  const std::lock_guard guard(lock_);
  recompiled_[{id, token}] = std::move(compilation);
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
  std::vector<Compilation> gone;  // released once the lock is
  const std::lock_guard guard(lock_);
  for (auto& [key, compilation] : recompiled_)
    if (key.first == module) gone.push_back(std::move(compilation));
  std::erase_if(recompiled_, is_of);
  std::erase_if(rejits_, is_of);
}

}  // namespace oriel::plugins
