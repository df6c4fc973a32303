// Methods compiled and freed, and the callbacks in which their bodies are chosen.
#include "runtimes/coreclr/callbacks/callback_jit.h"

#include <algorithm>

#include "engine/engine.h"
#include "engine/filters.h"
#include "runtimes/coreclr/callbacks/callback.h"
#include "runtimes/coreclr/names/things.h"
#include "runtimes/coreclr/native_code.h"

namespace oriel::coreclr {

bool JitState::knows(const oriel_method* method) {
  const std::lock_guard lock(mutex_);
  return versions_.contains(method->id);
}

bool JitState::is_new(const oriel_method* method, uintptr_t version_start) {
  const std::lock_guard lock(mutex_);
  std::vector<uintptr_t>& known = versions_[method->id];
  if (std::find(known.begin(), known.end(), version_start) != known.end()) return false;
  known.push_back(version_start);
  return true;
}

void JitState::forget(const oriel_method* method) {
  const std::lock_guard lock(mutex_);
  versions_.erase(method->id);
}

HResult Callback::JITCompilationStarted(FunctionID function, Bool) {
  return guarded([&] {
    unload::back(function);
    oriel_method* method = reports_code() ? method_of(info(), function) : nullptr;
    const bool had_code = method != nullptr && (jit_.knows(method) || had_code_before_attach(function));
    ObservedCompilations::compilation_begins(method, had_code);
    if (method != nullptr) compilation_of(function, method);
    if (adapter_->instrumenter().compilations.is_observing())
      adapter_->instrumenter().bodies.before_compilation(function);
  });
}

HResult Callback::JITCompilationFinished(FunctionID function, HResult status, Bool) {
  return guarded([&] {
    if (ObservedCompilations::compilation_ends() && reports_code()) code_done(function, 0, status);
  });
}

// Called when probes or a rewritten body are added or removed, for each tier of that version.
HResult Callback::ReJITCompilationStarted(FunctionID function, ReJITID, Bool) {
  return guarded([&] {
    oriel_method* method = reports_code() ? method_of(info(), function) : nullptr;
    ObservedCompilations::compilation_begins(method, true);
    if (method != nullptr) compilation_of(function, method);
  });
}

HResult Callback::ReJITCompilationFinished(FunctionID function, ReJITID version, HResult status, Bool) {
  return guarded([&] {
    if (ObservedCompilations::compilation_ends() && reports_code()) code_done(function, version, status);
  });
}

HResult Callback::DynamicMethodJITCompilationStarted(FunctionID function, Bool, const uint8_t*, uint32_t) {
  return guarded([&] {
    ObservedCompilations::compilation_begins(find_method(function), false);
    unload::back(function);
    if (is_wanted(oriel_event_jit_begin)) raise_jit_begin(method_of(info(), function));
  });
}

HResult Callback::DynamicMethodJITCompilationFinished(FunctionID function, HResult status, Bool) {
  return guarded([&] {
    if (ObservedCompilations::compilation_ends() && reports_code()) code_done(function, 0, status);
  });
}

HResult Callback::DynamicMethodUnloaded(FunctionID function) {
  return guarded([&] {
    oriel_method* method = find_method(function);
    if (method == nullptr && is_wanted(oriel_event_method_free)) method = method_of(info(), function);
    if (method != nullptr) {
      before_unload(method);
      raise_method_free(method);
      after_unload(method);
      jit_.forget(method);
    }
    unload::gone(function);
    unload::wait_for_questions_in_cooperative_mode();
  });
}

HResult Callback::JITCachedFunctionSearchStarted(FunctionID function, Bool* use) {
  return guarded([&] {
    if (adapter_->follows_compilations() && adapter_->instrumenter().inlining.refuses_precompiled(function)) *use = 0;
    if (adapter_->quiet_ends().refuses_precompiled(function)) *use = 0;
  });
}

HResult Callback::JITCachedFunctionSearchFinished(FunctionID function, uint32_t result) {
  constexpr uint32_t kFound = 0;  // corprof.idl: COR_PRF_CACHED_FUNCTION_FOUND
  return guarded([&] {
    if (result == kFound) adapter_->precompiled().is_used(function);
  });
}

HResult Callback::JITInlining(FunctionID caller, FunctionID callee, Bool* may) {
  return guarded([&] {
    Instrumenter& instrumenter = adapter_->instrumenter();
    if (!instrumenter.compilations.is_observing()) return;
    if (instrumenter.inlining.may_inline(callee)) {
      instrumenter.inliners.note(caller, callee);
    } else {
      *may = 0;
    }
  });
}

HResult Callback::GetReJITParameters(ModuleID module, Token method, void* control) {
  return guarded([&] {
    adapter_->instrumenter().bodies.give_rejit_body({module, method}, *static_cast<FunctionControl*>(control));
  });
}

void Callback::default_changed(const MethodKey& key) {
  guarded([&] { adapter_->instrumenter().bodies.base_changed(key); });
}

void Callback::on_managed_session() {
  guarded([&] { adapter_->remove_exit_waits(); });
}

HResult Callback::ReJITError(ModuleID module, Token method, FunctionID, HResult) {
  return guarded([&] { adapter_->instrumenter().refilter.rejit_failed({module, method}); });
}

// Otherwise each method would get a record that lives as long as the process, and its code would be queried and stored.
// So this is done only for listeners.
bool Callback::reports_code() const {
  return adapter_->wants_code_map() || is_wanted(oriel_event_jit_begin) || is_wanted(oriel_event_jit_done) ||
         is_wanted(oriel_event_jit_failed) || is_wanted(oriel_event_method_free);
}

bool Callback::had_code_before_attach(FunctionID function) const {
  return adapter_->is_attached() && !code_versions(info(), function, 0).empty();
}

void Callback::compilation_of(FunctionID function, oriel_method* method) {
  // Code that exists before the method's first compilation is precompiled.
  if (!jit_.knows(method)) {
    for (const uintptr_t start : code_versions(info(), function, 0)) jit_.is_new(method, start);
  }
  raise_jit_begin(method);
}

void Callback::code_done(FunctionID function, ReJITID version, HResult status) {
  oriel_method* method = method_of(info(), function);
  if (method == nullptr) return;
  if (failed(status)) {
    raise_jit_failed(method);
    return;
  }
  uintptr_t new_version = 0;
  for (const CodeRegion& region : code_regions(info(), function, version)) {
    if (region.version_start != new_version && !jit_.is_new(method, region.version_start)) continue;
    new_version = region.version_start;
    code_added(method, region.code.start, region.code.size);
    raise_jit_done(method, reinterpret_cast<const void*>(region.code.start), region.code.size);
  }
}

}  // namespace oriel::coreclr
