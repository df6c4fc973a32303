#include "runtimes/coreclr/thread_state.h"

#include <new>

#include "base/process/thread_key.h"

namespace oriel::coreclr {
namespace {

constinit __attribute__((tls_model("initial-exec"))) thread_local PerThreadState* own = nullptr;

// pthread calls this as the thread ends.
void forget(void* per_thread_state) {
  auto* const leaving = static_cast<PerThreadState*>(per_thread_state);
  let_go(leaving->exceptions);  // which uses the thread's state
  own = nullptr;
  delete leaving;
}

const ThreadKey own_key(forget);

}  // namespace

PerThreadState* per_thread_state() {
  if (own != nullptr) return own;
  own = new (std::nothrow) PerThreadState;
  if (own != nullptr) own_key.set(own);
  return own;
}

PerThreadState* per_thread_state_if_any() { return own; }

}  // namespace oriel::coreclr
