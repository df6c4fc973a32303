#include "call_chunks.h"

#include <new>

namespace oriel::log_module {
namespace {

constexpr size_t kMostChunks = kMostChunkBytes / kChunkBytes, kReserve = kReserveBytes / kChunkBytes;
// Number of empty chunks that are kept: their pages are mapped already.
constexpr size_t kMostSpare = 128;

constinit std::atomic<size_t> in_use{0};

// A list of spare chunks, guarded by a flag that no thread waits for: if it is taken, a thread does without the list.
constinit std::atomic_flag busy;
constinit CallChunk* spare = nullptr;
constinit size_t spare_count = 0;

CallChunk* take_spare() {
  if (busy.test_and_set(std::memory_order_acquire)) return nullptr;
  CallChunk* chunk = spare;
  if (chunk) {
    spare = chunk->next.load(std::memory_order_relaxed);
    --spare_count;
  }
  busy.clear(std::memory_order_release);
  if (chunk) chunk->next.store(nullptr, std::memory_order_relaxed);
  return chunk;
}

bool keep_as_spare(CallChunk* chunk) {
  if (busy.test_and_set(std::memory_order_acquire)) return false;
  const bool room = spare_count < kMostSpare;
  if (room) {
    chunk->next.store(spare, std::memory_order_relaxed);
    spare = chunk;
    ++spare_count;
  }
  busy.clear(std::memory_order_release);
  return room;
}

}  // namespace

CallChunk* try_new_chunk(Room room) {
  const size_t most = kMostChunks + (room == Room::kReserve ? kReserve : 0);
  if (in_use.fetch_add(1, std::memory_order_relaxed) < most) {
    if (CallChunk* chunk = take_spare()) return chunk;
    if (auto* chunk = new (std::nothrow) CallChunk) return chunk;
  }
  in_use.fetch_sub(1, std::memory_order_relaxed);
  return nullptr;
}

void give_back(CallChunk* chunk, size_t used) {
  in_use.fetch_sub(1, std::memory_order_relaxed);
  for (size_t i = 0; i < used; ++i) chunk->words[i].store(0, std::memory_order_relaxed);
  if (!keep_as_spare(chunk)) delete chunk;
}

size_t chunks_in_use() { return in_use.load(std::memory_order_relaxed); }

}  // namespace oriel::log_module
