// What a sample costs the sampled thread, by depth of its stack (native code with frame pointers): from the handler's
// begin, which reads the clock, to the end of the walk; and the walk alone.
//
//   bench_sampling        prints a table of nanoseconds
#include <time.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <thread>

#include "base/clock.h"
#include "sampling/sampling.h"

using namespace oriel;

namespace {

constexpr size_t kMaxSamples = 20'000;
uint64_t whole_time[kMaxSamples];
uint64_t walk_time[kMaxSamples];
uint32_t walk_depth[kMaxSamples];
std::atomic<size_t> samples{0};

int64_t clock_ns(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
}

void on_sample(const sampling::Sample& sample) {
  static thread_local uintptr_t frames[ORIEL_MAX_FRAMES];
  const uint64_t before = clock_counter();
  const size_t depth = sampling::sample_stack(sample, frames, ORIEL_MAX_FRAMES, nullptr);
  const uint64_t after = clock_counter();
  const size_t index = samples++;
  if (index >= kMaxSamples) return;
  whole_time[index] = after - sample.time;
  walk_time[index] = after - before;
  walk_depth[index] = static_cast<uint32_t>(depth);
}

// Several functions in turn, so that a stack has as many call sites as a program's.
template <int kKind>
__attribute__((noinline)) uint64_t descend(int depth, int64_t ns) {
  uint64_t sum = 0;
  if (depth <= 0) {
    const int64_t until = clock_ns(CLOCK_THREAD_CPUTIME_ID) + ns;
    while (clock_ns(CLOCK_THREAD_CPUTIME_ID) < until) {
      for (int i = 0; i < 100'000; i++) asm volatile("" : "+r"(sum));
    }
    return sum;
  }
  sum = descend<(kKind * 7 + 3) % 61>(depth - 1, ns);
  asm volatile("" : "+r"(sum));
  return sum + kKind;
}

double ns_per_count() {
  const uint64_t counter = clock_counter();
  const int64_t start = clock_ns(CLOCK_MONOTONIC);
  while (clock_ns(CLOCK_MONOTONIC) - start < 50'000'000) continue;
  return static_cast<double>(clock_ns(CLOCK_MONOTONIC) - start) / static_cast<double>(clock_counter() - counter);
}

void measure(int depth, double scale) {
  samples = 0;
  if (const sampling::Error error = sampling::configure(ORIEL_SAMPLE_PROCESS, 1000, on_sample)) {
    std::fprintf(stderr, "bench_sampling: %s\n", error);
    return;
  }
  std::thread([depth] { descend<0>(depth, 1'500'000'000); }).join();
  sampling::configure(ORIEL_SAMPLE_NONE, 0, nullptr);
  const size_t count = std::min(samples.load(), kMaxSamples);
  if (count == 0) return;
  std::printf("%7u %8zu", walk_depth[count / 2], count);
  for (uint64_t* all : {whole_time, walk_time}) {
    std::sort(all, all + count);
    for (const size_t at : {size_t{0}, count / 2, count * 95 / 100}) {
      std::printf(" %9.0f", static_cast<double>(all[at]) * scale);
    }
  }
  std::printf("\n");
}

}  // namespace

int main() {
  const double scale = ns_per_count();
  std::printf("%7s %8s %29s %29s\n", "", "", "handler and walk, ns", "walk alone, ns");
  std::printf("%7s %8s %9s %9s %9s %9s %9s %9s\n", "frames", "samples", "min", "median", "95 %", "min", "median",
              "95 %");
  for (const int depth : {5, 43, 193, 893}) measure(depth, scale);
  return 0;
}
