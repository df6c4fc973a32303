#include "runtimes/coreclr/callbacks/gc_state.h"

namespace oriel::coreclr {

GcState::Collection GcState::begin(uint32_t generation) {
  const uint32_t number = count_.fetch_add(1, std::memory_order_relaxed) + 1;
  running_.store(number, std::memory_order_relaxed);
  suspend_generation_.store(generation, std::memory_order_relaxed);
  return {number, generation};
}

GcState::Collection GcState::end() {
  return {running_.exchange(0, std::memory_order_relaxed), suspend_generation_.load(std::memory_order_relaxed)};
}

void GcState::suspend_begin(uint32_t reason, uint64_t now_ns) {
  suspend_reason_.store(reason, std::memory_order_relaxed);
  suspend_generation_.store(0, std::memory_order_relaxed);
  suspended_at_.store(now_ns, std::memory_order_relaxed);
}

GcState::Suspension GcState::suspension() const {
  return {suspend_reason_.load(std::memory_order_relaxed), suspend_generation_.load(std::memory_order_relaxed),
          suspended_at_.load(std::memory_order_relaxed)};
}

GcState::Suspension GcState::resume_begin() {
  const Suspension ending = suspension();
  suspended_at_.store(0, std::memory_order_relaxed);
  return ending;
}

}  // namespace oriel::coreclr
