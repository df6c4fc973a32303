// Managed threads. The runtime reports a thread twice: when it creates the thread object (ThreadCreated), and when an
// OS thread is assigned to it, which is what the engine needs.
#include "runtimes/coreclr/callbacks/callback_threads.h"

#include <string>
#include <utility>

#include "base/redact/redact.h"
#include "base/text/utf16.h"
#include "engine/engine.h"
#include "runtimes/coreclr/callbacks/callback.h"

namespace oriel::coreclr {

void ThreadNames::keep(ThreadID thread, std::string name) {
  const std::lock_guard lock(mutex_);
  names_[thread] = std::move(name);
}

std::string ThreadNames::take(ThreadID thread) {
  const std::lock_guard lock(mutex_);
  const auto found = names_.find(thread);
  if (found == names_.end()) return {};
  std::string name = std::move(found->second);
  names_.erase(found);
  return name;
}

HResult Callback::ThreadAssignedToOSThread(ThreadID thread, uint32_t os_thread) {
  return guarded([&] {
    const oriel_thread* known = find_thread(thread);
    if (known != nullptr && known->os_id.load(std::memory_order_relaxed) == os_thread) return;
    oriel_thread* record = thread_attached(thread, os_thread);
    if (record == nullptr) return;
    raise_thread_started(record);
    const std::string name = thread_names_.take(thread);
    if (!name.empty()) {
      thread_renamed(record, name.c_str());
      raise_thread_name(record, name.c_str());
    }
  });
}

HResult Callback::ThreadNameChanged(ThreadID thread, uint32_t length, char16_t* name) {
  return guarded([&] {
    std::string text = utf8_of(name == nullptr ? std::u16string_view() : std::u16string_view(name, length));
    if (redacts()) text = redact_text(text);
    oriel_thread* record = find_thread(thread);
    if (record == nullptr) {
      thread_names_.keep(thread, std::move(text));
      return;
    }
    thread_renamed(record, text.c_str());
    raise_thread_name(record, text.c_str());
  });
}

HResult Callback::ThreadDestroyed(ThreadID thread) {
  return guarded([&] {
    thread_names_.take(thread);
    oriel_thread* record = find_thread(thread);
    if (record == nullptr) return;
    raise_thread_stopped(record);
    thread_detached(record);
  });
}

}  // namespace oriel::coreclr
