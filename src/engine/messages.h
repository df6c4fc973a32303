// Messages for the user, behind engine.h's warn().
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "engine/engine.h"

namespace oriel {

// Notes what stderr is: where the program has something else there later, nothing is written to it. Before the
// program's own code runs; until then, or never, whatever is there is it.
void remember_stderr();

// What profilers' own threads had to say waits for the engine's thread, as they may have no stderr: says it. On the
// engine's thread, and once it has ended, on the one that ends the process.
void tell_waiting();

// Whether the calling thread is a profiler's own (oriel_thread_attach_tools). Async-safe.
bool is_tool_thread();

// Warnings that could come by the thousand: the first few are said, and then that there are more.
class FewWarnings {
 public:
  // `more` is said in place of the one after the last. It lives as long as this.
  constexpr explicit FewWarnings(const char* more) : more_(more) {}

  // Whether it is still worth making up a message. Any thread.
  bool wanted() const { return said_.load(std::memory_order_relaxed) <= kSaid; }
  // Any thread; not async-safe.
  void say(const std::string& message) {
    const uint32_t before = said_.fetch_add(1, std::memory_order_relaxed);
    if (before <= kSaid) warn(before == kSaid ? more_ : message.c_str());
  }
  // As if nothing had been said, for tests of what is.
  void forget() { said_.store(0, std::memory_order_relaxed); }

 private:
  static constexpr uint32_t kSaid = 5;
  const char* const more_;
  std::atomic<uint32_t> said_{0};
};

}  // namespace oriel
