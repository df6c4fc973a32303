#include "runtimes/coreclr/guests/bodies/rejit_layers.h"

#include <algorithm>

#include "runtimes/coreclr/unload_gate.h"

namespace oriel::coreclr {

HResult RejitLayers::request(const Guest& guest, std::optional<uint32_t> flags, uint32_t count, ModuleID* modules,
                             Token* methods) {
  if ((guest.mask().low & kEnableReJit) == 0) return kReJitNotEnabled;
  std::vector<MethodKey> added;
  if (modules != nullptr && methods != nullptr) {
    const std::lock_guard guard(lock_);
    if (flags && (*flags & kReJitInliningCallbacks)) {
      inliner_requesters_ |= guest.bit();
      ++inliner_requests_;
    }
    for (uint32_t i = 0; i < count; ++i) {
      Method& method = methods_[{modules[i], methods[i]}];
      if ((method.requesters & guest.bit()) == 0) added.push_back({modules[i], methods[i]});
      method.requesters |= guest.bit();
      method.with_inliners |= flags.has_value();
      method.flags |= flags.value_or(0);
      method.requested_at = inliner_requests_;
    }
    if (flags) requesters_with_inliners_ |= guest.bit();
  }
  // Callers that are recompiled lose the versions that others made of them, unless those guests are asked again.
  const uint32_t with_callers =
      flags.value_or(0) | (flags && (*flags & kReJitBlockInlining) ? kReJitInliningCallbacks : 0);
  const HResult result = flags ? runtime_.at_own_risk().RequestReJITWithInliners(with_callers, count, modules, methods)
                               : runtime_.at_own_risk().RequestReJIT(count, modules, methods);
  if (succeeded(result)) return result;
  const std::lock_guard guard(lock_);
  for (const MethodKey& key : added) methods_[key].requesters &= ~guest.bit();
  return result;
}

RejitLayers::Remaining RejitLayers::withdraw(const Guest& guest, const MethodKey& key) {
  const std::lock_guard guard(lock_);
  const auto found = methods_.find(key);
  if (found == methods_.end()) return {};
  const bool had = (found->second.requesters & guest.bit()) != 0;
  found->second.requesters &= ~guest.bit();
  return {found->second.requesters != 0, had};
}

HResult RejitLayers::revert(const Guest& guest, uint32_t count, ModuleID* modules, Token* methods, HResult* results) {
  if ((guest.mask().low & kEnableReJit) == 0) return kReJitNotEnabled;
  if (count == 0 || modules == nullptr || methods == nullptr)
    return runtime_.at_own_risk().RequestRevert(count, modules, methods, results);
  Several gone, kept;
  for (uint32_t i = 0; i < count; ++i) {
    const Remaining left = withdraw(guest, {modules[i], methods[i]});
    if (results != nullptr) results[i] = kOk;
    // The guest never requested the method: others lose nothing, and the runtime's answer is passed on.
    if (left.others && !left.had) continue;
    (left.others ? kept : gone).add(modules[i], methods[i], i);
  }
  return give_up(gone, kept, results);
}

HResult RejitLayers::give_up(const Several& gone, const Several& kept, HResult* results) {
  const HResult result = request_again(kept);
  if (gone.at.empty()) return result;
  std::vector<HResult> each(gone.at.size());
  const HResult reverted = runtime_.at_own_risk().RequestRevert(static_cast<uint32_t>(gone.at.size()),
                                                                const_cast<ModuleID*>(gone.modules.data()),
                                                                const_cast<Token*>(gone.methods.data()), each.data());
  for (size_t i = 0; results != nullptr && i < each.size(); ++i) results[gone.at[i]] = each[i];
  request_again(asked_for_since(gone));
  return failed(result) ? result : reverted;
}

bool RejitLayers::has_any_of(const Guest& guest) {
  const std::lock_guard guard(lock_);
  return std::ranges::any_of(methods_, [&](const auto& entry) { return (entry.second.requesters & guest.bit()) != 0; });
}

// Not called by a guest, so modules that are being unloaded are left alone.
void RejitLayers::leave_out(const Guest& guest) {
  const Held held;
  Several gone, kept;
  {
    const std::lock_guard guard(lock_);
    for (auto& [key, method] : methods_) {
      if ((method.requesters & guest.bit()) == 0) continue;
      method.requesters &= ~guest.bit();
      if (held.is_gone(key.module)) continue;
      (method.requesters != 0 ? kept : gone).add(key.module, key.token, 0);
    }
    inliner_requesters_ &= ~guest.bit();
    requesters_with_inliners_ &= ~guest.bit();
  }
  give_up(gone, kept, nullptr);
}

// Another thread's request may have reached the runtime just before the revert.
RejitLayers::Several RejitLayers::asked_for_since(const Several& reverted) {
  Several again;
  const std::lock_guard guard(lock_);
  for (size_t i = 0; i < reverted.at.size(); ++i) {
    const auto found = methods_.find({reverted.modules[i], reverted.methods[i]});
    if (found != methods_.end() && found->second.requesters != 0)
      again.add(reverted.modules[i], reverted.methods[i], reverted.at[i]);
  }
  return again;
}

// With inliners if any request was: the runtime knows which callers have the old version inlined.
HResult RejitLayers::request_again(const Several& kept) {
  if (kept.at.empty()) return kOk;
  uint32_t flags = 0;
  bool with_inliners = false;
  {
    const std::lock_guard guard(lock_);
    for (size_t i = 0; i < kept.at.size(); ++i) {
      Method& method = methods_[{kept.modules[i], kept.methods[i]}];
      method.requested_at = inliner_requests_;
      flags |= method.flags;
      with_inliners |= method.with_inliners;
    }
  }
  const auto count = static_cast<uint32_t>(kept.at.size());
  auto* modules = const_cast<ModuleID*>(kept.modules.data());
  auto* methods = const_cast<Token*>(kept.methods.data());
  if ((flags & kReJitBlockInlining) != 0) flags |= kReJitInliningCallbacks;
  return with_inliners ? runtime_.at_own_risk().RequestReJITWithInliners(flags, count, modules, methods)
                       : runtime_.at_own_risk().RequestReJIT(count, modules, methods);
}

uint32_t RejitLayers::requesters(const MethodKey& key) {
  const std::lock_guard guard(lock_);
  const auto found = methods_.find(key);
  return found == methods_.end() ? 0 : found->second.requesters;
}

uint32_t RejitLayers::guests_to_ask(const MethodKey& key, bool is_new) {
  const std::lock_guard guard(lock_);
  const auto found = methods_.find(key);
  const uint64_t requested_at = found == methods_.end() ? 0 : found->second.requested_at;
  const bool was_requested = requested_at == inliner_requests_ || (is_new && requested_at != 0);
  if (found != methods_.end()) found->second.requested_at = 0;
  if (was_requested || inliner_requesters_ == 0) return found == methods_.end() ? 0 : found->second.requesters;
  return methods_[key].requesters |= inliner_requesters_;
}

uint32_t RejitLayers::requesters_with_inliners() {
  const std::lock_guard guard(lock_);
  return requesters_with_inliners_;
}

void RejitLayers::module_unloading(ModuleID module) {
  const std::lock_guard guard(lock_);
  std::erase_if(methods_, [&](const auto& entry) { return entry.first.module == module; });
}

}  // namespace oriel::coreclr
