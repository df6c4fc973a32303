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
  for_each_call_buffer([&](CallBuffer& buffer) {
    uint64_t base = 0;
    for (int chunk = 0; chunk < kChunksAtOnce; ++chunk) {
      most = std::max(most, chunk);
      if (!buffer.take(records_, base)) return true;
      need_names(records_);
      names_.need_thread(buffer.thread_id());
      log::Mapping mapping = names_.take();
      mapping.start = mapping.end = clock_pair();
      writer_.mapping(mapping);
      writer_.calls(buffer.thread_id(), base, records_);
    }
    most = kChunksAtOnce;
    return false;
  });
  return static_cast<unsigned>(most) * 100 / kChunksAtOnce;
}

void CallWriter::need_names(const std::vector<log::CallRecord>& records) {
  for (const log::CallRecord& record : records) {
    switch (record.kind) {
      case log::CallKind::kAllocation:
        if (modules::mark(classes_, record.id)) names_.need(log::FieldKind::kClass, record.id);
        break;
      case log::CallKind::kLost:
        break;
      default:
        if (modules::mark(methods_, record.id)) names_.need(log::FieldKind::kMethod, record.id);
    }
  }
}

}  // namespace oriel::logging
