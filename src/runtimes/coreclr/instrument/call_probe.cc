#include "runtimes/coreclr/instrument/call_probe.h"

#include <cstdarg>

#include "runtimes/coreclr/instrument/counted_probe.h"

namespace oriel::coreclr {
namespace {

void call(const ProbeTarget& target, oriel_method* method, const CallLayout* layout, va_list words) {
  uintptr_t slots[kMaxSlots];
  for (uint32_t i = 0; i < layout->slots; ++i) slots[i] = va_arg(words, uintptr_t);
  const CallContext context{layout, slots};
  // method_enter and method_leave take the same arguments.
  const auto callback =
      reinterpret_cast<oriel_method_enter_cb>(const_cast<void*>(target.code.load(std::memory_order_acquire)));
  callback(target.profiler, method, &context);
}

}  // namespace

extern "C" __attribute__((visibility("hidden"))) void report_with_context(const ProbeTarget* target,
                                                                          oriel_method* method,
                                                                          const CallLayout* layout, ...) {
  va_list words;
  va_start(words, layout);
  call(*target, method, layout, words);
  va_end(words);
}

extern "C" __attribute__((visibility("hidden"))) void report_counted_enter_with_context(const ProbeTarget* target,
                                                                                        oriel_method* method,
                                                                                        const CallLayout* layout, ...) {
  enter_activation(method);
  va_list words;
  va_start(words, layout);
  call(*target, method, layout, words);
  va_end(words);
}

extern "C" __attribute__((visibility("hidden"))) void report_counted_leave_with_context(const ProbeTarget* target,
                                                                                        oriel_method* method,
                                                                                        const CallLayout* layout, ...) {
  if (!leave_activation(method)) return;
  va_list words;
  va_start(words, layout);
  call(*target, method, layout, words);
  va_end(words);
}

}  // namespace oriel::coreclr
