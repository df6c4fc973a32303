#include "runtimes/coreclr/heap/finalizer_queues.h"

#include <algorithm>
#include <iterator>

#include "runtimes/coreclr/heap/method_table.h"

namespace oriel::coreclr {
namespace {

// Where the parts of a list end: by generation, the oldest first; then what is to run, critical finalizers first.
// Behind these, the list itself and its end.
constexpr uint32_t kGenerations = 5, kParts = kGenerations + 2;
static_assert(FinalizerQueues::kDescribed == (kParts + 2) * kWord);

}  // namespace

bool FinalizerQueues::prepare() {
  memory_ = PageMemory(kMostQueues * sizeof(Queue));
  return static_cast<bool>(memory_);
}

void FinalizerQueues::look_through(uintptr_t start, uintptr_t end) {
  if (end - start < kDescribed) return;
  const uintptr_t shift = native_.shift();
  for (uintptr_t place = start; place <= end - kDescribed; place += kWord) {
    Queue queue{};
    if (word_at<uintptr_t>(place + shift) == 0 || count_ == kMostQueues || !read(place, queue)) continue;
    memory_.as<Queue>()[count_++] = queue;
    lowest_ = std::min(lowest_, queue.start);
    highest_ = std::max(highest_, queue.end);
  }
}

bool FinalizerQueues::read(uintptr_t place, Queue& queue) const {
  constexpr uintptr_t kLongest = uintptr_t{1} << 32;
  const auto word = [&](uint32_t index) { return native_.at<uintptr_t>(place + index * kWord); };
  for (uint32_t part = 0; part + 1 < kParts; ++part)
    if (word(part) > word(part + 1) || word(part + 1) - word(part) > kLongest) return false;
  queue = {word(kParts), word(kGenerations - 1), word(kParts - 1), word(kParts + 1)};
  if (queue.start > word(0) || queue.to_run_end > queue.end || queue.start % kWord != 0 ||
      queue.to_run_end == queue.start || !areas_.has(queue.start, queue.end - queue.start))
    return false;
  uintptr_t entries[256];
  for (uintptr_t at = queue.start; at < queue.to_run_end; at += sizeof entries) {
    const size_t count = std::min<size_t>((queue.to_run_end - at) / kWord, std::size(entries));
    if (!native_.copy(at, entries, count * kWord) ||
        !std::all_of(entries, entries + count, [&](uintptr_t object) { return has_finalizer(object); }))
      return false;
  }
  return true;
}

bool FinalizerQueues::has_finalizer(uintptr_t object) const {
  return objects_.number_of(object) != ObjectMap::kNone && MethodTable(method_table_of(object)).has_finalizer;
}

}  // namespace oriel::coreclr
