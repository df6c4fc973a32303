#include "event_buffer.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>

#include "base/static_tls.h"
#include "call_chunks.h"

namespace oriel::log_module {
namespace {

constexpr size_t kEventChunkBytes = 32 * 1024;
// Limit of all events that wait for the writer. Beyond it, events are lost and counted.
constinit std::atomic<size_t> most_event_chunks{kUsualRoom / kEventChunkBytes};
std::atomic<size_t> event_chunks{0}, event_threads{0};
constinit std::atomic<uint64_t> lost_full{0}, lost_no_memory{0};
constinit std::atomic<void*> spare{nullptr};  // a chunk's memory

ORIEL_STATIC_TLS __thread EventBuffer* current_buffer = nullptr;

size_t size_of(const EventHeader& header) { return sizeof header + header.size + header.frames * sizeof(uintptr_t); }

// pthread calls this for the thread's buffer when the thread ends.
void finish_buffer(void* buffer) {
  current_buffer = nullptr;
  static_cast<EventBuffer*>(buffer)->finished.store(true, std::memory_order_release);
}

}  // namespace

modules::ThreadRegistry<EventBuffer> event_buffers(finish_buffer);

struct EventBuffer::Chunk {
  std::atomic<Chunk*> next{nullptr};
  std::atomic<size_t> published{0};
  uint8_t data[kEventChunkBytes - 2 * sizeof(void*)];
};

// Events come while a collection has stopped other threads, which may hold the allocator's locks. So chunks are mapped,
// and one that the writer has read is kept for the next thread that needs one.
EventBuffer::Chunk* EventBuffer::map_chunk() {
  void* room = spare.exchange(nullptr, std::memory_order_acquire);
  if (!room) room = mmap(nullptr, sizeof(Chunk), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return room == MAP_FAILED ? nullptr : new (room) Chunk;
}

void EventBuffer::give_back(Chunk* chunk) {
  std::destroy_at(chunk);
  void* none = nullptr;
  if (!spare.compare_exchange_strong(none, chunk, std::memory_order_release)) munmap(chunk, sizeof(Chunk));
  event_chunks.fetch_sub(1, std::memory_order_relaxed);
}

// nullptr: the event is lost, and counted.
EventBuffer::Chunk* EventBuffer::new_chunk() {
  if (!tail_) event_threads.fetch_add(1, std::memory_order_relaxed);  // each thread gets its first one
  const size_t most = most_event_chunks.load(std::memory_order_relaxed) + event_threads.load(std::memory_order_relaxed);
  const bool has_room = event_chunks.fetch_add(1, std::memory_order_relaxed) < most || !tail_;
  Chunk* const chunk = has_room ? map_chunk() : nullptr;
  if (chunk) return chunk;
  event_chunks.fetch_sub(1, std::memory_order_relaxed);
  if (!tail_) event_threads.fetch_sub(1, std::memory_order_relaxed);
  (has_room ? lost_no_memory : lost_full).fetch_add(1, std::memory_order_relaxed);
  lost_.fetch_add(1, std::memory_order_relaxed);
  return nullptr;
}

LostEvents events_lost() {
  return {lost_full.load(std::memory_order_relaxed), lost_no_memory.load(std::memory_order_relaxed)};
}

void lose_event() { lost_no_memory.fetch_add(1, std::memory_order_relaxed); }

EventBuffer::~EventBuffer() {
  if (!head_) head_ = first_.load(std::memory_order_acquire);
  if (head_) event_threads.fetch_sub(1, std::memory_order_relaxed);
  while (head_) {
    Chunk* next = head_->next.load(std::memory_order_acquire);
    give_back(head_);
    head_ = next;
  }
}

void set_event_room(uint64_t bytes) {
  most_event_chunks.store(std::max<size_t>(bytes / kEventChunkBytes, 1), std::memory_order_relaxed);
}

bool EventBuffer::append(const EventHeader& header, const uint8_t* fields, const uintptr_t* frames) {
  const size_t size = size_of(header);
  size_t used = tail_ ? tail_->published.load(std::memory_order_relaxed) : sizeof(Chunk::data);
  if (used + size > sizeof(Chunk::data)) {
    Chunk* chunk = new_chunk();
    if (!chunk) return false;
    if (tail_)
      tail_->next.store(chunk, std::memory_order_release);
    else
      first_.store(chunk, std::memory_order_release);
    tail_ = chunk;
    used = 0;
  }
  std::memcpy(tail_->data + used, &header, sizeof header);
  uint8_t* behind = tail_->data + used + sizeof header;
  if (header.size) std::memcpy(behind, fields, header.size);
  if (header.frames) std::memcpy(behind + header.size, frames, header.frames * sizeof *frames);
  tail_->published.store(used + size, std::memory_order_release);
  return true;
}

bool EventBuffer::next(EventHeader& header, const uint8_t*& fields) {
  if (!head_) head_ = first_.load(std::memory_order_acquire);
  while (head_) {
    // Load `next` first: once it is set, this chunk is published in full.
    Chunk* following = head_->next.load(std::memory_order_acquire);
    if (read_ < head_->published.load(std::memory_order_acquire)) break;
    if (!following) return false;
    give_back(head_);
    head_ = following;
    read_ = 0;
  }
  if (!head_) return false;
  std::memcpy(&header, head_->data + read_, sizeof header);
  fields = head_->data + read_ + sizeof header;
  read_ += size_of(header);
  return true;
}

EventBuffer* thread_event_buffer() {
  if (!current_buffer) current_buffer = event_buffers.make();
  return current_buffer;
}

}  // namespace oriel::log_module
