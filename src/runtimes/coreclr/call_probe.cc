#include "runtimes/coreclr/call_probe.h"

#include <cstdarg>

namespace oriel::coreclr {

extern "C" __attribute__((visibility("hidden"))) void report_with_context(const ProbeTarget* target,
                                                                          oriel_method* method,
                                                                          const CallLayout* layout, ...) {
  uintptr_t slots[kMaxSlots];
  va_list words;
  va_start(words, layout);
  for (uint32_t i = 0; i < layout->slots; ++i) slots[i] = va_arg(words, uintptr_t);
  va_end(words);
  const CallContext context{layout, slots};
  // method_enter and method_leave take the same arguments.
  const auto callback =
      reinterpret_cast<oriel_method_enter_cb>(const_cast<void*>(target->code.load(std::memory_order_acquire)));
  callback(target->profiler, method, &context);
}

}  // namespace oriel::coreclr
