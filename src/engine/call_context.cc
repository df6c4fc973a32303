#include "engine/call_context.h"

#include <cstdlib>
#include <cstring>
#include <mutex>
#include <set>
#include <utility>

namespace oriel {
namespace {

// Keeps one copy of each value for the life of the process. Compiled code refers to the values, and nobody knows when
// it ran for the last time; a method that is rewritten again and again needs the same ones each time.
template <typename Value>
class Lasting {
 public:
  const Value* of(Value value) {
    const std::lock_guard guard(lock_);
    return &*values_.insert(std::move(value)).first;
  }

 private:
  std::mutex lock_;
  std::set<Value> values_;
};

const CallContext* context_of(const void* context) { return static_cast<const CallContext*>(context); }

bool tell(const CallContext& context, const CallValue& known, oriel_value* value) {
  if (known.slot == kNoSlot || known.kind == ORIEL_VALUE_NONE) return false;
  const uintptr_t* slot = context.slots + known.slot;
  value->kind = known.kind;
  value->size = known.size != 0 ? known.size : static_cast<uint32_t>(slot[1]);
  value->address = reinterpret_cast<const void*>(slot[0]);
  value->type = known.type ? known.type->c_str() : "";
  return value->address != nullptr;
}

bool tell_at(const void* context, const std::vector<CallValue> CallLayout::*list, uint32_t position,
             oriel_value* value) {
  if (!context) return false;
  const auto& values = context_of(context)->layout->*list;
  return position < values.size() && tell(*context_of(context), values[position], value);
}

bool tell_one(const void* context, CallValue CallLayout::*which, oriel_value* value) {
  return context && tell(*context_of(context), context_of(context)->layout->*which, value);
}

void* copy_of(bool there, const oriel_value& value) {
  void* copy = there ? std::malloc(value.size) : nullptr;
  if (copy) std::memcpy(copy, value.address, value.size);
  return copy;
}

}  // namespace

const std::string* lasting_text(std::string text) {
  static auto& texts = *new Lasting<std::string>;
  return texts.of(std::move(text));
}

const CallLayout* lasting_layout(CallLayout layout) {
  static auto& layouts = *new Lasting<CallLayout>;
  return layouts.of(std::move(layout));
}

}  // namespace oriel

using oriel::CallLayout;

bool oriel_call_context_this(const void* context, oriel_value* value) {
  return oriel::tell_one(context, &CallLayout::self, value);
}
bool oriel_call_context_argument(const void* context, uint32_t position, oriel_value* value) {
  return oriel::tell_at(context, &CallLayout::arguments, position, value);
}
bool oriel_call_context_local(const void* context, uint32_t position, oriel_value* value) {
  return oriel::tell_at(context, &CallLayout::locals, position, value);
}
bool oriel_call_context_result(const void* context, oriel_value* value) {
  return oriel::tell_one(context, &CallLayout::result, value);
}

void* oriel_call_context_get_this(const void* context) {
  oriel_value value;
  const bool there = oriel_call_context_this(context, &value);
  return oriel::copy_of(there, value);
}
void* oriel_call_context_get_argument(const void* context, uint32_t position) {
  oriel_value value;
  const bool there = oriel_call_context_argument(context, position, &value);
  return oriel::copy_of(there, value);
}
void* oriel_call_context_get_local(const void* context, uint32_t position) {
  oriel_value value;
  const bool there = oriel_call_context_local(context, position, &value);
  return oriel::copy_of(there, value);
}
void* oriel_call_context_get_result(const void* context) {
  oriel_value value;
  const bool there = oriel_call_context_result(context, &value);
  return oriel::copy_of(there, value);
}
void oriel_call_context_free_buffer(void* buffer) { std::free(buffer); }
