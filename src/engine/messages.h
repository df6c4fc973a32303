// Messages for the user, behind engine.h's warn().
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/engine.h"

namespace oriel {

// Records what stderr is: if the program replaces it later, nothing is written there. Call before the program's own
// code runs; without this call stderr is used as it is.
void remember_stderr();

// Prints the messages of profilers' own threads, which may have no stderr and leave them to the engine's thread. On the
// engine's thread, and after its end on the thread that ends the process.
void print_deferred_messages();

// From now on messages are kept for take_messages: a tool has attached the engine and shows them, because the program's
// stderr is not Oriel's.
void keep_messages();
std::vector<std::string> take_messages();
bool has_messages();

// Whether the calling thread is a profiler's own (oriel_thread_attach_tools). Async-safe.
bool is_tool_thread();

// For warnings that could come by the thousand: prints the first few, and then that there are more.
class FewWarnings {
 public:
  // `more` is printed instead of the first suppressed one. It must outlive this.
  constexpr explicit FewWarnings(const char* more) : more_(more) {}

  // Whether a further message would be printed. Any thread.
  bool wanted() const { return said_.load(std::memory_order_relaxed) <= kSaid; }
  // Any thread; not async-safe.
  void say(const std::string& message) {
    const uint32_t before = said_.fetch_add(1, std::memory_order_relaxed);
    if (before <= kSaid) warn(before == kSaid ? more_ : message.c_str());
  }
  // Restarts the count; for tests.
  void forget() { said_.store(0, std::memory_order_relaxed); }

 private:
  static constexpr uint32_t kSaid = 5;
  const char* const more_;
  std::atomic<uint32_t> said_{0};
};

}  // namespace oriel
