#include "runtimes/coreclr/thread_state.h"

#include <new>

#include "base/process/thread_key.h"

namespace oriel::coreclr {
namespace {

constinit __attribute__((tls_model("initial-exec"))) thread_local OfThread* own = nullptr;

// pthread calls this as the thread ends.
void forget(void* of_thread) {
  auto* const leaving = static_cast<OfThread*>(of_thread);
  let_go(leaving->exceptions);  // which uses the thread's state
  own = nullptr;
  delete leaving;
}

const ThreadKey own_key(forget);

}  // namespace

OfThread* of_thread() {
  if (own != nullptr) return own;
  own = new (std::nothrow) OfThread;
  if (own != nullptr) own_key.set(own);
  return own;
}

OfThread* of_thread_so_far() { return own; }

}  // namespace oriel::coreclr
