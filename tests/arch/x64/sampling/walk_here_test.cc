// Walks of one's own stack: they begin at the caller, reach the thread's start, on any thread, whatever ends meanwhile.
#include "sampling/walk/stack_walk.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <thread>
#include <vector>

#include "sampling/sampling.h"

// Calls a function with the frame pointer at an address of the caller's choice, from where the code says that its frame
// is taken down.
asm(R"(
.text
.type oriel_test_call_with_frame_pointer, @function
oriel_test_call_with_frame_pointer:
  push %rbp
  push %rbx
  push %rbx
  mov %rsp, %rbx
  mov %rdi, %rbp
  call *%rsi
  test %rsp, %rsp
  jnz 1f
  leave
  ret
1:
  mov %rbx, %rsp
  pop %rbx
  pop %rbx
  pop %rbp
  ret
.size oriel_test_call_with_frame_pointer, .-oriel_test_call_with_frame_pointer
)");
extern "C" void oriel_test_call_with_frame_pointer(uintptr_t frame_pointer, void (*function)());

namespace oriel::sampling {
namespace {

#define ORIEL_OUT_OF_LINE __attribute__((noinline, noclone, used))

struct Seen {
  std::vector<uintptr_t> frames;
  bool truncated = true;
};

uintptr_t caller_of_walk = 0;
uintptr_t outermost_known = 0;

uintptr_t returns_to(void* address) { return reinterpret_cast<uintptr_t>(__builtin_extract_return_addr(address)); }

ORIEL_OUT_OF_LINE void walk(Seen& seen) {
  caller_of_walk = returns_to(__builtin_return_address(0));
  const OwnStack stack = walk_own_stack(caller_of_walk);
  seen.frames.assign(stack.frames, stack.frames + stack.depth);
  seen.truncated = stack.truncated;
}

ORIEL_OUT_OF_LINE int descend(int depth, Seen& seen) {
  volatile int here = depth;
  if (depth == 0) {
    walk(seen);
    return here;
  }
  return descend(depth - 1, seen) + here;
}

ORIEL_OUT_OF_LINE int known_frame(int depth, Seen& seen) {
  outermost_known = returns_to(__builtin_return_address(0));
  return descend(depth, seen) + 1;
}

void expect_whole(const Seen& seen, size_t least) {
  ASSERT_GE(seen.frames.size(), least);
  EXPECT_EQ(seen.frames.front(), caller_of_walk);
  EXPECT_NE(std::find(seen.frames.begin(), seen.frames.end(), outermost_known), seen.frames.end());
  EXPECT_FALSE(seen.truncated);
}

TEST(WalkHere, ReachesTheStartOfTheMainThread) {
  refresh_frame_tables();
  Seen seen;
  known_frame(20, seen);
  expect_whole(seen, 22);
}

TEST(WalkHere, ReachesTheStartOfAnyThread) {
  refresh_frame_tables();
  for (int i = 0; i < 3; ++i) {  // the later ones with what the first has left
    Seen seen;
    std::thread([&] { known_frame(900, seen); }).join();
    expect_whole(seen, 902);
  }
}

TEST(WalkHere, ReachesTheStartOnAStackOfTheProgramsOwn) {
  refresh_frame_tables();
  std::vector<char> memory(1 << 20);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, memory.data(), memory.size());
  Seen seen;
  pthread_t thread{};
  const auto run = [](void* into) -> void* {
    known_frame(20, *static_cast<Seen*>(into));
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, run, &seen), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  expect_whole(seen, 22);
}

TEST(WalkHere, IsCutAtTheLimit) {
  refresh_frame_tables();
  Seen seen;
  known_frame(3000, seen);
  EXPECT_TRUE(seen.truncated);
  EXPECT_EQ(seen.frames.front(), caller_of_walk);
  EXPECT_GT(seen.frames.size(), ORIEL_MAX_FRAMES - 10);
}

TEST(WalkHere, NothingIsToldWhereTheCallerIsNotFound) {
  const OwnStack stack = walk_own_stack(1);
  EXPECT_EQ(stack.depth, 0u);
}

// What lies above the stack cannot be read: a walk that is led there ends, and asked the system for it.
TEST(WalkHere, LeavesErrnoAlone) {
  constexpr size_t kStack = 1 << 20;
  refresh_frame_tables();
  auto* const memory =
      static_cast<char*>(mmap(nullptr, 2 * kStack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(memory, MAP_FAILED);
  ASSERT_EQ(mprotect(memory + kStack, kStack, PROT_NONE), 0);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, memory, kStack);
  const auto run = [](void* above) -> void* {
    const auto walk_with_errno = +[] {
      errno = EDOM;
      EXPECT_TRUE(walk_own_stack(0).truncated);
      EXPECT_EQ(errno, EDOM);
    };
    oriel_test_call_with_frame_pointer(reinterpret_cast<uintptr_t>(above) + kStack / 2, walk_with_errno);
    return nullptr;
  };
  pthread_t thread{};
  ASSERT_EQ(pthread_create(&thread, &attributes, run, memory + kStack), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  munmap(memory, 2 * kStack);
}

TEST(WalkHere, ManyThreadsWalkAtOnceWhileTablesAreLookedFor) {
  refresh_frame_tables();
  std::atomic<int> whole{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      for (int j = 0; j < 500; ++j) {
        const OwnStack stack = walk_own_stack(0);
        whole += stack.truncated ? 0 : 1;
      }
    });
  }
  for (int i = 0; i < 100; ++i) refresh_frame_tables();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(whole.load(), 8 * 500);
  EXPECT_TRUE(wait_for_own_walks());
}

}  // namespace
}  // namespace oriel::sampling
