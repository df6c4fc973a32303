#include "runtimes/coreclr/instrument/inliners.h"

#include <algorithm>
#include <vector>

#include "engine/filters.h"

namespace oriel::coreclr {

void InlinerLists::note(FunctionID caller, FunctionID callee) {
  if (!has_rewriters()) return missed_.store(true, std::memory_order_relaxed);
  const std::optional<SiteKey> from = key_of(info_, caller), to = key_of(info_, callee);
  if (!from || !to) return;
  const std::lock_guard guard(lock_);
  callers_[*to].insert(*from);
}

// The methods that were allowed to inline it, and those that were allowed to inline these, and so on.
InlinerLists::Keys InlinerLists::compiled_with(const SiteKey& method) {
  Keys found;
  std::vector<SiteKey> open = {method};
  const std::lock_guard guard(lock_);
  while (!open.empty()) {
    const auto known = callers_.find(open.back());
    open.pop_back();
    if (known == callers_.end()) continue;
    for (const SiteKey& caller : known->second)
      if (found.insert(caller).second) open.push_back(caller);
  }
  return found;
}

Inliners InlinerLists::of(const SiteKey& method) {
  Keys found = compiled_with(method);
  Inliners answer;
  bool all_heard = !missed_.load(std::memory_order_relaxed) && compilations_.is_observing() && has_rewriters();
  for (const ModuleID module : modules_.all()) {
    modules_.while_loaded(module, [&] {
      if (!add_precompiled(module, method, found)) answer.unknown |= ORIEL_INLINERS_PRECOMPILED;
      all_heard = all_heard && compilations_.all_of(module);
    });
  }
  if (!all_heard) answer.unknown |= ORIEL_INLINERS_BEFORE;
  for (const SiteKey& key : found) {
    const ModuleMetadata metadata = modules_.metadata(key.module);
    const auto definition = metadata.is_open() ? metadata.definition(key.token) : std::nullopt;
    if (!definition) continue;
    if (oriel_method* record = sites_.record_of(key, metadata, definition->type, 0)) answer.methods.push_back(record);
  }
  std::ranges::sort(answer.methods, {}, [](const oriel_method* it) { return it->id; });
  return answer;
}

// For precompiled code the runtime lists the inliners at any depth. False if the list is incomplete.
bool InlinerLists::add_precompiled(ModuleID in, const SiteKey& method, Keys& found) {
  ComPtr<MethodEnum> methods;
  Bool incomplete = 0;
  const HResult told = info_.EnumNgenModuleMethodsInliningThisMethod(
      Held(), in, method.module, method.token, &incomplete, reinterpret_cast<void**>(methods.receive()));
  if (failed(told) || !methods) return false;
  MethodOfModule inliner{};
  uint32_t fetched = 0;
  while (methods->Next(1, &inliner, &fetched) == kOk && fetched == 1) found.insert({inliner.module, inliner.token});
  return incomplete == 0;
}

void InlinerLists::module_unloading(ModuleID module) {
  const std::lock_guard guard(lock_);
  std::erase_if(callers_, [&](const auto& item) { return item.first.module == module; });
  for (auto& [callee, callers] : callers_)
    std::erase_if(callers, [&](const SiteKey& key) { return key.module == module; });
}

}  // namespace oriel::coreclr
