#include "runtimes/mono/thread_state.h"

#include <new>

#include "base/process/thread_key.h"

namespace oriel::mono {
namespace {

constinit __attribute__((tls_model("initial-exec"))) thread_local ThreadState* own_state = nullptr;

// pthread calls this as the thread ends.
void forget_state(void* state) {
  own_state = nullptr;
  delete static_cast<ThreadState*>(state);
}

}  // namespace

ThreadState* thread_state() {
  if (own_state) return own_state;
  static const ThreadKey key(forget_state);
  own_state = new (std::nothrow) ThreadState;
  if (own_state) key.set(own_state);
  return own_state;
}

ThreadState* thread_state_if_any() { return own_state; }

}  // namespace oriel::mono
