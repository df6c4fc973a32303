// The memory of call buffers: chunks, allocated when needed, up to a limit, and reused.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "call_buffer.h"

namespace oriel::log_module {

inline constexpr size_t kChunkBytes = 64 * 1024;
// Limit of the memory that waits for the writer, of all threads together.
inline constexpr size_t kMostChunkBytes = 256u << 20;
// Additional limit for threads that the runtime is about to suspend. Each needs at most one chunk until it stands
// still.
inline constexpr size_t kReserveBytes = 64u << 20;

struct CallChunk {
  static constexpr size_t kWords = (kChunkBytes - 2 * sizeof(uint64_t)) / sizeof(CallWord);

  std::atomic<CallChunk*> next{nullptr};
  uint64_t base = 0;                         // ticks; set before the consumer sees the chunk
  std::atomic<CallWord> words[kWords] = {};  // 0: not written yet
};
static_assert(sizeof(CallChunk) == kChunkBytes);

enum class Room { kUsual, kReserve };
// An empty chunk; nullptr without memory, or if too much waits for the writer. Any thread; does not block.
CallChunk* try_new_chunk(Room room = Room::kUsual);
// Any thread. `used`: number of words that were written.
void give_back(CallChunk* chunk, size_t used);

// Number of chunks that hold records, or are about to.
size_t chunks_in_use();

}  // namespace oriel::log_module
