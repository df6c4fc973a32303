// Who may set the sampling mode, and that samples come with managed frames on their stacks.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <csignal>
#include <vector>

#include "engine/running_engine.h"

namespace oriel {
namespace {

constexpr size_t kMax = 4096;
uintptr_t innermost[kMax][16];
size_t depth[kMax];
uint64_t times[kMax];
std::atomic<size_t> samples{0};

void on_sample(oriel_profiler*, const void* ip, const void* context) {
  const size_t index = samples.load();
  if (index >= kMax) return;
  depth[index] = oriel_stack_walk_async_safe(context, innermost[index], 16, nullptr);
  times[index] = oriel_sample_time(context);
  if (oriel_sample_compiled_method(context, nullptr) != nullptr) return;  // nothing is compiled here
  if (depth[index] > 0 && innermost[index][0] == reinterpret_cast<uintptr_t>(ip)) samples.store(index + 1);
}

// The system call behind sampling's own thread, seen where the setter is not to make it.
thread_local bool in_handler = false;
std::atomic<int> threads_made_in_handler{0};

oriel_profiler_handle handle_to_set;
oriel_sample_mode mode_to_set;
uint32_t hz_to_set;
bool was_set;

bool set_in_signal_handler(oriel_profiler_handle handle, oriel_sample_mode mode, uint32_t hz) {
  handle_to_set = handle, mode_to_set = mode, hz_to_set = hz;
  const auto before = signal(SIGUSR1, [](int) {
    in_handler = true;
    was_set = oriel_set_sample_mode(handle_to_set, mode_to_set, hz_to_set);
    in_handler = false;
  });
  raise(SIGUSR1);
  signal(SIGUSR1, before);
  return was_set;
}

// One test, since a process has one owner.
TEST(SamplingOwner, IsTheFirstToAskAndGetsManagedFrames) {
  test::running_engine();
  const oriel_profiler_handle owner = test::sampling_owner(), other = oriel_profiler_create(nullptr);
  EXPECT_FALSE(oriel_set_sample_mode(other, ORIEL_SAMPLE_PROCESS, 100)) << "it does not own sampling";
  EXPECT_TRUE(oriel_enable_sampling(owner));
  EXPECT_TRUE(oriel_enable_sampling(owner));
  EXPECT_FALSE(oriel_enable_sampling(other));
  EXPECT_FALSE(oriel_enable_sampling(nullptr));
  EXPECT_FALSE(oriel_set_sample_mode(other, ORIEL_SAMPLE_PROCESS, 100));
  EXPECT_FALSE(oriel_set_sample_mode(owner, ORIEL_SAMPLE_PROCESS, 0));
  EXPECT_FALSE(oriel_set_sample_mode(owner, ORIEL_SAMPLE_REAL, 10'001));
  EXPECT_FALSE(oriel_set_sample_mode(owner, static_cast<oriel_sample_mode>(9), 100));

  oriel_sample_mode mode = ORIEL_SAMPLE_REAL;
  uint32_t hz = 1;
  EXPECT_TRUE(oriel_get_sample_mode(owner, &mode, &hz));
  EXPECT_EQ(mode, ORIEL_SAMPLE_NONE);

  oriel_profiler_set_sample_hit_callback(owner, on_sample);
  EXPECT_TRUE(set_in_signal_handler(owner, ORIEL_SAMPLE_PROCESS, 200));
  EXPECT_EQ(threads_made_in_handler, 0) << "it must leave the work to the engine's own thread";
  EXPECT_FALSE(oriel_get_sample_mode(other, &mode, &hz)) << "it may ask, but not set";
  EXPECT_FALSE(oriel_get_sample_mode(nullptr, &mode, nullptr));
  EXPECT_EQ(mode, ORIEL_SAMPLE_PROCESS);
  EXPECT_EQ(hz, 200u);
  ASSERT_TRUE(test::eventually([] { return test::running_engine().needs().code_map; }));

  test::play(
      "assembly S\nimage S.dll assembly=S\nclass S.C image=S.dll\nmethod Outer class=S.C\nmethod Inner class=S.C\n"
      "jit Outer\njit Inner");
  // Until there are enough: a busy machine may give few in any one of these.
  for (int i = 0; i < 100 && samples <= 30; ++i) test::play("parallel 1\nrun Outer Inner ms=250\nend");
  EXPECT_TRUE(oriel_set_sample_mode(owner, ORIEL_SAMPLE_NONE, 0));
  oriel_profiler_set_sample_hit_callback(owner, nullptr);

  const size_t taken = samples;
  ASSERT_GT(taken, 30u);
  size_t with_both = 0;
  for (size_t i = 0; i < taken; ++i) {
    std::vector<std::string> names;
    for (size_t f = 0; f < depth[i]; ++f) {
      oriel_frame frame;
      oriel_resolve_address(innermost[i][f] - (f > 0), times[i], &frame);
      if (frame.kind == ORIEL_FRAME_MANAGED) names.push_back(oriel_method_name(frame.method));
    }
    with_both += names == std::vector<std::string>{"S.C.Inner()", "S.C.Outer()"};
  }
  EXPECT_GT(with_both, taken * 8 / 10);
}

}  // namespace
}  // namespace oriel

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*),
                              void* argument) {
  static const auto next = reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, "pthread_create"));
  oriel::threads_made_in_handler += oriel::in_handler;
  return next(thread, attributes, run, argument);
}
