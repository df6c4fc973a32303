#include "runtimes/coreclr/unload_gate.h"

#include <unistd.h>

#include "base/clock.h"

namespace oriel::coreclr {
namespace {

constexpr uint64_t kMillisecond = 1'000'000;
constexpr uint64_t kWaitToAsk = 50 * kMillisecond;
constexpr uint64_t kWaitToClose = 2'000 * kMillisecond;
// An unload that was never said to be over does not stop questions for ever.
constexpr uint64_t kLongestUnload = 2'000 * kMillisecond;
constexpr useconds_t kNap = 200;  // microseconds

thread_local uint32_t unloads_of_mine = 0;
thread_local uint32_t questions_of_mine = 0;

}  // namespace

bool UnloadGate::is_closed_to_me() const {
  return closed_.load() != 0 && unloads_of_mine == 0 && clock_monotonic_ns() - closed_at_.load() < kLongestUnload;
}

bool UnloadGate::enter() {
  const uint64_t begin = clock_monotonic_ns();
  for (;;) {
    asking_.fetch_add(1);
    // A question within a question is answered: whoever closes waits for the outer one anyway.
    if (questions_of_mine != 0 || !is_closed_to_me()) break;
    asking_.fetch_sub(1);
    if (clock_monotonic_ns() - begin > kWaitToAsk) return false;
    usleep(kNap);
  }
  ++questions_of_mine;
  return true;
}

void UnloadGate::leave() {
  --questions_of_mine;
  asking_.fetch_sub(1);
}

void UnloadGate::close() {
  const uint64_t begin = clock_monotonic_ns();
  closed_at_.store(begin);
  closed_.fetch_add(1);
  ++unloads_of_mine;
  while (asking_.load() > questions_of_mine && clock_monotonic_ns() - begin < kWaitToClose) usleep(kNap);
  closed_at_.store(clock_monotonic_ns());  // the waiting is no part of the unload
}

void UnloadGate::open() {
  if (unloads_of_mine == 0) return;  // its beginning was not heard
  --unloads_of_mine;
  closed_.fetch_sub(1);
}

}  // namespace oriel::coreclr
