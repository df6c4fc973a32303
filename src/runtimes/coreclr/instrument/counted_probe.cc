#include "runtimes/coreclr/instrument/counted_probe.h"

#include <pthread.h>

#include <unordered_map>

namespace oriel::coreclr {
namespace {

// Methods stay in it when they are left: they are likely to be entered again.
using Activations = std::unordered_map<const oriel_method*, uint64_t>;
constinit __attribute__((tls_model("initial-exec"))) thread_local Activations* activations = nullptr;

void forget_activations(void* of_thread) {
  activations = nullptr;
  delete static_cast<Activations*>(of_thread);
}

pthread_key_t make_key() {
  pthread_key_t key{};
  return pthread_key_create(&key, forget_activations) == 0 ? key : static_cast<pthread_key_t>(-1);
}
const pthread_key_t activations_key = make_key();

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
  try {
    if (activations == nullptr) {
      activations = new Activations;
      pthread_setspecific(activations_key, activations);
    }
    ++(*activations)[method];
  } catch (...) {
  }
}

bool leave_activation(const oriel_method* method) {
  // Where nobody hears enters they are not counted.
  if (probe_cell(oriel_event_method_enter).load(std::memory_order_acquire) == nullptr) return true;
  if (activations == nullptr) return false;
  const auto found = activations->find(method);
  if (found == activations->end() || found->second == 0) return false;
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
