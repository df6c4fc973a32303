// What of a thread's memory the handler reads without asking the system: its stack, and nothing that the program may
// take away while the thread lives.
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sampling/collector.h"
#include "sampling/signal/state.h"

// Spins with the frame pointer at an address of the caller's choice, from where the code says that its frame is taken
// down: oriel_test_spin(frame pointer, rounds).
asm(R"(
.text
.type oriel_test_spin, @function
oriel_test_spin:
  push %rbp
  push %rbx
  mov %rsp, %rbx
  mov %rdi, %rbp
1:
  dec %rsi
  jz 2f
  test %rsp, %rsp
  jnz 1b
  leave
  ret
2:
  mov %rbx, %rsp
  pop %rbx
  pop %rbp
  ret
.size oriel_test_spin, .-oriel_test_spin
)");
extern "C" void oriel_test_spin(uintptr_t frame_pointer, uint64_t rounds);

namespace oriel::sampling::testing {
namespace {

constexpr size_t kStack = 1 << 20;

const Slot* own_slot() {
  for (uint32_t i = 0; i < state.slots_used.load(); i++) {
    if (state.slots[i].tid.load() == static_cast<uint32_t>(gettid())) return &state.slots[i];
  }
  return nullptr;
}

bool has_bounds() {
  const Slot* const slot = own_slot();
  return slot != nullptr && slot->stack_high.load() != 0;
}

// Runs on the lower half of a mapping, as a stack that the system has made one with a mapping just above it.
void* run_below(void* above) {
  EXPECT_TRUE(burn_until(has_bounds));
  if (!has_bounds()) return nullptr;
  EXPECT_LE(own_slot()->stack_high.load(), own_slot()->thread_pointer.load());
  EXPECT_LT(own_slot()->stack_low.load(), reinterpret_cast<uintptr_t>(&above));
  munmap(above, kStack);
  const size_t before = sample_count();
  for (int i = 0; i < 1000 && sample_count() < before + 20; i++) {
    oriel_test_spin(reinterpret_cast<uintptr_t>(above) + kStack / 2, 10'000'000);
  }
  EXPECT_GE(sample_count(), before + 20);
  return nullptr;
}

TEST(StackBounds, EndWithTheThreadNotWithItsMapping) {
  if (kSignalsComeLate) GTEST_SKIP() << "not with ThreadSanitizer, which delays signals";
  auto* const memory = static_cast<char*>(
      mmap(nullptr, 2 * kStack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0));
  ASSERT_NE(memory, MAP_FAILED);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  ASSERT_EQ(pthread_attr_setstack(&attributes, memory, kStack), 0);
  {
    Sampling sampling(ORIEL_SAMPLE_PROCESS, 1000, true);
    pthread_t thread{};
    ASSERT_EQ(pthread_create(&thread, &attributes, run_below, memory + kStack), 0);
    pthread_join(thread, nullptr);
  }
  pthread_attr_destroy(&attributes);
  munmap(memory, kStack);
}

}  // namespace
}  // namespace oriel::sampling::testing
