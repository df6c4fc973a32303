#include "sample_rings.h"

#include <sys/mman.h>

namespace oriel::log_module {

bool SampleRings::map_up_to(uint32_t slots) {
  for (uint32_t group = 0; group * kGroup < slots; group++) {
    if (groups_[group].load(std::memory_order_relaxed)) continue;
    void* memory = mmap(nullptr, sizeof(Ring) * kGroup, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return false;
    groups_[group].store(static_cast<Ring*>(memory), std::memory_order_release);  // zero pages: empty rings
  }
  return true;
}

void SampleRings::forget_lost() {
  const uint32_t slots = slots_used_.load(std::memory_order_acquire);
  for (uint32_t slot = 0; slot < slots; slot++)
    if (Ring* const ring = ring_of(slot)) ring->lost.store(0, std::memory_order_relaxed);
}

void SampleRings::store(const void* context) {
  const uint32_t slot = oriel_sample_thread_slot(context);
  uint32_t used = slots_used_.load(std::memory_order_relaxed);
  while (used <= slot && !slots_used_.compare_exchange_weak(used, slot + 1, std::memory_order_release)) {
  }
  Ring* const mapped = ring_of(slot);
  if (!mapped) {
    lost_.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  Ring& ring = *mapped;
  uint64_t written = ring.written.load(std::memory_order_relaxed);
  const uint64_t waiting = written - ring.read.load(std::memory_order_acquire);
  if (waiting == 0) {
    // An empty ring restarts at its beginning, so that a rarely sampled thread uses only its first pages.
    written = (written + kCapacity - 1) / kCapacity * kCapacity;
    ring.read.store(written, std::memory_order_relaxed);
  }
  const size_t to_end = kCapacity - written % kCapacity;
  const size_t skipped = to_end < kRecordWords ? to_end : 0;
  if (waiting + skipped + kRecordWords > kCapacity) {
    lost_.fetch_add(1, std::memory_order_relaxed);
    ring.lost_thread.store(oriel_sample_os_thread(context), std::memory_order_relaxed);
    ring.lost.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  if (skipped) ring.words[written % kCapacity] = kSkip;
  written += skipped;
  uintptr_t* record = ring.words + written % kCapacity;
  bool truncated = false;
  const size_t frames = oriel_stack_walk_async_safe(context, record + kHeaderWords, kMaxFrames, &truncated);
  const size_t kept = frames - ring.last_stored.shared_with(record + kHeaderWords, frames);
  ring.last_stored.replace(record + kHeaderWords, kept, frames);
  record[0] = kept | static_cast<uintptr_t>(truncated) << 16 |
              static_cast<uintptr_t>(oriel_sample_in_page_fault(context)) << 17 |
              static_cast<uintptr_t>(oriel_sample_is_waiting(context)) << 18 | static_cast<uintptr_t>(frames) << 32;
  record[1] = oriel_sample_time(context);
  record[2] = oriel_sample_os_thread(context) | static_cast<uintptr_t>(oriel_sample_periods(context)) << 32;
  bool again = false;
  oriel_method* const compiled = oriel_sample_compiled_method(context, &again);
  record[3] = uintptr_t{compiled ? oriel_method_id(compiled) : 0} << 1 | (again ? 1 : 0);
  ring.written.store(written + kHeaderWords + kept, std::memory_order_release);
}

}  // namespace oriel::log_module
