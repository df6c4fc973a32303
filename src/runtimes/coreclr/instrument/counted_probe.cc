#include "runtimes/coreclr/instrument/counted_probe.h"

#include "base/kept_errno.h"
#include "runtimes/coreclr/of_thread.h"

namespace oriel::coreclr {
namespace {

void call(const ProbeTarget& target, oriel_method* method, const void* last) {
  // The callbacks of all three events take the same arguments but for the type of the last, a pointer.
  const auto callback =
      reinterpret_cast<oriel_method_enter_cb>(const_cast<void*>(target.code.load(std::memory_order_acquire)));
  callback(target.profiler, method, last);
}

}  // namespace

// No exception may leave into managed code. Without memory an activation is not counted, and so told as if it had been
// left.
void enter_activation(const oriel_method* method) {
  const KeptErrno kept;
  try {
    if (OfThread* const own = of_thread()) ++own->activations[method];
  } catch (...) {
  }
}

bool leave_activation(const oriel_method* method) {
  // Where nobody hears enters they are not counted.
  if (probe_cell(oriel_event_method_enter).load(std::memory_order_acquire) == nullptr) return true;
  OfThread* const own = of_thread();
  if (own == nullptr) return false;
  const auto found = own->activations.find(method);
  if (found == own->activations.end() || found->second == 0) return false;
  --found->second;
  return true;
}

extern "C" __attribute__((visibility("hidden"))) void report_counted_enter(const ProbeTarget* target,
                                                                           oriel_method* method, const void* last) {
  enter_activation(method);
  call(*target, method, last);
}

extern "C" __attribute__((visibility("hidden"))) void report_counted_leave(const ProbeTarget* target,
                                                                           oriel_method* method, const void* last) {
  if (leave_activation(method)) call(*target, method, last);
}

}  // namespace oriel::coreclr
