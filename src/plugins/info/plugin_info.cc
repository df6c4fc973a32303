#include "plugins/info/plugin_info.h"

#include "plugins/hooks/hooked_body.h"
#include "plugins/log.h"
#include "runtimes/coreclr/guests/bodies/body_size.h"
#include "runtimes/coreclr/instrument/body_check.h"

namespace oriel::plugins {

using coreclr::InfoSlot;
using coreclr::SlotTag;

HResult PluginInfo::query(const Guid& id, void** object) {
  if (object == nullptr) return kPointerError;
  *object = nullptr;
  IUnknown* same = nullptr;  // whether the runtime has that version
  const HResult result = engine_.runtime().QueryInterface(id, reinterpret_cast<void**>(&same));
  if (failed(result)) return result;
  same->Release();
  bool is_ours = id == kIUnknownId;
  for (const coreclr::InterfaceVersion& version : coreclr::kInfoVersions) is_ours |= version.id == id;
  if (!is_ours) return kNoInterface;
  add_reference();
  *object = this;
  return kOk;
}

// Event masks.

HResult PluginInfo::set_mask(const EventMask& wanted) {
  return kind_ == Kind::kHook ? engine_.masks().set(this, wanted) : engine_.masks().add(this, wanted);
}

HResult PluginInfo::answer(SlotTag<InfoSlot::kGetEventMask>, uint32_t* low) {
  if (low == nullptr) return kPointerError;
  *low = engine_.masks().all().low;
  return kOk;
}

HResult PluginInfo::answer(SlotTag<InfoSlot::kSetEventMask>, uint32_t low) { return set_mask({low, 0}); }

HResult PluginInfo::answer(SlotTag<InfoSlot::kGetEventMask2>, uint32_t* low, uint32_t* high) {
  if (low == nullptr || high == nullptr) return kPointerError;
  const EventMask all = engine_.masks().all();
  *low = all.low;
  *high = all.high;
  return kOk;
}

HResult PluginInfo::answer(SlotTag<InfoSlot::kSetEventMask2>, uint32_t low, uint32_t high) {
  return set_mask({low, high});
}

// Method bodies.

HResult PluginInfo::answer(SlotTag<InfoSlot::kGetILFunctionBody>, ModuleID module, Token method, const uint8_t** body,
                           uint32_t* size) {
  const HookedBody* const hooked = HookedBody::of_thread(module, method);
  if (hooked == nullptr || hooked->shown().empty())
    return engine_.runtime().GetILFunctionBody(module, method, body, size);
  if (body != nullptr) *body = hooked->shown().data();
  if (size != nullptr) *size = static_cast<uint32_t>(hooked->shown().size());
  return kOk;
}

HResult PluginInfo::refuse(ModuleID module, Token method, const std::string& why) {
  const ComPtr<ModuleInfo> known = engine_.program().known_module(module);
  char token[16];
  std::snprintf(token, sizeof token, "%08x", method);
  say_once("a body of method " + std::string(token) + (known ? " of " + known->name() : "") + " is refused: " + why);
  return kInvalidArgument;
}

// While the method is being compiled, the body is checked when the hook returns; otherwise at once.
HResult PluginInfo::answer(SlotTag<InfoSlot::kSetILFunctionBody>, ModuleID module, Token method, const uint8_t* body) {
  if (body == nullptr) return engine_.runtime().SetILFunctionBody(module, method, body);
  const std::span<const uint8_t> whole(body, coreclr::body_size(body));
  if (whole.empty()) return refuse(module, method, "it is none");
  if (HookedBody* const hooked = HookedBody::of_thread(module, method)) {
    hooked->set(whole);
    return kOk;
  }
  const coreclr::ModuleMetadata metadata = ModuleInfo(engine_.runtime(), module).metadata();
  const auto definition = metadata.is_open() ? metadata.definition(method) : std::nullopt;
  if (definition)
    if (const Status sound = check_body(metadata, *definition, whole); !sound)
      return refuse(module, method, sound.message());
  const HResult result = engine_.runtime().SetILFunctionBody(module, method, body);
  if (const ComPtr<ModuleInfo> known = engine_.program().known_module(module); known && succeeded(result))
    known->set_original_body(method, whole);
  return result;
}

HResult PluginInfo::answer(SlotTag<InfoSlot::kSetILInstrumentedCodeMap>, FunctionID function, Bool start,
                           uint32_t count, coreclr::IlMapEntry* map) {
  ModuleID module = 0;
  Token method = 0;
  if (map != nullptr && succeeded(engine_.runtime().GetFunctionInfo(function, nullptr, &module, &method)))
    if (HookedBody* const hooked = HookedBody::of_thread(module, method)) {
      hooked->set_map({reinterpret_cast<const IlMapEntry*>(map), count});
      return kOk;
    }
  return engine_.runtime().SetILInstrumentedCodeMap(function, start, count, map);
}

}  // namespace oriel::plugins
