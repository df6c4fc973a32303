// Carries a thread's calls and allocations to the writer: a queue of chunks of 8-byte records with one producer, the
// thread, and one consumer at a time, the writer or the thread itself. The producer runs in the program's own code at
// each call. It takes no lock and, but for a new chunk every 8,000 records, makes no system call and allocates nothing.
//
// A record is one word: its kind, an id of 24 bits, and a value of 37 bits. The value is a number of ticks since the
// chunk began, or an allocation's size in bytes. A word of 0 is not written yet. If an id or a value is too large, the
// word before it has the upper bits. If a time is too large, a new chunk begins. Words about the segment that a call's
// event ends (modules/segments.h) precede the event. A stack is a word of kind 0 with the number of outermost frames
// that it shares with the previous stack, followed by a word for each other frame, outermost first.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/static_tls.h"
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
class CallsOfThread;
enum class WhenFull : uint8_t;

// What the producer accesses at each record.
struct CallCursor {
  std::atomic<CallWord>* at = nullptr;   // where the next record goes
  std::atomic<CallWord>* end = nullptr;  // records before this need only be stored
  uint64_t base = 0;                     // ticks at the chunk's start
  uint64_t last = 0;                     // ticks at the last event of a call
  const oriel_method* site = nullptr;    // the last allocation's
};

// The calling thread's cursor. It has no room before the thread's first record and after the thread's end.
extern ORIEL_STATIC_TLS thread_local CallCursor* call_cursor;

// Producer: the rare cases that the inlined functions below leave out. These functions and those below preserve errno.
void log_call_slowly(log::CallKind kind, uint32_t id);
void log_allocation_slowly(uint32_t klass, uint64_t bytes, const oriel_method* site);
// Producer: logs an allocation with its stack, innermost frame first.
void log_allocation_with_stack(uint32_t klass, uint64_t bytes, const oriel_method* site,
                               std::span<const uintptr_t> frames, bool truncated);

// Producer: logs that the thread enters or leaves a method now. Takes a few ns plus the reading of the clock. A value
// cannot overflow here: a chunk's records are at most kMayHaveWaited apart.
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

// Producer: reports ticks of the current segment that logging took beyond the usual cost of an event. Counts at most
// kMayHaveWaited of them: a longer time may include a wait.
void take_out(uint64_t spent);

// Producer: logs an allocation in the code of `site` (NULL: unknown).
inline void log_allocation(uint32_t klass, uint64_t bytes, const oriel_method* site) {
  CallCursor& cursor = *call_cursor;
  if (cursor.at == cursor.end || site != cursor.site || bytes >> kValueBits != 0 || klass >> kIdBits != 0)
      [[unlikely]] {
    return log_allocation_slowly(klass, bytes, site);
  }
  cursor.at++->store(call_word(log::CallKind::kAllocation, klass, bytes), std::memory_order_release);
}

// The stacks of the records that the consumer took.
struct TakenStacks {
  struct Stack {
    uint64_t time = 0;  // ticks at the walk
    bool truncated = false;
    size_t first = 0;  // index in `frames`, where frames are outermost first
    size_t depth = 0;
  };
  std::vector<Stack> stacks;
  std::vector<uintptr_t> frames;

  void clear() {
    stacks.clear();
    frames.clear();
  }
};

// Records that are not in the log, since the start.
struct LostCalls {
  uint64_t calls = 0;  // enters and leaves
  uint64_t allocations = 0;

  bool operator==(const LostCalls&) const = default;
};

class CallBuffer : public CallCursor {
 public:
  explicit CallBuffer(uint32_t thread_id);
  ~CallBuffer();
  CallBuffer(const CallBuffer&) = delete;
  CallBuffer& operator=(const CallBuffer&) = delete;

  uint32_t thread_id() const { return thread_id_; }

  // Producer: stores a record of any size. If there is no chunk for it, WhenFull says what happens. A thread waits for
  // the writer for at most a second, and not while the runtime suspends its threads.
  void put(log::CallKind kind, uint32_t id, uint64_t value);
  // Producer: stores the event of a call that happens now, after the data about the segment that it ends. Starts timing
  // the next segment if that one is chosen.
  void put_call(log::CallKind kind, uint32_t id);
  // Producer: see take_out above.
  void take_out(uint64_t spent) { taken_ += std::min(spent, modules::kMayHaveWaited); }
  // Producer: makes room for a chunk's records in a buffer that no other thread reads; false without memory. With
  // `time_all`, every other segment is timed from the next event on, which starts one.
  bool make_room(bool time_all);
  // Producer: sets the stack of the allocations that follow; stores only the difference from the previous stack.
  void put_stack(std::span<const uintptr_t> frames, bool truncated);

  // There is one consumer at a time: the writer or, while the writer is behind, the thread itself. False: it is the
  // other one's turn.
  bool begin_consuming() { return !consuming_.test_and_set(std::memory_order_acquire); }
  void end_consuming() { consuming_.clear(std::memory_order_release); }
  // Consumer: what the thread itself has encoded, which comes before what is taken; nullptr: nothing.
  CallsOfThread* encoded() const { return encoded_.get(); }
  // Consumer: ends the block that the thread encodes: what is taken comes after it.
  void close_encoded();
  // Consumer, once that is empty: gives its memory back, if the writer has caught up.
  void end_encoding();

  // Consumer: replaces `records` by the (remaining) records of one chunk, in order, and `base` by a time not after
  // them; false if there are none for now. The current site and stack of allocations come first, if known. The value of
  // a kStack record is an index into taken_stacks().stacks.
  bool take(std::vector<log::CallRecord>& records, uint64_t& base);
  // Consumer: the log in which the thread's calls have begun; 0: none.
  uint64_t begun_in = 0;
  // What the thread has lost so far. Any thread.
  LostCalls lost() const {
    return {lost_calls_.load(std::memory_order_relaxed), lost_allocations_.load(std::memory_order_relaxed)};
  }
  // Consumer: as of the last time that the log told of it.
  LostCalls told_lost;
  // Consumer: the stacks of the last take.
  const TakenStacks& taken_stacks() const { return taken_stacks_; }

  // The thread has ended. The consumer may delete the buffer once it is empty.
  std::atomic<bool> finished{false};
  CallBuffer* next_record = nullptr;  // used by the registry

 private:
  bool should_encode(WhenFull if_full) const;
  void encode();
  void count_lost_of_encoded();
  bool begin_chunk(uint64_t now);
  void begin(CallChunk* chunk, uint64_t now);
  void forget_site();
  CallChunk* new_chunk();
  CallChunk* give_up_oldest();
  uint64_t count_records(const CallChunk& chunk, size_t from, size_t frames_to_come);
  void count_lost(log::CallKind kind, uint64_t count = 1);
  void lose(log::CallKind kind);
  bool open_next();
  void close_read(bool to_end);
  void tell_lost(uint64_t count, std::vector<log::CallRecord>& records);
  void tell_segment(uint64_t timed, uint64_t now);
  void tell(log::CallKind kind, uint64_t value, uint64_t now);
  void choose_timed(bool timed);
  void push(CallWord word, uint64_t now);
  void decode_chunk(std::vector<log::CallRecord>& records);
  void decode(CallWord word, std::vector<log::CallRecord>& records);
  bool decode_segment(CallWord word, std::vector<log::CallRecord>& records);
  void decode_stack(CallWord word, std::vector<log::CallRecord>& records);
  void add_stack(std::vector<log::CallRecord>& records);
  void forget_read();

  const uint32_t thread_id_;
  // Used by the producer.
  CallChunk* tail_ = nullptr;
  std::atomic<CallWord>* full_ = nullptr;  // the chunk's end
  modules::TimedSegments timed_;
  uint64_t timing_since_ = 0;  // start of the segment that is timed separately; 0: the current one is not
  uint64_t taken_ = 0;         // ticks of the current segment that take_out reported
  modules::WaitClock waits_;
  uint64_t lost_ = 0;                        // since the last chunk was full; the next chunk begins with it
  std::unique_ptr<uintptr_t[]> last_stack_;  // innermost first; allocated at the first stack
  size_t last_depth_ = 0;                    // 0: the consumer knows no stack
  bool last_truncated_ = false;
  std::atomic<CallChunk*> first_{nullptr};  // set once by the producer
  std::atomic<uint64_t> lost_calls_{0}, lost_allocations_{0};
  // Used by the consumer, on another cache line than what the producer writes. The producer, too, may take chunks away:
  // whoever changes the list at `head_` holds `list_busy_`. The producer does not wait for it.
  alignas(64) std::atomic_flag list_busy_;
  std::atomic_flag consuming_;
  std::unique_ptr<CallsOfThread> encoded_;  // made when the thread first encodes
  CallChunk* head_ = nullptr;
  size_t read_ = 0;
  bool is_reading_ = false;  // the consumer reads the chunk at head_, which must stay
  uint64_t base_ = 0;        // a time not before the records taken last
  uint64_t more_id_ = 0;     // upper bits for the next record
  uint64_t more_value_ = 0;
  uint32_t site_ = 0;
  std::vector<uintptr_t> stack_;  // outermost first
  size_t frames_to_come_ = 0;     // of this stack
  uint64_t stack_time_ = 0;
  bool stack_truncated_ = false;
  TakenStacks taken_stacks_;
};

// All threads' buffers.
extern modules::ThreadRegistry<CallBuffer> call_buffers;

// The first is called when the runtime begins to suspend its threads: threads that wait for the writer continue at
// once, because the runtime waits for them. The second is called when the threads run again. Async-safe.
void suspension_begins();
void suspension_ends();
// Whether threads may encode their calls themselves, if the writer is behind: it takes what they made, and they log
// nothing else. For the writer.
void let_threads_encode(bool may);
// Ends waiting for a writer: from now on, records are lost at once. Async-safe.
void close_call_buffers();
// Expects a writer again. Not for the child of a fork.
void open_call_buffers();
// Of all threads, and since the process began.
LostCalls calls_lost();

}  // namespace oriel::log_module
