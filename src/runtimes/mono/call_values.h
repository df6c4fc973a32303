// A call's arguments and result, as Mono's call context has them, behind the engine's call context.
#pragma once

#include <cstdint>

#include "engine/call_context.h"
#include "runtimes/mono/mono_types.h"

struct oriel_image;
struct oriel_method;

namespace oriel::mono {

// What filters asked of a method's calls (ORIEL_CALLS_*). Returns whether it was something else before. Throws
// std::bad_alloc.
bool set_wanted_calls(const oriel_method& record, uint32_t calls);
uint32_t wanted_calls(const oriel_method& record);
// The image's methods are gone.
void forget_calls(const oriel_image& image);

// Copies of the values, which last as long as this. In the callback that received Mono's context; not in a signal
// handler. Throws std::bad_alloc.
class CallValues {
 public:
  CallValues(MonoMethod* method, oriel_method& record, MonoProfilerCallContext* of_mono, bool has_result);
  ~CallValues();
  CallValues(const CallValues&) = delete;
  CallValues& operator=(const CallValues&) = delete;

  // For the events' field `context`; nullptr if Mono does not have the values.
  const void* context() const { return context_.layout ? &context_ : nullptr; }

 private:
  void* this_copy_ = nullptr;
  uintptr_t slots_[kMaxSlots] = {};
  CallContext context_{nullptr, slots_};
};

}  // namespace oriel::mono
