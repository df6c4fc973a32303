// Threads, and the locks that they wait for.
#include <pthread.h>

#include <string>
#include <utility>

#include "base/clock.h"
#include "base/process/thread_id.h"
#include "base/redact/redact.h"
#include "runtimes/mono/callbacks.h"
#include "runtimes/mono/things.h"
#include "runtimes/mono/thread_state.h"

namespace oriel::mono {
namespace {

// Mono's id of a thread is its pthread_t, and it tells of a thread on that thread.
bool is_calling(uintptr_t thread) { return thread == pthread_self(); }

}  // namespace

void on_thread_started(MonoProfiler*, uintptr_t thread) {
  guarded([&] {
    if (!is_calling(thread)) return;
    raise_thread_started(thread_attached(thread, thread_id()));
  });
}

void on_thread_stopped(MonoProfiler*, uintptr_t thread) {
  guarded([&] {
    oriel_thread* const record = find_thread(thread);
    if (!record) return;
    raise_thread_stopped(record);
    thread_detached(record);
  });
}

void on_thread_name(MonoProfiler*, uintptr_t thread, const char* name) {
  guarded([&] {
    oriel_thread* const record = find_thread(thread);
    if (!record || !name) return;
    const std::string text = redacts() ? redact_text(name) : std::string(name);
    thread_renamed(record, text.c_str());
    raise_thread_name(record, text.c_str());
  });
}

void on_monitor_contention(MonoProfiler*, MonoObject* object) {
  guarded([&] {
    ThreadState* const own = thread_state();
    if (!own) return;
    own->lock_wait = {record_of(class_of(object)), object, clock_monotonic_ns()};
    raise_monitor_contention(own->lock_wait.klass, own->lock_wait.lock, static_cast<oriel_thread*>(nullptr));
  });
}

// The time of Monitor.TryEnter is up: the lock is another thread's, as before.
void on_monitor_failed(MonoProfiler*, MonoObject*) {
  if (ThreadState* const own = thread_state_if_any()) own->lock_wait = {};
}

// The lock keeps the address that it had as the wait began: a collection may have moved the object since.
void on_monitor_acquired(MonoProfiler*, MonoObject*) {
  guarded([&] {
    ThreadState* const own = thread_state_if_any();
    if (!own || own->lock_wait.began_ns == 0) return;
    const LockWait wait = std::exchange(own->lock_wait, {});
    raise_monitor_acquired(wait.klass, wait.lock, static_cast<oriel_thread*>(nullptr),
                           clock_monotonic_ns() - wait.began_ns);
  });
}

}  // namespace oriel::mono
