// A native program that has the .NET runtime in it, and Oriel: it names the engine as the runtime's profiler itself,
// and is a profiler itself by the API, from before the runtime starts to after it began.
//
//   oriel_native_host LIBHOSTFXR LIBORIEL embedded.runtimeconfig.json embedded.dll LOG
//
// What it prints is checked by tests/e2e/engine/host_test.py.
#include <dlfcn.h>
#include <oriel/oriel.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include "base/process/coreclr_clsid.h"

struct oriel_profiler {
  std::atomic<int> initialized{0}, entered{0}, collections{0}, cleaned{0};
};

namespace {

oriel_profiler self, other;

// hostfxr.h and coreclr_delegates.h of the runtime's repository, as far as they are needed here.
using Initialize = int (*)(const char* config, const void* parameters, void** host);
using GetDelegate = int (*)(void* host, int type, void** delegate);
using LoadFunction = int (*)(const char* assembly, const char* type, const char* method, const char* delegate_type,
                             void* reserved, void** function);
using Work = int (*)(void* nothing, int steps);
constexpr int kLoadAssemblyAndGetFunctionPointer = 5;

[[noreturn]] void fail(const char* what) {
  std::printf("failed: %s\n", what);
  std::exit(1);
}

Work start_runtime(char** arguments) {
  void* const library = dlopen(arguments[1], RTLD_NOW);
  if (!library) fail("hostfxr");
  const auto initialize = reinterpret_cast<Initialize>(dlsym(library, "hostfxr_initialize_for_runtime_config"));
  const auto get_delegate = reinterpret_cast<GetDelegate>(dlsym(library, "hostfxr_get_runtime_delegate"));
  void *host = nullptr, *load = nullptr, *work = nullptr;
  if (!initialize || initialize(arguments[3], nullptr, &host) != 0) fail("initialize");
  if (!get_delegate || get_delegate(host, kLoadAssemblyAndGetFunctionPointer, &load) != 0) fail("delegate");
  const auto load_function = reinterpret_cast<LoadFunction>(load);
  if (load_function(arguments[4], "Embedded, embedded", "Work", nullptr, nullptr, &work) != 0) fail("function");
  return reinterpret_cast<Work>(work);
}

uint32_t steps_only(oriel_profiler*, oriel_method* method) {
  return std::strncmp(oriel_method_name(method), "Embedded.Step(", 14) == 0 ? ORIEL_CALLS_ENTER : ORIEL_CALLS_NONE;
}

void on_enter(oriel_profiler* profiler, oriel_method*, const void*) { profiler->entered.fetch_add(1); }

void load(const std::string& description) {
  char message[300];
  const int result = oriel_load(description.c_str(), message, sizeof message);
  std::printf("load %.3s: %d%s\n", description.c_str(), result != 0, result == 0 ? message : "");
}

oriel_profiler_handle listen_before_start() {
  const oriel_profiler_handle handle = oriel_profiler_create(&self);
  oriel_profiler_set_runtime_initialized_callback(handle, [](oriel_profiler* it) { it->initialized.fetch_add(1); });
  oriel_profiler_set_method_enter_callback(handle, on_enter);
  oriel_profiler_set_call_instrumentation_filter_callback(handle, steps_only);
  oriel_profiler_set_cleanup_callback(handle, [](oriel_profiler* it) {
    std::printf("cleanup %d\n", it->cleaned.fetch_add(1) + 1);
    std::fflush(stdout);
  });
  return handle;
}

// Callbacks take effect soon, not at once: works until it shows, a minute at most.
template <typename Condition>
bool work_until(Work work, Condition condition) {
  for (int i = 0; i < 6000 && !condition(); ++i) {
    work(nullptr, 1);
    usleep(10'000);
  }
  return condition();
}

void change_at_run_time(Work work, oriel_profiler_handle handle) {
  oriel_profiler_set_gc_begin_callback(
      handle, [](oriel_profiler* it, uint32_t, uint32_t, oriel_gc_reason) { it->collections.fetch_add(1); });
  std::printf("collections %d\n", work_until(work, [] { return self.collections > 0; }));
  const oriel_profiler_handle late = oriel_profiler_create(&other);
  oriel_profiler_set_method_enter_callback(late, on_enter);
  oriel_profiler_set_call_instrumentation_filter_callback(late, steps_only);
  std::printf("late %d\n", work_until(work, [] { return other.entered > 0; }));
  oriel_profiler_set_call_instrumentation_filter_callback(late, nullptr);
  oriel_profiler_set_call_instrumentation_filter_callback(handle, nullptr);
  std::printf("off %d\n", work_until(work, [before = -1]() mutable {
                const int now = self.entered + other.entered;
                return std::exchange(before, now) == now;
              }));
}

}  // namespace

int main(int, char** arguments) {
  setenv("CORECLR_ENABLE_PROFILING", "1", 1);
  setenv("CORECLR_PROFILER", ORIEL_CORECLR_CLSID, 1);
  setenv("CORECLR_PROFILER_PATH", arguments[2], 1);
  std::printf("before: %s\n", oriel_runtime_name());
  const oriel_profiler_handle handle = listen_before_start();
  load(std::string("log:out=") + arguments[5]);
  load("no such module");
  const Work work = start_runtime(arguments);
  std::printf("after: %.8s, initialized %d\n", oriel_runtime_name(), self.initialized.load());
  const int steps = work(nullptr, 1000);
  std::printf("work %d, entered %d\n", steps, self.entered.load());
  oriel_sample_mode mode = ORIEL_SAMPLE_NONE;
  uint32_t hz = 0;
  const bool owner = oriel_get_sample_mode(handle, &mode, &hz);
  std::printf("sampling: owner %d, mode %d, %u Hz\n", owner, mode, hz);
  change_at_run_time(work, handle);
  std::fflush(stdout);
  return 0;
}
