#include "call_chunks.h"

#include <algorithm>
#include <new>

namespace oriel::log_module {
namespace {

constexpr size_t kReserve = kReserveBytes / kChunkBytes;
// Number of empty chunks that are kept: their pages are mapped already.
constexpr size_t kMostSpare = 128;

constinit std::atomic<size_t> in_use{0}, threads{0}, encoded{0}, encoders{0}, most{kUsualRoom / kChunkBytes};
constinit std::atomic<WhenFull> if_full{WhenFull::kWait};

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

// Chunks that are used, without the one that each thread keeps, with so many bytes that take their place.
size_t chunks_with(size_t bytes) {
  const size_t all = in_use.load(std::memory_order_relaxed) + bytes / kChunkBytes;
  const size_t kept = threads.load(std::memory_order_relaxed);
  return all > kept ? all - kept : 0;
}

size_t waiting() { return chunks_with(encoded.load(std::memory_order_relaxed)); }

}  // namespace

void set_room(uint64_t bytes, WhenFull when_full) {
  most.store(std::max<size_t>(bytes / kChunkBytes, 1), std::memory_order_relaxed);
  if_full.store(when_full, std::memory_order_relaxed);
}

WhenFull when_full() { return if_full.load(std::memory_order_relaxed); }

size_t most_chunks() { return most.load(std::memory_order_relaxed); }

void count_thread() { threads.fetch_add(1, std::memory_order_relaxed); }
void forget_thread() { threads.fetch_sub(1, std::memory_order_relaxed); }

size_t chunks_in_use() { return in_use.load(std::memory_order_relaxed); }

unsigned filled_percent() {
  const size_t own = encoders.load(std::memory_order_relaxed) / kChunkBytes;
  return static_cast<unsigned>(waiting() * 100 / (most_chunks() - std::min(own, most_chunks() - 1)));
}

bool has_caught_up() { return chunks_with(encoded_bytes()) < most_chunks() * 3 / 4; }

bool is_writer_behind() {
  constexpr size_t kBehind = 64;  // 4 MB
  return encoded_bytes() < most_chunks() * kChunkBytes / 2 && waiting() > std::min(kBehind, most_chunks() / 2);
}

bool has_time_to_compress() { return waiting() < most_chunks() / 8; }

CallChunk* try_new_chunk(Room room) {
  const size_t limit =
      most_chunks() + threads.load(std::memory_order_relaxed) + (room == Room::kReserve ? kReserve : 0);
  if (in_use.fetch_add(1, std::memory_order_relaxed) + encoded_bytes() / kChunkBytes < limit) {
    if (CallChunk* chunk = take_spare()) return chunk;
    if (auto* chunk = new (std::nothrow) CallChunk) return chunk;
  }
  in_use.fetch_sub(1, std::memory_order_relaxed);
  return nullptr;
}

void give_back(CallChunk* chunk, size_t used) {
  in_use.fetch_sub(1, std::memory_order_relaxed);
  chunk->empty(used);
  if (!keep_as_spare(chunk)) delete chunk;
}

void count_encoded(size_t bytes) { encoded.fetch_add(bytes, std::memory_order_relaxed); }
void forget_encoded(size_t bytes) { encoded.fetch_sub(bytes, std::memory_order_relaxed); }
void count_encoder(size_t bytes) { encoders.fetch_add(bytes, std::memory_order_relaxed); }
void forget_encoder(size_t bytes) { encoders.fetch_sub(bytes, std::memory_order_relaxed); }
size_t encoded_bytes() { return encoded.load(std::memory_order_relaxed) + encoders.load(std::memory_order_relaxed); }

}  // namespace oriel::log_module
