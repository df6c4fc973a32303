#include "runtimes/mono/thread_state.h"

#include <algorithm>
#include <new>

#include "base/process/thread_key.h"
#include "base/static_tls.h"

namespace oriel::mono {
namespace {

constinit ORIEL_STATIC_TLS thread_local ThreadState* own_state = nullptr;

// Mono calls both callbacks from one function. A throw in a finally block is told of from much deeper in the stack.
constexpr uintptr_t kSameCaller = 512;

bool is_deeper(uintptr_t frame, uintptr_t than) { return frame + kSameCaller < than; }

// pthread calls this as the thread ends.
void forget_state(void* state) {
  own_state = nullptr;
  delete static_cast<ThreadState*>(state);
}

}  // namespace

bool end_compilation(Compilations& all, const MonoMethod* id) {
  for (uint32_t i = std::min(all.depth, Compilations::kMost); i-- > 0;) {
    if (all.ids[i] != id) continue;
    all.depth = i;
    return true;
  }
  if (all.depth <= Compilations::kMost) return false;
  all.depth--;
  return true;
}

void begin_compilation(Compilations& all, MonoMethod* id, oriel_method* method) {
  for (uint32_t i = 0; i < std::min(all.depth, Compilations::kMost); ++i)
    if (all.ids[i] == id) all.depth = i;
  if (all.depth < Compilations::kMost) {
    all.methods[all.depth] = method;
    all.ids[all.depth] = id;
  }
  all.depth++;
}

void begin_flight(ExceptionsInFlight& flights, uintptr_t frame, MonoObject* exception) {
  // Those told of from as deep, or deeper, are over: their stack is used again.
  while (flights.count > 0 && flights.all[flights.count - 1].frame <= frame + kSameCaller) flights.count--;
  if (flights.count < ExceptionsInFlight::kMost) flights.all[flights.count++] = {frame, exception};
}

MonoObject* exception_in_flight(ExceptionsInFlight& flights, uintptr_t frame) {
  while (flights.count > 0 && is_deeper(flights.all[flights.count - 1].frame, frame)) flights.count--;
  if (flights.count == 0) return nullptr;
  const ExceptionsInFlight::One& innermost = flights.all[flights.count - 1];
  return is_deeper(frame, innermost.frame) ? nullptr : innermost.exception;
}

ThreadState* thread_state() {
  if (own_state) return own_state;
  static const ThreadKey key(forget_state);
  own_state = new (std::nothrow) ThreadState;
  if (own_state) key.set(own_state);
  return own_state;
}

ThreadState* thread_state_if_any() { return own_state; }

}  // namespace oriel::mono
