// Carries a thread's events to the writer: a queue of chunks with one producer, the thread, and one consumer, the
// writer. Takes no lock, not even for a new chunk every few thousand events.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "modules/thread_registry.h"

namespace oriel::log_module {

struct EventHeader {
  uint64_t counter;
  uint16_t number;
  uint16_t size;           // size of the fields that follow, in bytes
  uint16_t frames = 0;     // number of frames after the fields, innermost first, as unaligned words
  bool truncated = false;  // the stack lacks its outer callers
};

class EventBuffer {
 public:
  explicit EventBuffer(uint32_t thread_id) : thread_id_(thread_id) {}
  ~EventBuffer();
  EventBuffer(const EventBuffer&) = delete;
  EventBuffer& operator=(const EventBuffer&) = delete;

  uint32_t thread_id() const { return thread_id_; }

  // Producer: appends an event; false without memory, or if too much waits for the writer. It is counted as lost then.
  bool append(const EventHeader& header, const uint8_t* fields, const uintptr_t* frames = nullptr);

  // Consumer: the next event, valid until the next call; false if there is none for now.
  bool next(EventHeader& header, const uint8_t*& fields);

  // What the thread has lost so far. Any thread.
  uint64_t lost() const { return lost_.load(std::memory_order_relaxed); }
  uint64_t told_lost = 0;  // consumer: as of the last time that the log told of it

  // The thread has ended. The consumer may delete the buffer once it is empty.
  std::atomic<bool> finished{false};
  EventBuffer* next_record = nullptr;  // used by the registry
  // Producer: how many exceptions had a stack, and when the next one has (clock_monotonic_ns); 0: it has in any case.
  uint64_t throw_stacks = 0;
  uint64_t throw_stack_due = 0;

 private:
  struct Chunk;
  Chunk* new_chunk();
  static Chunk* map_chunk();
  static void give_back(Chunk* chunk);

  const uint32_t thread_id_;
  std::atomic<uint64_t> lost_{0};
  Chunk* tail_ = nullptr;               // used by the producer
  std::atomic<Chunk*> first_{nullptr};  // set once by the producer
  Chunk* head_ = nullptr;               // used by the consumer
  size_t read_ = 0;
};

// Events lost so far, of all threads.
struct LostEvents {
  uint64_t full = 0, no_memory = 0;
};
LostEvents events_lost();
// Counts an event of a thread without a buffer.
void lose_event();

// Bounds the memory of events that wait for the writer, of all threads together. Any thread.
void set_event_room(uint64_t bytes);

// The calling thread's buffer, created by the first call; nullptr without memory.
EventBuffer* thread_event_buffer();

// All threads' buffers.
extern modules::ThreadRegistry<EventBuffer> event_buffers;

}  // namespace oriel::log_module
