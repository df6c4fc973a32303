// The memory of call buffers: chunks, allocated when needed, up to a limit, and reused.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "call_buffer.h"

namespace oriel::log_module {

inline constexpr size_t kChunkBytes = 64 * 1024;
// Limit of the memory that waits for the writer, of all threads together, if nothing else is wanted.
inline constexpr uint64_t kUsualRoom = 256'000'000;
// Additional limit for threads that the runtime is about to suspend. Each needs at most one chunk until it stands
// still.
inline constexpr size_t kReserveBytes = 64u << 20;

struct CallChunk {
  static constexpr size_t kWords = (kChunkBytes - 4 * sizeof(uint64_t)) / sizeof(CallWord);

  std::atomic<CallChunk*> next{nullptr};
  uint64_t base = 0;                         // ticks; set before the consumer sees the chunk
  uint64_t dropped = 0;                      // records of chunks before it that were dropped for newer ones
  uint64_t is_whole = 0;                     // 1: its records need none of the chunk before it
  std::atomic<CallWord> words[kWords] = {};  // 0: not written yet

  // Takes away the words that were written, so many at most.
  void empty(size_t used) {
    for (size_t i = 0; i < used; ++i) words[i].store(0, std::memory_order_relaxed);
    dropped = is_whole = 0;
  }
};
static_assert(sizeof(CallChunk) == kChunkBytes);

// What a thread does if there is no room for its next records.
enum class WhenFull : uint8_t {
  kWait,     // waits for the writer; if that takes too long, loses records until the writer has caught up
  kDropNew,  // loses records at once until the writer has caught up
  kDropOld,  // gives up its oldest records, or, where it has too few, does as kDropNew
};

// Bounds the memory that waits for the writer, at least one chunk, beside the chunk that each thread keeps, and says
// what happens without room. Any thread.
void set_room(uint64_t bytes, WhenFull when_full);
WhenFull when_full();
// The number of chunks that have room, beside one for each thread.
size_t most_chunks();
// The thread has its first chunk, which it keeps; or has gone.
void count_thread();
void forget_thread();
// How much of the room for what waits for the writer is taken, in hundredths. Threads that encode have less of it.
unsigned filled_percent();
// Whether so little waits that a thread that lost records may go on.
bool has_caught_up();
// Whether so much waits that threads should encode their own chunks (encoded_calls.h). Not if even what they have
// encoded takes half of the room.
bool is_writer_behind();
// Whether so little waits that the writer has time to compress.
bool has_time_to_compress();

enum class Room { kUsual, kReserve };
// An empty chunk; nullptr without memory, or if too much waits for the writer. Any thread; does not block.
CallChunk* try_new_chunk(Room room = Room::kUsual);
// Any thread. `used`: number of words that were written.
void give_back(CallChunk* chunk, size_t used);

// Threads that encode their own chunks take their room from chunks. Any thread.
// Blocks of so many bytes wait for the writer now, or no longer:
void count_encoded(size_t bytes);
void forget_encoded(size_t bytes);
// A thread uses so many bytes to encode now, or no longer, beside its blocks. They do not wait for the writer.
void count_encoder(size_t bytes);
void forget_encoder(size_t bytes);
// All of these.
size_t encoded_bytes();

// Number of chunks that hold records, or are about to.
size_t chunks_in_use();

}  // namespace oriel::log_module
