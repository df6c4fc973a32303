#include "sampling/collector.h"

#include <sys/mman.h>

#include <algorithm>

namespace oriel::sampling::testing {
namespace {

Taken* taken = static_cast<Taken*>(mmap(nullptr, kMaxTaken * sizeof(Taken), PROT_READ | PROT_WRITE,
                                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
std::atomic<size_t> taken_count{0};
std::atomic<uint64_t> periods_taken{0};
std::atomic<bool> keep_stacks{false};

int64_t read(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
}

}  // namespace

void clear_samples(bool with_stacks) {
  taken_count = 0;
  periods_taken = 0;
  keep_stacks = with_stacks;
}

void collect(const Sample& sample) {
  periods_taken += sample_periods(sample);
  const size_t index = taken_count++;
  if (index >= kMaxTaken) return;
  Taken& one = taken[index];
  one.ip = sample_ip(sample);
  one.os_thread = sample_os_thread(sample);
  one.slot = sample_slot(sample);
  one.periods = sample_periods(sample);
  one.depth = 0;
  if (keep_stacks) one.depth = static_cast<uint32_t>(sample_stack(sample, one.frames, kMaxFrames, &one.truncated));
}

size_t sample_count() { return std::min(taken_count.load(), kMaxTaken); }
const Taken& sample_at(size_t index) { return taken[index]; }

uint64_t total_periods() { return periods_taken; }

uint64_t periods_of(uint32_t os_thread) {
  uint64_t sum = 0;
  for (size_t i = 0; i < sample_count(); i++) {
    if (taken[i].os_thread == os_thread) sum += taken[i].periods;
  }
  return sum;
}

int64_t thread_cpu_ns() { return read(CLOCK_THREAD_CPUTIME_ID); }
int64_t wall_ns() { return read(CLOCK_MONOTONIC); }

void burn_cpu(int64_t ns) {
  const int64_t until = thread_cpu_ns() + ns;
  volatile uint64_t sink = 0;
  while (thread_cpu_ns() < until) {
    for (int i = 0; i < 20'000; i++) sink = sink + static_cast<uint64_t>(i);
  }
}

Sampling::Sampling(Mode mode, uint32_t hz, bool with_stacks) {
  clear_samples(with_stacks);
  error_ = configure(mode, hz, collect);
}

Sampling::~Sampling() { configure(Mode::kNone, 0, nullptr); }

}  // namespace oriel::sampling::testing
