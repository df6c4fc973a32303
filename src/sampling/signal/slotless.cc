
#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "sampling/signal/slots.h"

namespace oriel::sampling {
namespace {

struct Slotless {
  uint32_t tid;
  int64_t accounted;  // as Slot::accounted
};

struct Scan {
  Slotless threads[ORIEL_MAX_SAMPLED_THREADS];
  uint32_t count = 0;
};

Scan scans[2];
Scan* before = &scans[0];  // by thread
Scan* now = &scans[1];

}  // namespace

int64_t uncounted_since(uint32_t tid, int64_t cpu) {
  const Slotless* const begin = before->threads;
  const Slotless* const end = begin + before->count;
  const auto is_below = [](const Slotless& thread, uint32_t value) { return thread.tid < value; };
  const Slotless* const found = std::lower_bound(begin, end, tid, is_below);
  // If the time went back, it belongs to another thread with the same id.
  return found != end && found->tid == tid && found->accounted <= cpu ? found->accounted : -1;
}

void count_without_slot(uint32_t tid, int64_t begin) {
  const int64_t cpu = read_clock_ns(cpu_clock_of(tid));
  if (cpu < 0 || is_excluded(tid) || now->count == ORIEL_MAX_SAMPLED_THREADS) return;
  const int64_t period = state.period_ns;
  int64_t since = uncounted_since(tid, cpu);
  // A random phase, so that the sum over many threads is right.
  if (since < 0) since = begin - random_below(period);
  const int64_t periods = std::max<int64_t>((cpu - since) / period, 0);
  count_lost(ORIEL_LOST_THREAD_LIMIT, static_cast<uint64_t>(periods));
  now->threads[now->count++] = {tid, since + periods * period};
}

void end_scan_of_slotless() {
  const auto is_before = [](const Slotless& a, const Slotless& b) { return a.tid < b.tid; };
  std::sort(now->threads, now->threads + now->count, is_before);
  std::swap(before, now);
  now->count = 0;
}

void forget_slotless() { before->count = now->count = 0; }

}  // namespace oriel::sampling
