#include "runtimes/coreclr/heap/finalizer_queues.h"

#include <algorithm>

#include "runtimes/coreclr/heap/method_table.h"

namespace oriel::coreclr {
namespace {

// Where the parts of a list end: by generation, the oldest first; then what is to run, critical finalizers first.
// Behind these, the list itself and its end.
constexpr uint32_t kGenerations = 5, kParts = kGenerations + 2, kDescription = kParts + 2;

}  // namespace

bool FinalizerQueues::prepare() {
  memory_ = PageMemory(kMostQueues * sizeof(Queue));
  return static_cast<bool>(memory_);
}

void FinalizerQueues::look_through(uintptr_t start, uintptr_t end) {
  if (end - start < kDescription * kWord) return;
  for (uintptr_t place = start; place <= end - kDescription * kWord; place += kWord) {
    Queue queue{};
    if (word_at<uintptr_t>(place) == 0 || count_ == kMostQueues || !read(place, queue)) continue;
    memory_.as<Queue>()[count_++] = queue;
    lowest_ = std::min(lowest_, queue.start);
    highest_ = std::max(highest_, queue.end);
  }
}

bool FinalizerQueues::read(uintptr_t place, Queue& queue) const {
  constexpr uintptr_t kLongest = uintptr_t{1} << 32;
  const auto word = [place](uint32_t index) { return word_at<uintptr_t>(place + index * kWord); };
  for (uint32_t part = 0; part + 1 < kParts; ++part)
    if (word(part) > word(part + 1) || word(part + 1) - word(part) > kLongest) return false;
  queue = {word(kParts), word(kGenerations - 1), word(kParts - 1), word(kParts + 1)};
  if (queue.start > word(0) || queue.to_run_end > queue.end || queue.start % kWord != 0 ||
      queue.to_run_end == queue.start || !areas_.has(queue.start, queue.end - queue.start))
    return false;
  for (uintptr_t at = queue.start; at < queue.to_run_end; at += kWord) {
    const auto object = word_at<uintptr_t>(at);
    if (objects_.number_of(object) == ObjectMap::kNone || !MethodTable(method_table_of(object)).has_finalizer)
      return false;
  }
  return true;
}

}  // namespace oriel::coreclr
