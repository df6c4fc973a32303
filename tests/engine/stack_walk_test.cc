// The calling thread's own stack through the public API: it begins in the caller and is whole once the engine has read
// what it takes.
#include <gtest/gtest.h>

#include <thread>

#include "engine/running_engine.h"

namespace oriel {
namespace {

struct Seen {
  size_t depth = 0;
  uintptr_t second = 0;
  uintptr_t expected = 0;
  bool truncated = true;
};

__attribute__((noinline, noclone)) void look(Seen& seen) {
  const uintptr_t* frames = nullptr;
  seen.depth = oriel_stack_walk_here(&frames, &seen.truncated);
  seen.second = seen.depth > 1 ? frames[1] : 0;
  seen.expected = reinterpret_cast<uintptr_t>(__builtin_extract_return_addr(__builtin_return_address(0)));
}

Seen look_until_whole() {
  Seen seen;
  test::eventually([&] {
    look(seen);
    return !seen.truncated;
  });
  return seen;
}

TEST(StackWalkHere, BeginsInTheCallerAndIsWholeSoonAfterTheFirst) {
  oriel_profiler_create(nullptr);
  test::running_engine();
  const Seen seen = look_until_whole();
  EXPECT_FALSE(seen.truncated);
  EXPECT_GT(seen.depth, 2u);
  EXPECT_EQ(seen.second, seen.expected);
  Seen other;
  std::thread([&] { other = look_until_whole(); }).join();
  EXPECT_FALSE(other.truncated);
  EXPECT_EQ(other.second, other.expected);
}

TEST(StackWalkHere, NeedsNoPlaceForWhetherItIsWhole) {
  const uintptr_t* frames = nullptr;
  EXPECT_GT(oriel_stack_walk_here(&frames, nullptr), 0u);
}

}  // namespace
}  // namespace oriel
