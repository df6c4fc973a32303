// What the runtime is told follows what callbacks ask for, at run time as well.
#include <gtest/gtest.h>

#include <dirent.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "contract/mask_contract.h"
#include "engine/engine.h"
#include "engine/running_engine.h"

namespace oriel {
namespace {

TEST(EngineThread, MaskFollowsCallbacksOfEveryEvent) {
  scripted::ScriptedRuntime& runtime = test::running_engine();
  contract::expect_masks_follow([&](uint32_t number) { return runtime.needs().events.test(number); },
                                [](uint32_t) { return true; });
}

oriel_profiler_handle handle_of_signal;

TEST(EngineThread, MaskFollowsASetterInASignalHandler) {
  scripted::ScriptedRuntime& runtime = test::running_engine();
  handle_of_signal = oriel_profiler_create(nullptr);
  const auto before = signal(SIGUSR2, [](int) {
    oriel_profiler_set_gc_begin_callback(handle_of_signal, [](oriel_profiler*, uint32_t, uint32_t, oriel_gc_reason) {});
  });
  raise(SIGUSR2);
  signal(SIGUSR2, before);
  EXPECT_TRUE(test::eventually([&] { return runtime.needs().events.test(oriel_event_gc_begin); }));
  oriel_profiler_set_gc_begin_callback(handle_of_signal, nullptr);
  EXPECT_TRUE(test::eventually([&] { return !runtime.needs().events.test(oriel_event_gc_begin); }));
}

TEST(EngineThread, ListeningToSamplesNeedsCodeAndThreads) {
  scripted::ScriptedRuntime& runtime = test::running_engine();
  const oriel_profiler_handle handle = oriel_profiler_create(nullptr);
  oriel_profiler_set_sample_hit_callback(handle, [](oriel_profiler*, const void*, const void*) {});
  EXPECT_TRUE(test::eventually([&] { return runtime.needs().code_map && runtime.needs().threads; }));
  oriel_profiler_set_sample_hit_callback(handle, nullptr);
  EXPECT_TRUE(test::eventually([&] { return !runtime.needs().threads; }));
}

TEST(EngineThread, ResolvingAddressesNeedsCode) {
  scripted::ScriptedRuntime& runtime = test::running_engine();
  oriel_profiler_create(nullptr);
  oriel_frame frame;
  oriel_resolve_address(0x1000, oriel_clock(), &frame);
  EXPECT_TRUE(test::eventually([&] { return runtime.needs().code_map; }));
}

// Puts the file at every number that is open and leads to no file or output of the test's.
void take_over_descriptors(int file) {
  for (int number = 3; number < 200; ++number) {
    struct stat there {};
    if (number != file && fstat(number, &there) == 0 && !S_ISREG(there.st_mode)) dup2(file, number);
  }
}

TEST(EngineThread, NothingIsWrittenToDescriptorsThatTheProgramTookOver) {
  scripted::ScriptedRuntime& runtime = test::running_engine();
  const oriel_profiler_handle handle = oriel_profiler_create(nullptr);
  const int file = memfd_create("program's own", 0);
  ASSERT_GE(file, 0);
  take_over_descriptors(file);
  oriel_profiler_set_gc_end_callback(handle, [](oriel_profiler*, uint32_t, uint32_t) {});
  EXPECT_TRUE(test::eventually([&] { return runtime.needs().events.test(oriel_event_gc_end); }));
  oriel_profiler_set_gc_end_callback(handle, nullptr);
  EXPECT_TRUE(test::eventually([&] { return !runtime.needs().events.test(oriel_event_gc_end); }));
  struct stat written {};
  ASSERT_EQ(fstat(file, &written), 0);
  EXPECT_EQ(written.st_size, 0);
}

// The id of the engine's own thread, 0 if it has none.
int control_thread() {
  int found = 0;
  DIR* const tasks = opendir("/proc/self/task");
  while (const dirent* task = readdir(tasks)) {
    std::string comm;
    std::ifstream(std::string("/proc/self/task/") + task->d_name + "/comm") >> comm;
    if (comm == "oriel-engine") found = atoi(task->d_name);
  }
  closedir(tasks);
  return found;
}

TEST(EngineThread, ThreadIsAToolThreadThatTakesNoSignals) {
  test::running_engine();
  oriel_profiler_create(nullptr);
  ASSERT_TRUE(test::eventually([] { return control_thread() != 0; }));
  std::ifstream status("/proc/self/task/" + std::to_string(control_thread()) + "/status");
  std::string line, blocked;
  while (std::getline(status, line)) {
    if (line.starts_with("SigBlk:")) blocked = line.substr(line.find_first_not_of(" \t", 7));
  }
  // All but SIGKILL, SIGSTOP and the C library's own two.
  EXPECT_EQ(blocked, "fffffffe7ffbfeff");
}

}  // namespace
}  // namespace oriel
