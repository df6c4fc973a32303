// A thread's events on their way to the writer: a queue of chunks with one producer, the thread, and one consumer, the
// writer. No lock and, but for a new chunk every few thousand events, no allocation.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "modules/thread_registry.h"

namespace oriel::log_module {

struct EventHeader {
  uint64_t counter;
  uint16_t number;
  uint16_t size;           // of the fields that follow
  uint16_t frames = 0;     // of the stack behind the fields, innermost first, as words without alignment
  bool truncated = false;  // the stack's outer callers are missing
};

class EventBuffer {
 public:
  explicit EventBuffer(uint32_t thread_id) : thread_id_(thread_id) {}
  ~EventBuffer();
  EventBuffer(const EventBuffer&) = delete;
  EventBuffer& operator=(const EventBuffer&) = delete;

  uint32_t thread_id() const { return thread_id_; }

  // Producer: appends an event; false if there is no memory for it, or too much waits already.
  bool append(const EventHeader& header, const uint8_t* fields, const uintptr_t* frames = nullptr);

  // Consumer: the next event, valid until the call after; false if there is none for now.
  bool next(EventHeader& header, const uint8_t*& fields);

  // The thread has ended: once it is empty the consumer may delete the buffer.
  std::atomic<bool> finished{false};
  EventBuffer* next_record = nullptr;  // the registry's
  uint64_t throw_stack_due =
      0;  // producer's: until then, by clock_monotonic_ns, exceptions get no stacks; 0: the next does

 private:
  struct Chunk;
  static Chunk* new_chunk();

  const uint32_t thread_id_;
  Chunk* tail_ = nullptr;               // producer's
  std::atomic<Chunk*> first_{nullptr};  // set once by the producer
  Chunk* head_ = nullptr;               // consumer's
  size_t read_ = 0;
};

// The calling thread's buffer, made on the first call; nullptr if there is no memory.
EventBuffer* thread_event_buffer();

// All of them.
extern modules::ThreadRegistry<EventBuffer> event_buffers;

}  // namespace oriel::log_module
