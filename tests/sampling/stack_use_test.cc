// What a sample needs of the interrupted thread's stack: the frame that the system itself puts there, and next to
// nothing more, so that a thread with a few kilobytes left lives on.
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#include <csignal>
#include <cstring>

#include "sampling/collector.h"
#include "sampling/signal/state.h"

namespace oriel::sampling::testing {
namespace {

constexpr size_t kStackBytes = 256 << 10;
constexpr unsigned char kUntouched = 0xa5;
// Where the system does not say how much its frame may take.
constexpr size_t kFrameBytes = 2048;

struct Measured {
  unsigned char* stack = nullptr;
  size_t used = 0;  // bytes below the frame that is busy
};

// Busy without a call, so that all below its frame (and the red zone) is the signals' doing.
__attribute__((noinline)) void stay_busy(const std::atomic<bool>& done) {
  while (!done.load(std::memory_order_relaxed)) asm volatile("");
}

std::atomic<bool> done{false};

void collect_some(const Sample& sample) {
  collect(sample);
  if (sample_count() >= 20) done.store(true);
}

__attribute__((noinline)) void measure(Measured& run) {
  auto* const here = static_cast<unsigned char*>(__builtin_frame_address(0));
  unsigned char* const below = here - 1024;  // past the frames of this function and what it calls
  for (volatile unsigned char* at = run.stack; at < below; at++) *at = kUntouched;
  stay_busy(done);
  const unsigned char* lowest = run.stack;
  while (*lowest == kUntouched) lowest++;
  run.used = static_cast<size_t>(here - lowest);
}

TEST(StackUse, IsTheSystemsFrameAndLittleMore) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer has frames and handlers of its own";
#endif
  Measured run;
  void* memory = mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  run.stack = static_cast<unsigned char*>(memory);
  clear_samples(true);
  done.store(false);
  ASSERT_EQ(configure_patiently(ORIEL_SAMPLE_PROCESS, 250, collect_some), nullptr);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, memory, kStackBytes);
  pthread_t thread{};
  const auto body = [](void* argument) -> void* {
    measure(*static_cast<Measured*>(argument));
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, body, &run), 0);
  pthread_attr_destroy(&attributes);
  pthread_join(thread, nullptr);
  configure_patiently(ORIEL_SAMPLE_NONE, 0, nullptr);
  munmap(memory, kStackBytes);
  size_t frame = getauxval(AT_MINSIGSTKSZ);
  if (frame == 0) frame = kFrameBytes;
  EXPECT_GT(run.used, 0u);
  EXPECT_LE(run.used, frame + 512) << "the system's own frame takes " << frame;
}

}  // namespace
}  // namespace oriel::sampling::testing
