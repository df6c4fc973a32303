#include "engine/lifecycle.h"

#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

#include "base/process/unwinder.h"
#include "engine/attached.h"
#include "engine/control/commands.h"
#include "engine/control/server.h"
#include "engine/engine.h"
#include "engine/engine_thread.h"
#include "engine/heap/forked_copy.h"
#include "engine/messages.h"
#include "engine/modules.h"
#include "engine/profilers.h"
#include "engine/raise.h"
#include "engine/things/code_map.h"
#include "engine/things/data_items.h"
#include "sampling/walk/frame_rule.h"

namespace oriel {
namespace {

constinit std::atomic<Runtime*> the_runtime{nullptr};
constinit std::atomic<bool> ending{false};
constinit std::atomic<bool> may_ask{true};
constinit std::atomic<pid_t> own_process{0};

// Only flags change here: a child may do little before exec, and shared resources belong to the parent.
void in_forked_child() {
  ending.store(true);
  may_ask.store(false);
  stop_raising();
}

// A runtime may dlclose a profiler's library while the engine's thread or a signal handler is still in it.
void pin_library() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<void*>(&engine_start), &info) && info.dli_fname) {
    dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
    dlerror();
  }
}

bool user_limits_arenas() {
  const char* const tunables = std::getenv("GLIBC_TUNABLES");
  return std::getenv("MALLOC_ARENA_MAX") != nullptr || (tunables && std::strstr(tunables, "arena_max"));
}

// A program may have little address space (ulimit -v). If there is such a limit, the C library is told to make no
// further heap arenas: each allocating thread, including the engine's, would get one of 64 MB. They share the existing
// ones instead. A limit of arenas in the environment takes precedence. Call before the engine has threads.
void limit_heap_arenas() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || user_limits_arenas()) return;
#ifdef M_ARENA_MAX
  mallopt(M_ARENA_MAX, 1);
#endif
}

// Once in the process's life.
void prepare_process() {
  static std::once_flag done;
  std::call_once(done, [] {
    own_process.store(getpid());
    limit_heap_arenas();
    pin_library();
    prepare_unwinder();  // for exceptions that come out of modules' callbacks
    pthread_atfork(nullptr, nullptr, in_forked_child);
    // If the process exits without a callback from its runtime.
    atexit(engine_stop);
  });
}

// Held while an attached engine begins or leaves. Never destroyed.
std::mutex& changing() {
  static auto* const made = new std::mutex;
  return *made;
}

// At the process's end, for as long as a module may take to stop.
std::unique_lock<std::mutex> wait_for_changes() {
  constexpr int kMostMilliseconds = 5'000;
  std::unique_lock guard(changing(), std::try_to_lock);
  for (int i = 0; i < kMostMilliseconds && !guard; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    guard.try_lock();
  }
  return guard;
}

// While nobody listened, code has come and gone.
void forget_what_was_seen() {
  forget_executable_mappings();
  sampling::forget_rules(0, UINTPTR_MAX);
}

void call_cleanups() {
  for (oriel_profiler_desc* it = first_profiler(); it; it = it->next.load(std::memory_order_acquire)) {
    if (auto callback = it->cleanup.exchange(nullptr)) callback(it->profiler);
  }
}

void end_profilers() {
  const std::unique_lock<std::mutex> guard = wait_for_changes();
  dispatch_runtime_shutdown_end(0);
  stop_sampling();
  engine_thread::stop();
  stop_raising();
  wait_for_callbacks();
  call_cleanups();
  release_all_data();
  print_deferred_messages();
  print_orphaned_messages();
  may_ask.store(false);
}

}  // namespace

Runtime* current_runtime() { return the_runtime.load(std::memory_order_acquire); }

Runtime* runtime_to_ask() { return may_ask.load(std::memory_order_acquire) ? current_runtime() : nullptr; }

bool is_ending() { return ending.load(std::memory_order_acquire); }

void engine_start(Runtime& runtime) {
  Runtime* none = nullptr;
  if (!the_runtime.compare_exchange_strong(none, &runtime)) return;
  remember_stderr();
  prepare_process();
  sampling::set_has_funclets(runtime.has_funclets());
  load_modules_of_environment();
  if (first_profiler()) engine_thread::apply_needs();
  engine_thread::open();
  control::start_server();
}

// The runtime reports what is new before it is asked what there is, so that nothing is missed in between.
Status engine_begin(Runtime& runtime, const std::string& profilers) {
  const std::lock_guard guard(changing());
  Runtime* before = nullptr;
  if (is_ending()) return Status::error("the process ends");
  if (engine_thread::is_stuck()) return Status::error("the engine's own thread still waits for the runtime");
  if (!the_runtime.compare_exchange_strong(before, &runtime) && before != &runtime)
    return Status::error("the engine is at work already");
  prepare_process();
  forget_what_was_seen();
  may_ask.store(true);
  resume_raising();
  if (Status status = start_modules(profilers); !status) return status;
  engine_thread::apply_needs();
  runtime.catch_up();
  engine_thread::open();
  control::resume_executing();
  return Status::ok();
}

// Nothing may be started after the modules were stopped, so commands are refused from then on.
Status engine_leave() {
  control::suspend_executing();
  const std::lock_guard guard(changing());
  if (is_ending()) return Status::error("the process ends");
  stop_modules();
  const bool closed = engine_thread::close();
  stop_raising();
  if (!closed) return Status::error("the runtime does not answer the engine's own thread");
  wait_for_callbacks();
  may_ask.store(false);
  return Status::ok();
}

void forget_runtime() {
  the_runtime.store(nullptr);
  forget_names_of_threads();
}

void engine_stop() {
  // A child made without fork's handlers (vfork, clone) may get here by exit().
  if (getpid() != own_process.load() || ending.exchange(true)) return;
  attached::wake();
  ForkedCopy::end_all();
  control::stop_executing();
  if (first_profiler()) end_profilers();
  attached::process_ends();
  control::stop_server();
}

void engine_before_abort() {
  raise_process_abort();
  engine_stop();
}

}  // namespace oriel
