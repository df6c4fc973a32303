#include "runtimes/mono/call_values.h"

#include <mutex>
#include <shared_mutex>
#include <unordered_map>
#include <utility>

#include "engine/plain_kind.h"
#include "il/signature.h"
#include "metadata/signature.h"
#include "runtimes/mono/image_metadata.h"
#include "runtimes/mono/names.h"
#include "runtimes/mono/things.h"

namespace oriel::mono {
namespace {

// `this`, the arguments, the result.
constexpr uint32_t kThisSlot = 0, kFirstArgument = 1;

uint32_t size_of(MonoType* type) {
  int alignment = 0;
  return api.mono_type_is_reference(type) ? sizeof(void*) : static_cast<uint32_t>(api.mono_type_size(type, &alignment));
}

// `written` is the type in the metadata, `type` what it stands for in this instantiation.
CallValue value_of(std::span<const uint8_t> written, MonoType* type, uint32_t slot, const std::string& name) {
  const PlainKind plain = plain_kind(il::without_modifiers(written));
  if (plain.kind != ORIEL_VALUE_NONE) return {plain.kind, plain.size, slot, lasting_text(name)};
  return {ORIEL_VALUE_STRUCT, size_of(type), slot, lasting_text(name)};
}

CallValue this_of(MonoMethod* method) {
  MonoClass* const klass = api.mono_method_get_class(method);
  if (!api.mono_class_is_valuetype(klass)) return {ORIEL_VALUE_OBJECT, sizeof(void*), kThisSlot, nullptr};
  uint32_t alignment = 0;
  return {ORIEL_VALUE_STRUCT, static_cast<uint32_t>(api.mono_class_value_size(klass, &alignment)), kThisSlot, nullptr};
}

// nullptr if the metadata does not tell, or there are too many values.
const CallLayout* made_layout(MonoMethod* method) {
  MonoImage* const image = api.mono_class_get_image(api.mono_method_get_class(method));
  const uint32_t token = api.mono_method_get_token(method);
  if (token == 0 || !has_metadata(image)) return nullptr;
  const auto signature = metadata::decode_method_signature(method_signature(image, token));
  const auto types = il::read_method_types(method_signature(image, token));
  MonoMethodSignature* const of_mono = api.mono_method_signature(method);
  if (!signature || !types || !of_mono || types->parameters.size() + 2 > kMaxSlots) return nullptr;
  const SignatureNames names = names_in_signature(image, token, *signature);
  CallLayout layout;
  if (signature->has_this) layout.self = this_of(method);
  void* iterator = nullptr;
  uint32_t slot = kFirstArgument;
  for (size_t i = 0; i < types->parameters.size(); ++i) {
    MonoType* const type = api.mono_signature_get_params(of_mono, &iterator);
    if (!type) return nullptr;
    layout.arguments.push_back(value_of(types->parameters[i], type, slot++, names.parameters[i]));
  }
  if (signature->result.kind != Element::kVoid)
    layout.result = value_of(types->result, api.mono_signature_get_return_type(of_mono), slot++, names.result);
  layout.slots = slot;
  return lasting_layout(std::move(layout));
}

// By method: records are never used again.
struct Known {
  std::shared_mutex lock;  // guards the rest
  std::unordered_map<const oriel_method*, uint32_t> calls;
  std::unordered_map<const oriel_method*, const CallLayout*> layouts;
};

// Never destroyed.
Known& known() {
  static auto* const made = new Known;
  return *made;
}

const CallLayout* layout_of(MonoMethod* method, const oriel_method& record) {
  Known& all = known();
  {
    const std::shared_lock guard(all.lock);
    if (const auto found = all.layouts.find(&record); found != all.layouts.end()) return found->second;
  }
  const CallLayout* const made = made_layout(method);
  const std::lock_guard guard(all.lock);
  return all.layouts.try_emplace(&record, made).first->second;
}

}  // namespace

bool set_wanted_calls(const oriel_method& record, uint32_t calls) {
  Known& all = known();
  const std::lock_guard guard(all.lock);
  if (calls == 0) return all.calls.erase(&record) != 0;
  const auto [at, is_new] = all.calls.try_emplace(&record, calls);
  return !is_new && std::exchange(at->second, calls) != calls;
}

uint32_t wanted_calls(const oriel_method& record) {
  Known& all = known();
  const std::shared_lock guard(all.lock);
  const auto found = all.calls.find(&record);
  return found == all.calls.end() ? 0 : found->second;
}

void forget_calls(const oriel_image& image) {
  const auto is_of_image = [&](const auto& it) { return it.first->image == &image; };
  Known& all = known();
  const std::lock_guard guard(all.lock);
  std::erase_if(all.calls, is_of_image);
  std::erase_if(all.layouts, is_of_image);
}

CallValues::CallValues(MonoMethod* method, oriel_method& record, MonoProfilerCallContext* of_mono, bool has_result) {
  if (!of_mono) return;
  const CallLayout* const layout = layout_of(method, record);
  if (!layout) return;
  const auto keep = [&](uint32_t slot, void* copy) { slots_[slot] = reinterpret_cast<uintptr_t>(copy); };
  if (layout->self.slot != kNoSlot) {
    this_copy_ = api.mono_profiler_call_context_get_this(of_mono);
    keep(kThisSlot, this_copy_);
    // A struct's method is given its address, of which Mono makes the copy.
    if (layout->self.kind == ORIEL_VALUE_STRUCT && this_copy_) keep(kThisSlot, *static_cast<void**>(this_copy_));
  }
  for (uint32_t i = 0; i < layout->arguments.size(); ++i)
    keep(kFirstArgument + i, api.mono_profiler_call_context_get_argument(of_mono, i));
  if (has_result && layout->result.slot != kNoSlot)
    keep(layout->result.slot, api.mono_profiler_call_context_get_result(of_mono));
  context_.layout = layout;
}

CallValues::~CallValues() {
  if (!context_.layout) return;
  if (this_copy_) api.mono_profiler_call_context_free_buffer(this_copy_);
  for (uint32_t slot = kFirstArgument; slot < context_.layout->slots; ++slot)
    if (slots_[slot] != 0) api.mono_profiler_call_context_free_buffer(reinterpret_cast<void*>(slots_[slot]));
}

}  // namespace oriel::mono
