// A thread's calls and allocations on their way to the writer: a queue of chunks of 8-byte records with one producer,
// the thread, and one consumer, the writer. The producer's side runs in the program's own code at each call: no lock,
// no system call and no allocation but for a new chunk every 8,000 records.
//
// A record is one word: its kind, an id of 24 bits, and 37 bits of value, the ticks since the chunk was begun or the
// bytes of an allocation; a word that is still 0 has not been written. What does not fit has a word before it with the
// bits that are missing; a time that does not fit begins a new chunk. What is known of the segment that a call's event
// ends (modules/segments.h) stands before that. A stack is a word of kind 0 that tells how many
// outermost frames it shares with the stack before it, and then a word for each of the others, outermost first.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/ticks.h"
#include "log/writer.h"
#include "modules/segments.h"
#include "modules/thread_registry.h"
#include "oriel/oriel.h"

namespace oriel::log_module {

using CallWord = uint64_t;

inline constexpr unsigned kIdShift = 3, kIdBits = 24, kValueShift = kIdShift + kIdBits, kValueBits = 64 - kValueShift;

constexpr CallWord call_word(log::CallKind kind, uint64_t id, uint64_t value) {
  return static_cast<CallWord>(kind) | id << kIdShift | value << kValueShift;
}

struct CallChunk;

// What the producer touches at each record.
struct CallCursor {
  std::atomic<CallWord>* at = nullptr;   // the next record's place
  std::atomic<CallWord>* end = nullptr;  // up to here nothing is to be done but to store them
  uint64_t base = 0;                     // ticks when the chunk was begun
  uint64_t last = 0;                     // ticks of the last call's event
  const oriel_method* site = nullptr;    // of the last allocation
};

// The calling thread's; one without room until its first record, and again after its end.
extern __attribute__((tls_model("initial-exec"))) thread_local CallCursor* call_cursor;

// Producer: what the inlined functions below leave to be done, seldom. errno stays as it is, here and in what follows.
void log_call_slowly(log::CallKind kind, uint32_t id);
void log_allocation_slowly(uint32_t klass, uint64_t bytes, const oriel_method* site);
// Producer: logs an allocation with the stack that it was made on, innermost frame first.
void log_allocation_with_stack(uint32_t klass, uint64_t bytes, const oriel_method* site,
                               std::span<const uintptr_t> frames, bool truncated);

// Producer: logs that the thread enters or leaves a method, now. A few ns beside the clock's reading. The records of a
// chunk, each at most kMayHaveWaited after the one before, cannot come to what a value does not hold.
inline void log_call(log::CallKind kind, uint32_t method) {
  CallCursor& cursor = *call_cursor;
  if (cursor.at == cursor.end) [[unlikely]] {
    return log_call_slowly(kind, method);
  }
  const uint64_t now = ticks();
  if (now - cursor.last > modules::kMayHaveWaited || method >> kIdBits != 0) [[unlikely]] {
    return log_call_slowly(kind, method);
  }
  cursor.last = now;
  cursor.at++->store(call_word(kind, method, now - cursor.base), std::memory_order_release);
}

// Producer: so many ticks of the segment that runs went to logging, beyond what each event takes. More than what may
// hide a wait is taken for one.
void take_out(uint64_t spent);

// Producer: logs an allocation made by the code of `site` (NULL: not known).
inline void log_allocation(uint32_t klass, uint64_t bytes, const oriel_method* site) {
  CallCursor& cursor = *call_cursor;
  if (cursor.at == cursor.end || site != cursor.site || bytes >> kValueBits != 0 || klass >> kIdBits != 0)
      [[unlikely]] {
    return log_allocation_slowly(klass, bytes, site);
  }
  cursor.at++->store(call_word(log::CallKind::kAllocation, klass, bytes), std::memory_order_release);
}

// Stacks of what was taken.
struct TakenStacks {
  struct Stack {
    uint64_t time = 0;  // ticks, when it was walked
    bool truncated = false;
    size_t first = 0;  // index in `frames`, which has them outermost first
    size_t depth = 0;
  };
  std::vector<Stack> stacks;
  std::vector<uintptr_t> frames;

  void clear() {
    stacks.clear();
    frames.clear();
  }
};

class CallBuffer : public CallCursor {
 public:
  explicit CallBuffer(uint32_t thread_id)
      : thread_id_(thread_id), timed_(reinterpret_cast<uintptr_t>(this), modules::TimedSegments::Often::kSeldom) {}
  ~CallBuffer();
  CallBuffer(const CallBuffer&) = delete;
  CallBuffer& operator=(const CallBuffer&) = delete;

  uint32_t thread_id() const { return thread_id_; }

  // Producer: stores a record of any size. Where there is no chunk for it the thread waits for the writer, a second at
  // most and not while the runtime stops its threads; after that records are lost, and counted, until the writer has
  // caught up.
  void put(log::CallKind kind, uint32_t id, uint64_t value);
  // Producer: stores the event of a call that happens now, with what is known of the segment that it ends, and begins
  // to time the next one where that is chosen.
  void put_call(log::CallKind kind, uint32_t id);
  // Producer: as take_out.
  void take_out(uint64_t spent) { taken_ += std::min(spent, modules::kMayHaveWaited); }
  // Producer: for a buffer that nobody else reads, room for a chunk's records; false if there is no memory. With
  // `time_all` every other segment from the next event on, which is the begin of one, is timed.
  bool make_room(bool time_all);
  // Producer: the stack of the allocations that follow; stores what differs from the one before.
  void put_stack(std::span<const uintptr_t> frames, bool truncated);

  // Consumer: replaces `records` by those of (the rest of) one chunk, in order, and `base` by a time not after them;
  // false if there are none for now. Begins with the site and the stack of allocations where they are known.
  // The value of a kStack record is an index in taken_stacks().stacks.
  bool take(std::vector<log::CallRecord>& records, uint64_t& base);
  // Consumer's: the log that the thread's calls have begun in; 0: none.
  uint64_t begun_in = 0;
  // Consumer: of the last take.
  const TakenStacks& taken_stacks() const { return taken_stacks_; }

  // The thread has ended: once it is empty the consumer may delete the buffer.
  std::atomic<bool> finished{false};
  CallBuffer* next_record = nullptr;  // the registry's

 private:
  bool begin_chunk(uint64_t now);
  void begin(CallChunk* chunk, uint64_t now);
  CallChunk* new_chunk();
  void tell_segment(uint64_t timed, uint64_t now);
  void tell(log::CallKind kind, uint64_t value, uint64_t now);
  void choose_timed(bool timed);
  void push(CallWord word, uint64_t now);
  void decode(CallWord word, std::vector<log::CallRecord>& records);
  bool decode_segment(CallWord word, std::vector<log::CallRecord>& records);
  void decode_stack(CallWord word, std::vector<log::CallRecord>& records);
  void add_stack(std::vector<log::CallRecord>& records);
  void next_chunk(CallChunk* next);

  const uint32_t thread_id_;
  // Producer's.
  CallChunk* tail_ = nullptr;
  std::atomic<CallWord>* full_ = nullptr;  // the chunk's end
  modules::TimedSegments timed_;
  uint64_t timing_since_ = 0;  // when the segment began that is timed apart; 0: the one that runs is not
  uint64_t taken_ = 0;         // ticks of the segment that runs, as of take_out
  modules::WaitClock waits_;
  uint64_t lost_ = 0;                        // since the last chunk was full; told at the begin of the next one
  std::unique_ptr<uintptr_t[]> last_stack_;  // innermost first; made with the first one
  size_t last_depth_ = 0;                    // 0: none that the consumer knows
  bool last_truncated_ = false;
  std::atomic<CallChunk*> first_{nullptr};  // set once by the producer
  // Consumer's, away from what the producer writes.
  alignas(64) CallChunk* head_ = nullptr;
  size_t read_ = 0;
  uint64_t base_ = 0;     // what was taken last was not after it
  uint64_t more_id_ = 0;  // upper bits for the record that comes next
  uint64_t more_value_ = 0;
  uint32_t site_ = 0;
  std::vector<uintptr_t> stack_;  // outermost first
  size_t frames_to_come_ = 0;     // of it
  uint64_t stack_time_ = 0;
  bool stack_truncated_ = false;
  TakenStacks taken_stacks_;
};

// All of them.
extern modules::ThreadRegistry<CallBuffer> call_buffers;

// The runtime begins to stop its threads: those that wait for the writer go on at once, as the runtime waits for them.
// And it lets them run again, or gave up. Async-safe.
void suspension_begins();
void suspension_ends();
// No writer will come any more: from now on records are lost at once rather than waited for. Async-safe.
void close_call_buffers();
// A writer comes again. Not in the child of a fork.
void open_call_buffers();
// Records that were lost so far, of all threads.
uint64_t calls_lost();

}  // namespace oriel::log_module
