#include "runtimes/coreclr/thread_state.h"

#include <atomic>
#include <new>

#include "base/process/thread_key.h"
#include "base/static_tls.h"

namespace oriel::coreclr {
namespace {

constinit ORIEL_STATIC_TLS thread_local PerThreadState* own = nullptr;

// pthread calls this as the thread ends.
void forget(void* per_thread_state) {
  auto* const leaving = static_cast<PerThreadState*>(per_thread_state);
  let_go(leaving->exceptions);  // which uses the thread's state
  own = nullptr;
  delete leaving;
}

const ThreadKey own_key(forget);

std::atomic<uint32_t> attachments{0};

void begin_anew(PerThreadState& state, uint32_t attachment) {
  state.attachment = attachment;
  state.unwinding.count = 0;
  state.compilations.depth = 0;
  state.lock_wait = {};
  state.ending = {};
  state.activations.clear();
}

}  // namespace

PerThreadState* per_thread_state() {
  const uint32_t now = attachments.load(std::memory_order_relaxed);
  if (own != nullptr && own->attachment == now) return own;
  if (own != nullptr) {
    begin_anew(*own, now);
    return own;
  }
  own = new (std::nothrow) PerThreadState;
  if (own == nullptr) return nullptr;
  own->attachment = now;
  own_key.set(own);
  return own;
}

void forget_thread_states() { attachments.fetch_add(1, std::memory_order_relaxed); }

PerThreadState* per_thread_state_if_any() {
  return own != nullptr && own->attachment == attachments.load(std::memory_order_relaxed) ? own : nullptr;
}

}  // namespace oriel::coreclr
