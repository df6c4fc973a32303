#include "call_writer.h"

#include <algorithm>

#include "base/clock.h"
#include "call_buffer.h"

namespace oriel::logging {
namespace {

// What one thread has written at once: 2 MB of records.
constexpr int kChunksAtOnce = 32;

}  // namespace

unsigned CallWriter::drain() {
  int most = 0;
  call_buffers.drain([&](CallBuffer& buffer) {
    uint64_t base = 0;
    for (int chunk = 0; chunk < kChunksAtOnce; ++chunk) {
      most = std::max(most, chunk);
      if (!buffer.take(records_, base)) return true;
      find_nodes(buffer.taken_stacks());
      need_names(records_);
      names_.need_thread(buffer.thread_id());
      log::Mapping mapping = names_.take();
      mapping.start = mapping.end = clock_pair();
      writer_.mapping(mapping);
      writer_.stacks(stacks_.take_new_nodes());
      writer_.calls(buffer.thread_id(), base, records_);
    }
    most = kChunksAtOnce;
    return false;
  });
  return static_cast<unsigned>(most) * 100 / kChunksAtOnce;
}

// Stacks get the log's nodes for values.
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
  for (const log::CallRecord& record : records) {
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

}  // namespace oriel::logging
