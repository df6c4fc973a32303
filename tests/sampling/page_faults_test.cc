// Whether a sample tells that the kernel was bringing in memory.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sampling/collector.h"

namespace oriel::sampling::testing {
namespace {

constexpr uint32_t kHz = 250;

void touch_fresh_pages() {
  constexpr size_t kSize = 4 << 20, kPage = 4096;
  void* const memory = mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  madvise(memory, kSize, MADV_NOHUGEPAGE);
  for (size_t at = 0; at < kSize; at += kPage) static_cast<volatile char*>(memory)[at] = 1;
  munmap(memory, kSize);
}

size_t faulting_samples() {
  size_t count = 0;
  for (size_t i = 0; i < sample_count(); i++) count += sample_at(i).in_page_fault;
  return count;
}

TEST(PageFaults, AreToldWhereMemoryIsTouchedFirst) {
  Sampling sampling(ORIEL_SAMPLE_PROCESS, kHz);
  ASSERT_EQ(sampling.error(), nullptr);
  const int64_t began = thread_cpu_ns();
  constexpr int64_t kPatience = 30'000'000'000;
  while (faulting_samples() < 20 && thread_cpu_ns() - began < kPatience) touch_fresh_pages();
  EXPECT_GE(faulting_samples(), 20u);
  // ThreadSanitizer takes time beside the faults.
  constexpr size_t kPart = kSignalsComeLate ? 16 : 4;
  EXPECT_GT(faulting_samples() * kPart, sample_count());
}

// But for some that the system makes by taking pages away.
TEST(PageFaults, AreNotToldOfALoopThatTouchesNone) {
  Sampling sampling(ORIEL_SAMPLE_PROCESS, kHz);
  ASSERT_EQ(sampling.error(), nullptr);
  EXPECT_TRUE(burn_until([] { return sample_count() >= 50; }));
  EXPECT_LT(faulting_samples() * 4, sample_count());
}

}  // namespace
}  // namespace oriel::sampling::testing
