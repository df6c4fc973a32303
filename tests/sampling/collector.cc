#include "sampling/collector.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "base/process/thread_id.h"
#include "sampling/signal/state.h"

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
  for (size_t i = 0; i < sample_count(); i++) taken[i].os_thread = 0;
  taken_count = 0;
  periods_taken = 0;
  keep_stacks = with_stacks;
}

void collect(const Sample& sample) {
  periods_taken += sample.periods;
  const size_t index = taken_count++;
  if (index >= kMaxTaken) return;
  Taken& one = taken[index];
  one.ip = sample.ip;
  one.slot = sample.slot;
  one.periods = sample.periods;
  one.in_page_fault = sample.in_page_fault;
  one.waits = sample.waits;
  one.depth = 0;
  if (keep_stacks)
    one.depth = static_cast<uint32_t>(sample_stack(sample, one.frames, ORIEL_MAX_FRAMES, &one.truncated));
  one.os_thread.store(sample.os_thread, std::memory_order_release);
}

size_t sample_count() { return std::min(taken_count.load(), kMaxTaken); }
const Taken& sample_at(size_t index) { return taken[index]; }

uint64_t total_periods() { return periods_taken; }

namespace {

uint64_t sum_of(uint32_t os_thread, bool only_waits) {
  uint64_t sum = 0;
  for (size_t i = 0; i < sample_count(); i++) {
    const bool its = taken[i].os_thread.load(std::memory_order_acquire) == os_thread;
    if (its && (taken[i].waits || !only_waits)) sum += taken[i].periods;
  }
  return sum;
}

}  // namespace

uint64_t periods_of(uint32_t os_thread) { return sum_of(os_thread, false); }
uint64_t waits_of(uint32_t os_thread) { return sum_of(os_thread, true); }

int64_t thread_cpu_ns() { return read(CLOCK_THREAD_CPUTIME_ID); }
int64_t wall_ns() { return read(CLOCK_MONOTONIC); }

void burn_cpu(int64_t ns) {
  const int64_t until = thread_cpu_ns() + ns;
  volatile uint64_t sink = 0;
  while (thread_cpu_ns() < until) {
    for (int i = 0; i < 20'000; i++) sink = sink + static_cast<uint64_t>(i);
  }
}

bool burn_until(const std::function<bool()>& condition) {
  const int64_t until = thread_cpu_ns() + 30'000'000'000;
  while (!condition()) {
    if (thread_cpu_ns() > until) return false;
    for (int i = 0; i < 20'000; i++) asm volatile("");
  }
  return true;
}

bool samples_catch_up(int64_t since_ns, uint32_t hz) {
  const auto own = thread_id();
  return burn_until([&] {
    const double used = static_cast<double>(thread_cpu_ns() - since_ns) * hz / 1e9;
    return std::abs(used - static_cast<double>(periods_of(own))) <= 2;
  });
}

bool is_found(uint32_t os_thread) {
  for (uint32_t i = 0; i < state.slots_used.load(); i++) {
    if (state.slots[i].tid.load() == os_thread) return true;
  }
  return false;
}

Error configure_patiently(oriel_sample_mode mode, uint32_t hz, SampleHandler handler) {
  Error error = configure(mode, hz, handler);
  for (int i = 0; error != nullptr && i < 50; i++) {
    usleep(20'000);
    error = configure(mode, hz, handler);
  }
  return error;
}

Sampling::Sampling(oriel_sample_mode mode, uint32_t hz, bool with_stacks) {
  clear_samples(with_stacks);
  error_ = configure_patiently(mode, hz, collect);
}

Sampling::~Sampling() { configure_patiently(ORIEL_SAMPLE_NONE, 0, nullptr); }

}  // namespace oriel::sampling::testing
