#include "call_buffer.h"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <ctime>
#include <iterator>
#include <new>
#include <utility>

#include "base/process/kept_errno.h"
#include "base/static_tls.h"
#include "call_chunks.h"
#include "encoded_calls.h"

namespace oriel::log_module {
namespace {

using log::CallKind;

// A kSite word is the site of allocations, or has upper bits for the next record.
enum : uint64_t { kSiteOnly = 0, kMoreBits = 1 };
constexpr unsigned kMoreIdBits = 8;  // an id has 24 + 8 bits
// Or it is about a segment: two bits of its value are the kind; the id and the upper bits of the value are the number.
constexpr unsigned kSegmentShift = 1 + kMoreIdBits, kSegmentValueShift = kSegmentShift + 2;
constexpr CallKind kOfSegments[] = {CallKind{}, CallKind::kTimed, CallKind::kWaited, CallKind::kTaken};
constexpr uint64_t kMostOfSegment = (uint64_t{1} << (kValueBits - kSegmentValueShift + kIdBits)) - 1;

// The id of a stack's first word: the number of shared frames, the number of frames that follow, and two marks.
constexpr unsigned kDepthBits = 11;
constexpr uint64_t kDepthMask = (1u << kDepthBits) - 1;
constexpr uint64_t kStackTruncated = 1u << (2 * kDepthBits), kStackMark = kStackTruncated << 1;
static_assert(kStackMark >> kIdBits == 0 && ORIEL_MAX_FRAMES <= kDepthMask);

// A waiting thread is in managed code, so a suspension of the managed threads, for instance for a collection, waits for
// it. Therefore the thread checks after each nap whether a suspension has begun, and then takes a chunk from a reserve.
// A short wait would not help, because the writer may itself wait for the end of the collection, and giving up would
// lose all records until the writer has caught up. Outside of suspensions only the thread itself waits, and a busy disk
// may take 200 ms. A nap is short compared with a collection, and long compared with writing a chunk.
constexpr int kWaitMilliseconds = 1'000;

constinit CallCursor no_room;  // for threads without a buffer
constinit std::atomic<bool> closed{false};
constinit std::atomic<bool> may_encode{false};
constinit std::atomic<bool> suspending{false};
constinit std::atomic<uint64_t> calls_lost_in_all{0}, allocations_lost_in_all{0};

void count_lost_in_all(CallKind kind, uint64_t count = 1) {
  (kind == CallKind::kAllocation ? allocations_lost_in_all : calls_lost_in_all)
      .fetch_add(count, std::memory_order_relaxed);
}

// pthread calls this for the thread's buffer when the thread ends.
void finish_buffer(void* buffer) {
  call_cursor = &no_room;
  static_cast<CallBuffer*>(buffer)->finished.store(true, std::memory_order_release);
}

// A forked child has no writer.
const int fork_handled = pthread_atfork(nullptr, nullptr, close_call_buffers);

// The calling thread's buffer, created if needed; nullptr without memory.
CallBuffer* own_buffer() {
  if (call_cursor != &no_room) return static_cast<CallBuffer*>(call_cursor);
  if (closed.load(std::memory_order_relaxed)) return nullptr;
  CallBuffer* buffer = call_buffers.make();
  if (buffer) call_cursor = buffer;
  return buffer;
}

// The parts of a word; its value is what lies above.
CallKind kind_of(CallWord word) { return static_cast<CallKind>(word & ((1u << kIdShift) - 1)); }
uint32_t id_of(CallWord word) { return static_cast<uint32_t>(word >> kIdShift & ((1u << kIdBits) - 1)); }

// How many outermost frames two stacks share.
size_t shared_frames(std::span<const uintptr_t> a, std::span<const uintptr_t> b) {
  const size_t most = std::min(a.size(), b.size());
  size_t shared = 0;
  while (shared < most && a[a.size() - 1 - shared] == b[b.size() - 1 - shared]) shared++;
  return shared;
}

CallChunk* wait_for_chunk() {
  const timespec pause{0, 1'000'000};
  for (int i = 0; i < kWaitMilliseconds && !closed.load(std::memory_order_relaxed); ++i) {
    if (suspending.load(std::memory_order_relaxed)) return try_new_chunk(Room::kReserve);
    nanosleep(&pause, nullptr);
    if (CallChunk* chunk = try_new_chunk()) return chunk;
  }
  return nullptr;
}

}  // namespace

ORIEL_STATIC_TLS constinit thread_local CallCursor* call_cursor = &no_room;

modules::ThreadRegistry<CallBuffer> call_buffers(finish_buffer);

void log_call_slowly(CallKind kind, uint32_t id) {
  const KeptErrno kept;
  if (CallBuffer* buffer = own_buffer()) return buffer->put_call(kind, id);
  count_lost_in_all(kind);
}

void take_out(uint64_t spent) {
  if (call_cursor != &no_room) static_cast<CallBuffer*>(call_cursor)->take_out(spent);
}

void log_allocation_slowly(uint32_t klass, uint64_t bytes, const oriel_method* site) {
  const KeptErrno kept;
  CallBuffer* buffer = own_buffer();
  if (!buffer) return count_lost_in_all(CallKind::kAllocation);
  if (site != buffer->site) {
    buffer->put(CallKind::kSite, site ? oriel_method_id(site) : 0, 0);
    buffer->site = site;
  }
  buffer->put(CallKind::kAllocation, klass, bytes);
}

void log_allocation_with_stack(uint32_t klass, uint64_t bytes, const oriel_method* site,
                               std::span<const uintptr_t> frames, bool truncated) {
  const KeptErrno kept;
  if (CallBuffer* buffer = own_buffer()) buffer->put_stack(frames, truncated);
  log_allocation(klass, bytes, site);
}

CallBuffer::CallBuffer(uint32_t thread_id)
    : thread_id_(thread_id), timed_(reinterpret_cast<uintptr_t>(this), modules::TimedSegments::Often::kSeldom) {}

CallBuffer::~CallBuffer() {
  CallChunk* chunk = head_ ? head_ : first_.load(std::memory_order_acquire);
  if (chunk) forget_thread();
  while (chunk) give_back(std::exchange(chunk, chunk->next.load(std::memory_order_acquire)), CallChunk::kWords);
}

void CallBuffer::count_lost(CallKind kind, uint64_t count) {
  (kind == CallKind::kAllocation ? lost_allocations_ : lost_calls_).fetch_add(count, std::memory_order_relaxed);
  count_lost_in_all(kind, count);
}

// A record that there is no room for.
void CallBuffer::lose(CallKind kind) {
  at = end = full_;  // until there is a new chunk
  ++lost_;
  count_lost(kind);
}

// Counts the records of a chunk as lost, but for those that were lost before and are told of in it. Returns the number
// of all that a reader then lacks.
uint64_t CallBuffer::count_records(const CallChunk& chunk, size_t from, size_t frames_to_come) {
  uint64_t calls = 0, allocations = 0, before = 0;
  for (size_t i = from; i < CallChunk::kWords; ++i) {
    const CallWord word = chunk.words[i].load(std::memory_order_relaxed);
    if (word == 0) break;
    if (frames_to_come != 0) {
      --frames_to_come;
    } else if (const CallKind kind = kind_of(word); kind == CallKind{}) {
      frames_to_come = word >> kIdShift >> kDepthBits & kDepthMask;
    } else {
      if (kind == CallKind::kAllocation) ++allocations;
      if (kind < CallKind::kAllocation) ++calls;
      if (kind == CallKind::kLost) before += word >> kValueShift;
    }
  }
  count_lost(CallKind::kEnter, calls);
  count_lost(CallKind::kAllocation, allocations);
  return calls + allocations + before;
}

// Takes the oldest chunk that nobody reads out of the thread's list; nullptr if there is none but the last. Does not
// wait.
CallChunk* CallBuffer::give_up_oldest() {
  if (list_busy_.test_and_set(std::memory_order_acquire)) return nullptr;
  CallChunk* const oldest = head_ ? head_ : first_.load(std::memory_order_relaxed);
  CallChunk* victim = is_reading_ ? oldest->next.load(std::memory_order_relaxed) : oldest;
  CallChunk* const following = victim ? victim->next.load(std::memory_order_relaxed) : nullptr;
  if (following && following->is_whole != 0) {
    following->dropped += victim->dropped + (victim == oldest ? count_records(*victim, read_, frames_to_come_)
                                                              : count_records(*victim, 0, 0));
    if (victim == oldest) {
      head_ = following;
      read_ = 0;
      forget_read();
    } else {
      oldest->next.store(following, std::memory_order_release);
    }
    victim->next.store(nullptr, std::memory_order_relaxed);
    victim->empty(CallChunk::kWords);
  } else {
    victim = nullptr;
  }
  list_busy_.clear(std::memory_order_release);
  return victim;
}

// Whether the thread should encode one of its chunks. Not while a suspension waits for it. With kDropOld what is old
// must stay where it can be given up.
bool CallBuffer::should_encode(WhenFull if_full) const {
  return tail_ && may_encode.load(std::memory_order_relaxed) && !suspending.load(std::memory_order_relaxed) &&
         if_full != WhenFull::kDropOld && is_writer_behind();
}

// The oldest of the thread's chunks: for each that it fills, so that no more of them wait.
void CallBuffer::encode() {
  if (!begin_consuming()) return;
  if (!encoded_) encoded_ = CallsOfThread::make(thread_id_);
  uint64_t since = 0;
  try {
    if (encoded_ && take(encoded_->records(), since)) {
      encoded_->add(since);
      count_lost_of_encoded();
    }
  } catch (const std::bad_alloc&) {  // from stacks of allocations, which are taken here hardly ever
    count_lost(CallKind::kAllocation);
  }
  end_consuming();
}

void CallBuffer::count_lost_of_encoded() {
  const LostCalls lost = encoded_->take_lost();
  count_lost(CallKind::kEnter, lost.calls);
  count_lost(CallKind::kAllocation, lost.allocations);
}

void CallBuffer::close_encoded() {
  if (!encoded_) return;
  encoded_->close();
  count_lost_of_encoded();
}

void CallBuffer::end_encoding() {
  if (encoded_ && encoded_->blocks().empty() && !is_writer_behind()) encoded_.reset();
}

// Waits if needed; nullptr if there is no chunk. The time it takes does not count for the program.
CallChunk* CallBuffer::new_chunk() {
  if (closed.load(std::memory_order_relaxed)) return nullptr;
  const WhenFull if_full = when_full();
  const bool may_have_new = !tail_ || lost_ == 0 || has_caught_up();
  // Without room for each record that is lost: this has to cost little.
  if (!may_have_new && if_full != WhenFull::kDropOld) return nullptr;
  const modules::RunTicks run;
  if (should_encode(if_full)) encode();
  // Each thread gets its first one.
  CallChunk* chunk = !tail_ ? try_new_chunk(Room::kReserve) : may_have_new ? try_new_chunk() : nullptr;
  if (!chunk && if_full == WhenFull::kDropOld) chunk = give_up_oldest();
  // RunTicks leaves out the time without a processor: the thread may lose its processor anywhere, so that time counts
  // for the code that runs.
  taken_ += run.passed();
  if (chunk || lost_ != 0 || if_full != WhenFull::kWait) return chunk;
  const uint64_t begun = ticks();
  chunk = wait_for_chunk();
  taken_ += ticks() - begun;
  waits_.waited(0);  // the wait for the writer does not count
  return chunk;
}

bool CallBuffer::begin_chunk(uint64_t now) {
  CallChunk* chunk = new_chunk();
  timing_since_ = 0;
  if (chunk) begin(chunk, now);
  return chunk != nullptr;
}

// The next allocation tells its site and its stack.
void CallBuffer::forget_site() {
  site = nullptr;
  last_depth_ = 0;
}

// Starts a chunk now. The number of records lost before it comes first.
void CallBuffer::begin(CallChunk* chunk, uint64_t now) {
  chunk->base = now;
  at = chunk->words;
  full_ = at + CallChunk::kWords;
  end = at + (timed_.next() - 2);
  base = now;
  if (lost_ != 0) {
    at++->store(call_word(CallKind::kLost, 0, std::exchange(lost_, 0)), std::memory_order_release);
    forget_site();
    end = std::max(end, at);
  }
  if (when_full() == WhenFull::kDropOld) {  // the chunk before it may be dropped
    forget_site();
    chunk->is_whole = 1;
  }
  if (!tail_) count_thread();
  (tail_ ? tail_->next : first_).store(chunk, std::memory_order_release);
  tail_ = chunk;
}

void CallBuffer::push(CallWord word, uint64_t now) {
  if (at == full_ && !begin_chunk(now)) return lose(kind_of(word));
  at++->store(word, std::memory_order_release);
  end = std::max(end, at);
}

void CallBuffer::put_call(CallKind kind, uint32_t id) {
  const uint64_t timed = timing_since_ != 0 ? serialized_ticks() - timing_since_ : 0;
  const uint64_t now = ticks();
  tell_segment(timed, now);
  put(kind, id, now);
  last = now;
  choose_timed(timed != 0);
}

void CallBuffer::tell_segment(uint64_t timed, uint64_t now) {
  const uint64_t taken = std::exchange(taken_, 0);
  const uint64_t spent = last != 0 ? now - last : 0;
  if (taken != 0) {
    tell(CallKind::kTaken, taken, now);
  } else if (timed != 0 && timed <= modules::kLongSegment) {
    tell(CallKind::kTimed, timed, now);
  }
  if (spent <= modules::kMayHaveWaited || spent <= taken) return;
  if (const uint64_t waited = waits_.waited(spent - taken)) tell(CallKind::kWaited, waited, now);
  take_out(ticks() - now);  // not the system calls' whole time: the thread may have lost its processor in them
}

void CallBuffer::tell(CallKind kind, uint64_t value, uint64_t now) {
  if (at == full_) return;  // not worth a new chunk
  const auto what = static_cast<uint64_t>(std::find(kOfSegments, std::end(kOfSegments), kind) - kOfSegments);
  value = std::min(value, kMostOfSegment);
  const uint64_t above = what << kSegmentShift | value >> kIdBits << kSegmentValueShift;
  push(call_word(CallKind::kSite, value & 0xffffff, above), now);
}

// Called after an event was stored; sets `end`, up to which the next events need only be stored.
void CallBuffer::choose_timed(bool timed) {
  timing_since_ = 0;
  if (timed) {
    end = at + std::min<ptrdiff_t>(full_ - at, timed_.next() - 2);
  } else if (at == end && at != full_) {
    timing_since_ = serialized_ticks();
  }
}

bool CallBuffer::make_room(bool time_all) {
  if (time_all) timed_.all();
  CallChunk* chunk = try_new_chunk(Room::kReserve);
  if (chunk) begin(chunk, ticks());
  return chunk != nullptr;
}

void CallBuffer::put(CallKind kind, uint32_t id, uint64_t value) {
  const bool timed = kind <= CallKind::kLeaveByTailCall;
  const uint64_t now = timed ? value : ticks();
  // Get the chunk first: all words of a record are in one chunk, and times are relative to its start.
  const bool too_late = timed && tail_ && (now - base) >> (kValueBits - 1) != 0;
  if ((too_late || full_ - at < 2) && !begin_chunk(now)) return lose(kind);
  if (timed) value = now - base;
  if (kind == CallKind::kSite) {
    push(call_word(kind, id & 0xffffff, kSiteOnly | uint64_t{id >> kIdBits} << 1), now);
    return;
  }
  if (id >> kIdBits != 0 || value >> kValueBits != 0) {
    const uint64_t more = kMoreBits | uint64_t{id >> kIdBits} << 1 | (value >> kValueBits) << (1 + kMoreIdBits);
    push(call_word(CallKind::kSite, 0, more), now);
  }
  push(call_word(kind, id & 0xffffff, value & ((uint64_t{1} << kValueBits) - 1)), now);
}

void CallBuffer::put_stack(std::span<const uintptr_t> frames, bool truncated) {
  frames = frames.first(std::min<size_t>(frames.size(), ORIEL_MAX_FRAMES));
  if (!last_stack_) last_stack_.reset(new (std::nothrow) uintptr_t[ORIEL_MAX_FRAMES]);
  if (!last_stack_) return;
  const uint64_t now = ticks();
  const bool too_late = tail_ && (now - base) >> (kValueBits - 1) != 0;
  // Get the room first: starting a new chunk may reset the last stack.
  if ((too_late || static_cast<size_t>(full_ - at) < frames.size() + 1) && !begin_chunk(now)) {
    at = end = full_;  // the allocation that follows counts as lost
    last_depth_ = 0;
    return;
  }
  const size_t shared = shared_frames(frames, {last_stack_.get(), last_depth_});
  if (shared == frames.size() && shared == last_depth_ && truncated == last_truncated_) return;
  const size_t fresh = frames.size() - shared;
  const uint64_t id = kStackMark | (truncated ? kStackTruncated : 0) | fresh << kDepthBits | shared;
  at++->store(call_word(CallKind{}, id, now - base), std::memory_order_release);
  for (size_t i = fresh; i-- > 0;) at++->store(frames[i], std::memory_order_release);
  end = std::max(end, at);
  std::copy(frames.begin(), frames.end(), last_stack_.get());
  last_depth_ = frames.size();
  last_truncated_ = truncated;
}

// Consumer: the chunk at head_ stays from now on until close_read(); false if there is none.
bool CallBuffer::open_next() {
  while (list_busy_.test_and_set(std::memory_order_acquire)) sched_yield();
  if (!head_) head_ = first_.load(std::memory_order_acquire);
  is_reading_ = head_ != nullptr;
  list_busy_.clear(std::memory_order_release);
  return is_reading_;
}

// Consumer: has read from the chunk, to its end or not.
void CallBuffer::close_read(bool to_end) {
  while (list_busy_.test_and_set(std::memory_order_acquire)) sched_yield();
  CallChunk* const chunk = head_;
  if (to_end) {
    head_ = chunk->next.load(std::memory_order_acquire);
    read_ = 0;
  }
  is_reading_ = false;
  list_busy_.clear(std::memory_order_release);
  if (to_end) give_back(chunk, CallChunk::kWords);
}

// What the consumer knew of the records before is not true any more.
void CallBuffer::tell_lost(uint64_t count, std::vector<log::CallRecord>& records) {
  forget_read();
  records.push_back({CallKind::kLost, 0, count});
  records.push_back({CallKind::kSite, 0, 0});
}

bool CallBuffer::take(std::vector<log::CallRecord>& records, uint64_t& since) {
  const uint64_t now = ticks();
  bool any = false;
  while (!any && open_next()) {
    records.clear();
    taken_stacks_.clear();
    if (read_ == 0) base_ = head_->base;
    // Load `next` first: once it is set, nothing more is written to this chunk.
    const bool is_full = head_->next.load(std::memory_order_acquire) != nullptr;
    since = base_;
    size_t before = 0;
    if (head_->dropped != 0) {
      tell_lost(std::exchange(head_->dropped, 0), records);
    } else {
      if (site_ != 0) records.push_back({CallKind::kSite, site_, 0});
      if (!stack_.empty() && frames_to_come_ == 0) add_stack(records);
      before = records.size();
    }
    decode_chunk(records);
    base_ = now;
    any = records.size() != before;
    close_read(is_full);
    if (!is_full) break;
  }
  if (!any) records.clear();
  return any;
}

// Decodes the words of the chunk that are there. Most are calls and allocations whose ids and values fit: these go by
// the array, as a vector looks for room at each element.
void CallBuffer::decode_chunk(std::vector<log::CallRecord>& records) {
  constexpr size_t kAtOnce = 128;
  log::CallRecord plain[kAtOnce];
  size_t filled = 0;
  const auto append = [&] { records.insert(records.end(), plain, plain + std::exchange(filled, 0)); };
  const uint64_t begun = head_->base;
  for (; read_ < CallChunk::kWords; ++read_) {
    const CallWord word = head_->words[read_].load(std::memory_order_acquire);
    if (word == 0) break;
    const CallKind kind = kind_of(word);
    if (frames_to_come_ == 0 && kind >= CallKind::kEnter && kind <= CallKind::kAllocation &&
        (more_id_ | more_value_) == 0) [[likely]] {
      plain[filled++] = {kind, id_of(word), (word >> kValueShift) + (kind != CallKind::kAllocation ? begun : 0)};
      if (filled == kAtOnce) append();
    } else {
      append();
      decode(word, records);
    }
  }
  append();
}

void CallBuffer::add_stack(std::vector<log::CallRecord>& records) {
  TakenStacks& taken = taken_stacks_;
  records.push_back({CallKind::kStack, 0, taken.stacks.size()});
  taken.stacks.push_back({stack_time_, stack_truncated_, taken.frames.size(), stack_.size()});
  taken.frames.insert(taken.frames.end(), stack_.begin(), stack_.end());
}

// Decodes a stack's first word, or one of its frames.
void CallBuffer::decode_stack(CallWord word, std::vector<log::CallRecord>& records) {
  if (frames_to_come_ != 0) {
    stack_.push_back(word);
    --frames_to_come_;
  } else {
    const uint64_t id = word >> kIdShift;
    stack_.resize(std::min<size_t>(id & kDepthMask, stack_.size()));
    frames_to_come_ = id >> kDepthBits & kDepthMask;
    stack_truncated_ = (id & kStackTruncated) != 0;
    stack_time_ = head_->base + (word >> kValueShift);
  }
  if (frames_to_come_ == 0) add_stack(records);
}

// Returns whether a kSite word is about a segment.
bool CallBuffer::decode_segment(CallWord word, std::vector<log::CallRecord>& records) {
  const uint64_t value = word >> kValueShift;
  const CallKind kind = kOfSegments[value >> kSegmentShift & 3];
  if ((value & 1) == kMoreBits || kind == CallKind{}) return false;
  const uint64_t id = id_of(word);
  records.push_back({kind, 0, id | value >> kSegmentValueShift << kIdBits});
  return true;
}

void CallBuffer::decode(CallWord word, std::vector<log::CallRecord>& records) {
  if (frames_to_come_ != 0 || kind_of(word) == CallKind{}) return decode_stack(word, records);
  const CallKind kind = kind_of(word);
  uint64_t id = id_of(word);
  uint64_t value = word >> kValueShift;
  if (kind == CallKind::kSite) {
    if (decode_segment(word, records)) return;
    const uint64_t id_bits = value >> 1 & ((1u << kMoreIdBits) - 1);
    if ((value & 1) == kMoreBits) {
      more_id_ = id_bits << kIdBits;
      more_value_ = value >> (1 + kMoreIdBits) << kValueBits;
      return;
    }
    site_ = static_cast<uint32_t>(id | id_bits << kIdBits);
    records.push_back({kind, site_, 0});
    return;
  }
  if (kind == CallKind::kLost) return tell_lost(value, records);
  id |= more_id_;
  value |= more_value_;
  if (more_id_ | more_value_) more_id_ = more_value_ = 0;
  if (kind <= CallKind::kLeaveByTailCall) value += head_->base;
  records.push_back({kind, static_cast<uint32_t>(id), value});
}

void CallBuffer::forget_read() {
  more_id_ = more_value_ = site_ = 0;
  stack_.clear();
  frames_to_come_ = 0;
}

void suspension_begins() { suspending.store(true, std::memory_order_relaxed); }
void suspension_ends() { suspending.store(false, std::memory_order_relaxed); }

void let_threads_encode(bool may) { may_encode.store(may, std::memory_order_relaxed); }

void close_call_buffers() { closed.store(true, std::memory_order_relaxed); }
void open_call_buffers() { closed.store(false, std::memory_order_relaxed); }

LostCalls calls_lost() {
  return {calls_lost_in_all.load(std::memory_order_relaxed), allocations_lost_in_all.load(std::memory_order_relaxed)};
}

}  // namespace oriel::log_module
