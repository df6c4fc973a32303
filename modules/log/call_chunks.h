// The memory of call buffers: chunks that are made when they are needed, up to a limit, and used again.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "call_buffer.h"

namespace oriel::log_module {

inline constexpr size_t kChunkBytes = 64 * 1024;
// What may wait for the writer, of all threads together.
inline constexpr size_t kMostChunkBytes = 256u << 20;
// What may wait besides, of threads that the runtime is about to stop: each needs a chunk at most until it stands.
inline constexpr size_t kReserveBytes = 64u << 20;

struct CallChunk {
  static constexpr size_t kWords = (kChunkBytes - 2 * sizeof(uint64_t)) / sizeof(CallWord);

  std::atomic<CallChunk*> next{nullptr};
  uint64_t base = 0;                         // ticks; set before the chunk is seen by the consumer
  std::atomic<CallWord> words[kWords] = {};  // 0: not written yet
};
static_assert(sizeof(CallChunk) == kChunkBytes);

enum class Room { kUsual, kReserve };
// An empty chunk, or nullptr where there is no memory or too much waits. Any thread; does not wait.
CallChunk* try_new_chunk(Room room = Room::kUsual);
// Any thread. `used`: how many words were written.
void give_back(CallChunk* chunk, size_t used);

// Chunks that hold records, or are about to.
size_t chunks_in_use();

}  // namespace oriel::log_module
