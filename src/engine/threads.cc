// Threads: one record for each, managed or native, found by OS id or by the calling thread itself.
#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <set>

#include "base/files/descriptor.h"
#include "base/process/thread_id.h"
#include "base/process/thread_key.h"
#include "base/static_tls.h"
#include "engine/engine.h"
#include "engine/messages.h"
#include "engine/or_else.h"
#include "engine/profilers.h"
#include "engine/things/things.h"
#include "sampling/sampling.h"

namespace oriel {
namespace {

ORIEL_STATIC_TLS constinit thread_local oriel_thread* own_record = nullptr;

// The last record for each OS id. Never destroyed: threads end while the process does.
InternMap<oriel_thread>& by_os_id() {
  static auto* const made = new InternMap<oriel_thread>;
  return *made;
}

oriel_thread* make_record(uint32_t os_id) {
  auto* record = new oriel_thread;
  record->os_id.store(os_id);
  record->described.store(Described::kKnown);
  things().threads.ids.append(record);
  return record;
}

oriel_thread* live_record(uint32_t os_id) {
  oriel_thread* const known = by_os_id().find(os_id);
  return known && !known->unloaded.load(std::memory_order_acquire) ? known : nullptr;
}

// The record of a thread known to be alive.
oriel_thread* record_of_live(uint32_t os_id) {
  if (oriel_thread* const known = live_record(os_id)) return known;
  oriel_thread* const made = make_record(os_id);
  by_os_id().put(os_id, made);
  return made;
}

// One copy of each name, for the life of the process.
const char* interned(const char* text) {
  static auto* const lock = new std::mutex;
  static auto* const names = new std::set<std::string>;
  const std::lock_guard guard(*lock);
  return names->emplace(text).first->c_str();
}

void read_comm_of_other(uint32_t os_id, char (&name)[32]) {
  char path[48];
  snprintf(path, sizeof path, "/proc/self/task/%u/comm", os_id);
  const int file = open_with_high_number(path, O_RDONLY);
  if (file < 0) return;
  if (read(file, name, sizeof name - 1) > 0) name[strcspn(name, "\n")] = '\0';
  close(file);
}

// An ending thread of the program reads its own name, which needs no file descriptor.
void read_comm(oriel_thread& thread) {
  char name[32] = "";
  const uint32_t os_id = thread.os_id.load();
  if (os_id == thread_id()) {
    prctl(PR_GET_NAME, name);
  } else {
    read_comm_of_other(os_id, name);
  }
  // Without memory for the name, the thread keeps its known one.
  if (name[0]) attempt([&] { thread.name.store(interned(name), std::memory_order_release); });
}

// Runs when a thread that asked for its record ends.
void thread_ends(void* record) {
  auto& thread = *static_cast<oriel_thread*>(record);
  if (thread.managed.load()) return;  // the adapter reports its end
  read_comm(thread);
  thread.unloaded.store(true, std::memory_order_release);
}

void watch_for_end(oriel_thread* record) {
  static const ThreadKey key(thread_ends);
  key.set(record);
}

oriel_thread* record_of_caller() {
  if (own_record && !own_record->unloaded.load(std::memory_order_acquire)) return own_record;
  own_record = record_of_live(thread_id());
  watch_for_end(own_record);
  return own_record;
}

}  // namespace

bool is_tool_thread() { return own_record && own_record->tool.load(); }

oriel_thread* thread_attached(uintptr_t runtime_id, uint32_t os_id) {
  oriel_thread* record = os_id == thread_id() ? record_of_caller() : record_of_live(os_id);
  // A thread that the runtime detached, or one that ended unnoticed and whose id was reused.
  if (record->runtime_id && record->runtime_id != runtime_id) {
    record->unloaded.store(true, std::memory_order_release);
    things().threads.by_runtime_id.forget(record->runtime_id, record);
    record = record_of_live(os_id);
    if (os_id == thread_id()) own_record = record;
  }
  record->runtime_id = runtime_id;
  record->managed.store(true, std::memory_order_release);
  things().threads.by_runtime_id.put(runtime_id, record);
  sampling::thread_started(os_id);
  return record;
}

void thread_renamed(oriel_thread* thread, const char* utf8_name) {
  if (utf8_name && *utf8_name) thread->name.store(interned(utf8_name), std::memory_order_release);
}

void forget_names_of_threads() {
  const auto& all = things().threads.ids;
  for (uint32_t id = 1; id <= all.count(); ++id) all.get(id)->name.store(nullptr, std::memory_order_release);
}

void thread_detached(oriel_thread* thread) {
  if (!thread->name.load() && first_profiler()) read_comm(*thread);
  if (thread->unloaded.exchange(true, std::memory_order_acq_rel)) return;
  things().threads.by_runtime_id.forget(thread->runtime_id, thread);
  sampling::thread_stopped(thread->os_id.load());
}

}  // namespace oriel

oriel_thread* oriel_thread_current(void) { return oriel::or_else<oriel_thread*>(nullptr, oriel::record_of_caller); }

oriel_thread* oriel_thread_by_os_id(uint32_t os_id) {
  return oriel::or_else<oriel_thread*>(
      nullptr, [&] { return oriel::by_os_id().find_or_make(os_id, [&] { return oriel::make_record(os_id); }); });
}

uint32_t oriel_thread_os_id(const oriel_thread* thread) { return thread ? thread->os_id.load() : 0; }

bool oriel_thread_is_managed(const oriel_thread* thread) { return thread && thread->managed.load(); }

const char* oriel_thread_get_name(oriel_thread* thread) {
  if (!thread) return "";
  // A native thread may be renamed at any time; ask again while it lives.
  const bool alive = !thread->unloaded.load(std::memory_order_acquire);
  if (alive && (!thread->managed.load() || !thread->name.load())) oriel::read_comm(*thread);
  const char* const name = thread->name.load(std::memory_order_acquire);
  return name ? name : "";
}

void oriel_thread_attach_tools(void) {
  oriel_thread* const thread = oriel_thread_current();
  if (thread) thread->tool.store(true);
  oriel::attempt([] { oriel::sampling::exclude_thread(oriel::thread_id()); });
}
