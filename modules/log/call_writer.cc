#include "call_writer.h"

#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "call_buffer.h"
#include "call_chunks.h"
#include "encoded_calls.h"

namespace oriel::log_module {
namespace {

// Limit of one thread's chunks in one drain: 2 MB of records.
constexpr int kChunksAtOnce = 32;

// The consumer's turn, as long as this lives, if it is begun.
class Consuming {
 public:
  explicit Consuming(CallBuffer& buffer) : buffer_(buffer), is_begun_(buffer.begin_consuming()) {}
  ~Consuming() {
    if (is_begun_) buffer_.end_consuming();
  }
  Consuming(const Consuming&) = delete;
  Consuming& operator=(const Consuming&) = delete;

  bool is_begun() const { return is_begun_; }  // else the thread encodes

 private:
  CallBuffer& buffer_;
  const bool is_begun_;
};

bool has_time(log::CallKind kind) { return kind <= log::CallKind::kLeaveByTailCall; }
bool is_of_segment(log::CallKind kind) {
  return kind == log::CallKind::kTimed || kind == log::CallKind::kWaited || kind == log::CallKind::kTaken;
}

}  // namespace

// Not where records have to be told from those of another log, or of methods that are not chosen, nor with allocations,
// whose classes only the writer knows.
bool CallWriter::may_threads_encode() const {
  return checks_from_ == UINT64_MAX && most_pending_ == UINT64_MAX && compress_ != Compress::kAll &&
         !recorder_.allocations.any();
}

unsigned CallWriter::drain() {
  let_threads_encode(may_threads_encode());
  processor_.begin();
  const unsigned full = write_all();
  processor_.end();
  return full;
}

// Compression takes about as long as a pair of calls takes to log. It must not hold up threads that log, be it that
// they want the processor or that they wait for their records to be written.
bool CallWriter::compresses() const {
  if (compress_ != Compress::kAuto) return compress_ == Compress::kAll;
  return processor_.is_free() && has_time_to_compress();
}

// Returns in hundredths how full the buffers were: the fullest one, or the room of all of them.
unsigned CallWriter::write_all() {
  const unsigned filled = filled_percent();
  int most = 0;
  call_buffers.drain([&](CallBuffer& buffer) {
    const Consuming consuming(buffer);
    if (consuming.is_begun() && write_encoded(buffer)) return write_all_of(buffer, most);
    most = kChunksAtOnce;
    return false;
  });
  return std::max(filled, static_cast<unsigned>(most) * 100 / kChunksAtOnce);
}

// Returns whether that was all; raises `most` to the chunks that were written.
bool CallWriter::write_all_of(CallBuffer& buffer, int& most) {
  uint64_t base = 0;
  for (int chunk = 0; chunk < kChunksAtOnce; ++chunk) {
    most = std::max(most, chunk);
    if (chunk != 0 && writer_.bytes_pending() > most_pending_) break;
    if (!buffer.take(records_, base)) {
      tell_lost(buffer);
      return true;
    }
    if (checks_from_ != UINT64_MAX) leave_out_others(buffer, base);
    if (records_.empty()) continue;
    if (!buffer.taken_stacks().stacks.empty()) find_nodes(buffer.taken_stacks());
    need_names(records_);
    write_names(buffer.thread_id());
    writer_.stacks(stacks_.take_new_nodes());
    writer_.calls(buffer.thread_id(), base, records_, {compresses(), chunk != 0});
  }
  most = kChunksAtOnce;
  tell_lost(buffer);
  return false;
}

// The blocks that the thread made itself, with the names that they need; false: there are more than should be written
// at once, and they come before what is taken.
bool CallWriter::write_encoded(CallBuffer& buffer) {
  buffer.close_encoded();
  CallsOfThread* const encoded = buffer.encoded();
  if (!encoded) return true;
  while (!encoded->blocks().empty()) {
    const EncodedCalls& calls = encoded->blocks().front();
    if (since_ == 0) {  // else it is an earlier log's
      if (writer_.bytes_pending() > kMostPending) return false;
      for (const uint32_t method : calls.methods) {
        method_ = method;
        if (modules::mark(methods_, method)) names_.need(log::FieldKind::kMethod, method);
      }
      write_names(buffer.thread_id());
      writer_.whole_blocks(calls.block);
    }
    encoded->forget_blocks(1);
  }
  buffer.end_encoding();
  return true;
}

void CallWriter::write_names(uint32_t thread) {
  names_.need_thread(thread);
  log::Mapping mapping = names_.take();
  mapping.start = mapping.end = clock_pair();
  writer_.mapping(mapping);
}

void CallWriter::tell_lost(CallBuffer& buffer) {
  const LostCalls now = buffer.lost(), told = std::exchange(buffer.told_lost, now);
  if (now == told) return;
  log::LostOfThread& of_thread = lost_.of(buffer.thread_id());
  of_thread.calls += now.calls - told.calls;
  of_thread.allocations += now.allocations - told.allocations;
}

bool CallWriter::is_chosen(const log::CallRecord& record, uint32_t site) const {
  if (has_time(record.kind)) return recorder_.calls.contains(record.id);
  if (record.kind == log::CallKind::kAllocation) return site == 0 || recorder_.allocations.contains(site);
  return true;
}

// Removes the records that are not for this log: those from before it began, and those that a thread logged just when
// its method stopped being chosen. The segment that ends at the log's first call began before the log.
void CallWriter::leave_out_others(CallBuffer& buffer, uint64_t base) {
  bool begun = buffer.begun_in == since_;
  uint32_t site = 0;
  uint64_t time = base;  // the approximate time of allocations
  std::erase_if(records_, [&](const log::CallRecord& record) {
    if (record.kind == log::CallKind::kSite) site = record.id;
    if (!begun && (is_of_segment(record.kind) || record.kind == log::CallKind::kLost)) return true;
    if (has_time(record.kind)) {
      time = record.value;
      if (time < since_) return true;
      begun = true;
    }
    return time >= checks_from_ && !is_chosen(record, site);
  });
  if (begun) buffer.begun_in = since_;
}

// Replaces the values of stacks by the log's nodes.
void CallWriter::find_nodes(const TakenStacks& taken) {
  for (log::CallRecord& record : records_) {
    if (record.kind != log::CallKind::kStack) continue;
    const TakenStacks::Stack& stack = taken.stacks[record.value];
    const uintptr_t* outermost = taken.frames.data() + stack.first;
    frames_.assign(std::reverse_iterator(outermost + stack.depth), std::reverse_iterator(outermost));
    record.value =
        stacks_.node_of_allocation({stack.time, 0, 1, stack.truncated, frames_.data(), frames_.size()}, true);
  }
}

void CallWriter::need_names(const std::vector<log::CallRecord>& records) {
  uint32_t before = 0;  // of a leaf, the exit's method is known from its enter
  for (const log::CallRecord& record : records) {
    if (has_time(record.kind) && record.id == std::exchange(before, record.id)) continue;
    switch (record.kind) {
      case log::CallKind::kAllocation:
        class_ = record.id;
        if (modules::mark(classes_, record.id)) names_.need(log::FieldKind::kClass, record.id);
        break;
      case log::CallKind::kLost:
      case log::CallKind::kStack:
      case log::CallKind::kTimed:
      case log::CallKind::kWaited:
      case log::CallKind::kTaken:
        break;
      case log::CallKind::kEnter:
        method_ = record.id;
        [[fallthrough]];
      default:
        if (modules::mark(methods_, record.id)) names_.need(log::FieldKind::kMethod, record.id);
    }
  }
}

}  // namespace oriel::log_module
