// Carries sampled stacks to the writer: a ring for each sampled thread, filled in sample_hit and emptied by the writer.
// A record has only the inner frames that differ from the thread's previous sample, because deep stacks change at their
// inner end. The writer maps rings in groups, ahead of the threads that need them, because a signal handler must not.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "oriel/oriel.h"

namespace oriel::log_module {

struct SampleView {
  uint64_t counter;
  uint32_t os_thread;
  uint32_t periods;
  bool truncated;
  const uintptr_t* frames;  // innermost first
  size_t frame_count;
  bool in_page_fault = false;
  bool waits = false;
  uint32_t compiled = 0;  // id of the method that the thread was compiling; 0: none
  bool compiled_again = false;
};

class SampleRings {
 public:
  // Maps the first rings; false if the system refuses the memory.
  bool reserve() { return map_up_to(kAhead); }

  // Stores the stack of a sample, or counts it as lost. Called in sample_hit: async-safe, and never twice at a time for
  // one thread.
  void store(const void* context);

  // Writer: calls visit(SampleView) for each stored sample, thread by thread, and maps rings for further threads.
  // Returns how full the fullest ring was, in percent; 100 if a thread had none.
  // `lost(os_thread, count)` hears of threads that had no room for some.
  template <typename Visit, typename Lost>
  unsigned drain(Visit visit, Lost lost);
  template <typename Visit>
  unsigned drain(Visit visit) {
    return drain(visit, [](uint32_t, uint32_t) {});
  }

  // Writer: what threads had no room for until now is not told any more.
  void forget_lost();

  // Number of samples for which there was no room.
  uint64_t lost() const { return lost_.load(std::memory_order_relaxed); }

 private:
  static constexpr size_t kMaxFrames = ORIEL_MAX_FRAMES;
  static constexpr size_t kHeaderWords = 4;
  static constexpr size_t kRecordWords = kHeaderWords + kMaxFrames;
  static constexpr size_t kWords = 8 * 1024;  // 64 KiB a ring

  // A stack, innermost frame first, at the end of the array, so that shared frames stay in their places.
  struct LastStack {
    uint64_t depth;
    uintptr_t frames[kMaxFrames];

    const uintptr_t* innermost() const { return frames + kMaxFrames - depth; }
    // Number of outer frames shared with another stack.
    size_t shared_with(const uintptr_t* other, size_t other_depth) const;
    // Makes this a stack of `all` frames by replacing its inner frames.
    void replace(const uintptr_t* inner, size_t inner_count, size_t all);
  };
  static constexpr size_t kCapacity = kWords - 3 - 2 * sizeof(LastStack) / sizeof(uintptr_t);

  // Positions count words and only grow. A record never wraps around the end of `words`. The thread moves `read` while
  // the ring is empty, the writer while it is not.
  struct Ring {
    std::atomic<uint64_t> written;
    std::atomic<uint64_t> read;
    std::atomic<uint32_t> lost, lost_thread;  // samples since the last drain, and the system's id of their thread
    LastStack last_stored;
    LastStack last_read;
    uintptr_t words[kCapacity];
  };
  static_assert(sizeof(Ring) == kWords * sizeof(uintptr_t));
  static constexpr uintptr_t kSkip = ~uintptr_t{0};  // the rest of `words` is unused

  static constexpr uint32_t kGroup = 16;  // number of rings mapped together
  static constexpr uint32_t kAhead = 32;  // mapped beyond those in use, for threads that start before the next drain

  // A record's first word: its number of frames, whether the walk was truncated, whether the thread was in a page
  // fault, whether it was waiting, and the stack's number of frames.
  static size_t frames_in(const uintptr_t* record) { return record[0] & 0xffff; }
  static SampleView view(const uintptr_t* record, LastStack& last);

  // A slot's ring; nullptr if it is not mapped.
  Ring* ring_of(uint32_t slot) const {
    Ring* const group = groups_[slot / kGroup].load(std::memory_order_acquire);
    return group ? group + slot % kGroup : nullptr;
  }
  // Maps the rings of all slots below `slots`; false if the system refuses.
  bool map_up_to(uint32_t slots);

  std::atomic<Ring*> groups_[ORIEL_MAX_SAMPLED_THREADS / kGroup] = {};  // never unmapped
  std::atomic<uint32_t> slots_used_{0};                                 // the highest slot in use, plus one
  std::atomic<uint64_t> lost_{0};
};

inline size_t SampleRings::LastStack::shared_with(const uintptr_t* other, size_t other_depth) const {
  const size_t most = depth < other_depth ? depth : other_depth;
  size_t shared = 0;
  while (shared < most && frames[kMaxFrames - 1 - shared] == other[other_depth - 1 - shared]) shared++;
  return shared;
}

inline void SampleRings::LastStack::replace(const uintptr_t* inner, size_t inner_count, size_t all) {
  depth = all;
  std::memcpy(frames + kMaxFrames - all, inner, inner_count * sizeof(*inner));
}

inline SampleView SampleRings::view(const uintptr_t* record, LastStack& last) {
  SampleView sample{};
  sample.frame_count = record[0] >> 32;
  last.replace(record + kHeaderWords, frames_in(record), sample.frame_count);
  sample.truncated = record[0] >> 16 & 1;
  sample.in_page_fault = record[0] >> 17 & 1;
  sample.waits = record[0] >> 18 & 1;
  sample.periods = static_cast<uint32_t>(record[2] >> 32);
  sample.os_thread = static_cast<uint32_t>(record[2]);
  sample.counter = record[1];
  sample.compiled = static_cast<uint32_t>(record[3] >> 1);
  sample.compiled_again = (record[3] & 1) != 0;
  sample.frames = last.innermost();
  return sample;
}

template <typename Visit, typename Lost>
unsigned SampleRings::drain(Visit visit, Lost lost) {
  uint64_t fullest = 0;
  const uint32_t slots = slots_used_.load(std::memory_order_acquire);
  for (uint32_t slot = 0; slot < slots; slot++) {
    Ring* const mapped = ring_of(slot);
    if (!mapped) {
      fullest = kCapacity;
      break;
    }
    Ring& ring = *mapped;
    if (ring.lost.load(std::memory_order_relaxed) != 0)
      lost(ring.lost_thread.load(std::memory_order_relaxed), ring.lost.exchange(0, std::memory_order_relaxed));
    const uint64_t written = ring.written.load(std::memory_order_acquire);
    uint64_t read = ring.read.load(std::memory_order_relaxed);
    if (read >= written) continue;  // greater if the thread has just moved it
    if (written - read > fullest) fullest = written - read;
    while (read != written) {
      const size_t at = read % kCapacity;
      if (ring.words[at] == kSkip) {
        read += kCapacity - at;
        continue;
      }
      visit(view(ring.words + at, ring.last_read));
      read += kHeaderWords + frames_in(ring.words + at);
    }
    ring.read.store(read, std::memory_order_release);
  }
  if (slots != 0) map_up_to(std::min(slots + kAhead, ORIEL_MAX_SAMPLED_THREADS));  // without rings, samples are lost
  return static_cast<unsigned>(fullest * 100 / kCapacity);
}

}  // namespace oriel::log_module
