#include "runtimes/coreclr/guests/rejit_layers.h"

#include "runtimes/coreclr/guests/captured_version.h"
#include "runtimes/coreclr/guests/il_map.h"
#include "runtimes/coreclr/rejit_base.h"

namespace oriel::coreclr {
namespace {

constexpr HResult kNoSuchRequest = static_cast<HResult>(0x80131376);  // CORPROF_E_ACTIVE_REJIT_REQUEST_NOT_FOUND

}  // namespace

HResult RejitLayers::request(const Guest& guest, std::optional<uint32_t> flags, uint32_t count, ModuleID* modules,
                             Token* methods) {
  std::vector<MethodKey> added;
  if (modules != nullptr && methods != nullptr) {
    const std::lock_guard guard(lock_);
    for (uint32_t i = 0; i < count; ++i) {
      Method& method = methods_[{modules[i], methods[i]}];
      if ((method.askers & guest.bit()) == 0) added.push_back({modules[i], methods[i]});
      method.askers |= guest.bit();
      method.with_inliners |= flags.has_value();
      method.flags |= flags.value_or(0);
    }
    if (flags && (*flags & kReJitInliningCallbacks)) asked_for_inliners_ |= guest.bit();
  }
  const HResult result = flags ? runtime_.RequestReJITWithInliners(*flags, count, modules, methods)
                               : runtime_.RequestReJIT(count, modules, methods);
  if (succeeded(result)) return result;
  const std::lock_guard guard(lock_);
  for (const MethodKey& key : added) methods_[key].askers &= ~guest.bit();
  return result;
}

HResult RejitLayers::take_back(const Guest& guest, const MethodKey& key, bool& others) {
  const std::lock_guard guard(lock_);
  const auto found = methods_.find(key);
  if (found == methods_.end() || (found->second.askers & guest.bit()) == 0) return kNoSuchRequest;
  found->second.askers &= ~guest.bit();
  others = found->second.askers != 0;
  return kOk;
}

HResult RejitLayers::revert(const Guest& guest, uint32_t count, ModuleID* modules, Token* methods, HResult* results) {
  if (count == 0 || modules == nullptr || methods == nullptr)
    return runtime_.RequestRevert(count, modules, methods, results);
  Reverts gone, kept;
  for (uint32_t i = 0; i < count; ++i) {
    bool others = false;
    const HResult result = take_back(guest, {modules[i], methods[i]}, others);
    if (results != nullptr) results[i] = result;
    if (failed(result)) continue;
    Reverts& to = others ? kept : gone;
    to.modules.push_back(modules[i]);
    to.methods.push_back(methods[i]);
    to.at.push_back(i);
  }
  HResult result = request_again(kept);
  if (gone.at.empty()) return result;
  std::vector<HResult> each(gone.at.size());
  const HResult reverted = runtime_.RequestRevert(static_cast<uint32_t>(gone.at.size()), gone.modules.data(),
                                                  gone.methods.data(), each.data());
  for (size_t i = 0; results != nullptr && i < each.size(); ++i) results[gone.at[i]] = each[i];
  return failed(result) ? result : reverted;
}

// With inliners wherever one request was so: the runtime knows which callers have the old version's code in theirs.
HResult RejitLayers::request_again(const Reverts& kept) {
  if (kept.at.empty()) return kOk;
  uint32_t flags = 0;
  bool with_inliners = false;
  {
    const std::lock_guard guard(lock_);
    for (size_t i = 0; i < kept.at.size(); ++i) {
      const Method& method = methods_[{kept.modules[i], kept.methods[i]}];
      flags |= method.flags;
      with_inliners |= method.with_inliners;
    }
  }
  const auto count = static_cast<uint32_t>(kept.at.size());
  auto* modules = const_cast<ModuleID*>(kept.modules.data());
  auto* methods = const_cast<Token*>(kept.methods.data());
  return with_inliners ? runtime_.RequestReJITWithInliners(flags, count, modules, methods)
                       : runtime_.RequestReJIT(count, modules, methods);
}

uint32_t RejitLayers::askers(const MethodKey& key) {
  const std::lock_guard guard(lock_);
  const auto found = methods_.find(key);
  return found == methods_.end() ? 0 : found->second.askers;
}

uint32_t RejitLayers::asked_for_inliners() {
  const std::lock_guard guard(lock_);
  return asked_for_inliners_;
}

void RejitLayers::module_unloading(ModuleID module) {
  const std::lock_guard guard(lock_);
  std::erase_if(methods_, [&](const auto& entry) { return entry.first.module == module; });
}

void make_version(std::span<Guest* const> guests, uint32_t asked, const MethodKey& key, std::span<const uint8_t> base,
                  FunctionControl& control) {
  std::vector<ComPtr<CapturedVersion>> made;
  std::vector<IlMapEntry> map;
  uint32_t flags = 0;
  bool changed = false;
  RejitBase so_far(key, base);
  for (Guest* guest : guests) {
    // Oriel is always asked: what its probes are on may be compiled anew for others.
    if ((asked & guest->bit()) == 0 && !guest->is_oriel()) continue;
    made.emplace_back(new CapturedVersion);
    CapturedVersion& version = *made.back().get();
    guest->call<CallbackSlot::kGetReJITParameters>(key.module, key.token, static_cast<void*>(&version));
    version.close();
    flags |= version.flags();
    if (version.body().empty()) continue;
    changed = true;
    so_far.set(version.body());
    map = compose(map, version.map());
  }
  if (flags != 0) control.SetCodegenFlags(flags);
  if (!changed) return;
  control.SetILFunctionBody(static_cast<uint32_t>(so_far.body().size()), so_far.body().data());
  if (!map.empty()) control.SetILInstrumentedCodeMap(static_cast<uint32_t>(map.size()), map.data());
}

}  // namespace oriel::coreclr
