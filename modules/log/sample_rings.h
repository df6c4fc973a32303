// Sampled stacks on their way to the writer: a ring for each sampled thread, filled in the signal handler and emptied
// by the writer. Rings are mapped some at a time, ahead of the threads that need them, by the writer: the handler may
// not.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "oriel/oriel.h"

namespace oriel::logging {

struct SampleView {
  uint64_t counter;
  uint32_t os_thread;
  uint32_t periods;
  bool truncated;
  const uintptr_t* frames;  // innermost first
  size_t frame_count;
};

class SampleRings {
 public:
  // Maps the first rings; false if the system refuses the address space.
  bool reserve() { return map_up_to(kAhead); }

  // Signal handler: stores the current thread's stack, or counts it as lost.
  void store(const void* context);

  // Writer: calls visit(SampleView) for each stored sample, thread by thread, and maps rings for threads to come.
  // Returns how full the fullest ring was, in percent; 100 also if there was none for a thread.
  template <typename Visit>
  unsigned drain(Visit visit);

  // Samples that found no room.
  uint64_t lost() const { return lost_.load(std::memory_order_relaxed); }

 private:
  static constexpr size_t kMaxFrames = 1024;
  static constexpr size_t kHeaderWords = 3;
  static constexpr size_t kRecordWords = kHeaderWords + kMaxFrames;
  static constexpr size_t kWords = 8 * 1024;  // 64 KiB a ring

  // Positions count words and only grow; a record never wraps around the end of `words`.
  struct Ring {
    std::atomic<uint64_t> written;
    std::atomic<uint64_t> read;
    uintptr_t words[kWords - 2];
  };
  static constexpr size_t kCapacity = kWords - 2;
  static constexpr uintptr_t kSkip = ~uintptr_t{0};  // the rest up to the end is unused

  static constexpr uint32_t kGroup = 16;  // rings that are mapped together
  static constexpr uint32_t kAhead = 32;  // so many more than are used, for threads that start before the writer comes

  static SampleView view(const uintptr_t* record);
  // The ring of a slot, nullptr if it is not mapped.
  Ring* ring_of(uint32_t slot) const {
    Ring* const group = groups_[slot / kGroup].load(std::memory_order_acquire);
    return group ? group + slot % kGroup : nullptr;
  }
  // Whether the rings of all slots below `slots` are mapped now.
  bool map_up_to(uint32_t slots);

  std::atomic<Ring*> groups_[ORIEL_MAX_SAMPLED_THREADS / kGroup] = {};  // never unmapped
  std::atomic<uint32_t> slots_used_{0};                                 // one more than the highest slot
  std::atomic<uint64_t> lost_{0};
};

inline SampleView SampleRings::view(const uintptr_t* record) {
  SampleView sample{};
  sample.frame_count = record[0] & 0xffff;
  sample.truncated = record[0] >> 16 & 1;
  sample.periods = static_cast<uint32_t>(record[2] >> 32);
  sample.os_thread = static_cast<uint32_t>(record[2]);
  sample.counter = record[1];
  sample.frames = record + kHeaderWords;
  return sample;
}

template <typename Visit>
unsigned SampleRings::drain(Visit visit) {
  uint64_t fullest = 0;
  const uint32_t slots = slots_used_.load(std::memory_order_acquire);
  for (uint32_t slot = 0; slot < slots; slot++) {
    Ring* const mapped = ring_of(slot);
    if (!mapped) {
      fullest = kCapacity;
      break;
    }
    Ring& ring = *mapped;
    const uint64_t written = ring.written.load(std::memory_order_acquire);
    uint64_t read = ring.read.load(std::memory_order_relaxed);
    if (written - read > fullest) fullest = written - read;
    while (read != written) {
      const size_t at = read % kCapacity;
      if (ring.words[at] == kSkip) {
        read += kCapacity - at;
        continue;
      }
      const SampleView sample = view(ring.words + at);
      visit(sample);
      read += kHeaderWords + sample.frame_count;
    }
    ring.read.store(read, std::memory_order_release);
  }
  if (slots != 0) map_up_to(std::min(slots + kAhead, ORIEL_MAX_SAMPLED_THREADS));  // refused: what is lost is counted
  return static_cast<unsigned>(fullest * 100 / kCapacity);
}

}  // namespace oriel::logging
