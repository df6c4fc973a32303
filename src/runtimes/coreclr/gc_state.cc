#include "runtimes/coreclr/gc_state.h"

namespace oriel::coreclr {

GcState::Collection GcState::begin(uint32_t generation) {
  const uint32_t number = count_.fetch_add(1, std::memory_order_relaxed) + 1;
  running_.store(number, std::memory_order_relaxed);
  suspend_generation_.store(generation, std::memory_order_relaxed);
  return {number, generation};
}

GcState::Collection GcState::end() { return {running_.exchange(0, std::memory_order_relaxed), suspend_generation()}; }

void GcState::suspend_begin(uint32_t reason, uint64_t now_ns) {
  suspend_reason_.store(reason, std::memory_order_relaxed);
  suspend_generation_.store(0, std::memory_order_relaxed);
  suspended_at_.store(now_ns, std::memory_order_relaxed);
}

uint64_t GcState::suspend_end(uint64_t now_ns) {
  const uint64_t since = suspended_at_.exchange(0, std::memory_order_relaxed);
  return since == 0 ? 0 : now_ns - since;
}

}  // namespace oriel::coreclr
