// A copy of the process (fork) that does one thing and ends. The program notices nothing: the kernel sends no SIGCHLD
// for it, and wait calls that do not ask for such children (__WCLONE, __WALL) do not see it.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace oriel {

class ForkedCopy {
 public:
  // Makes the copy, in which run(argument) is called; it ends when that returns. The copy's only thread is the calling
  // one: run must not lock, allocate, or call what does. `file` stays open in it, and nothing else. In the copy,
  // reading memory that is not there calls on_fault(argument) and ends it; so much CPU time ends it too. Returns an
  // errno, or 0.
  int start(void (*run)(void*), void (*on_fault)(void*), void* argument, int file, std::chrono::seconds most_cpu);

  // Waits until it has ended. Kills it after `most`, and as soon as too little memory is left for the program; says
  // then why. "" if it ended by itself. Calls `meanwhile` again and again, which does a little of what there is to do,
  // and returns whether there was anything.
  std::string wait(
      std::chrono::seconds most, const std::function<bool()>& meanwhile = [] { return false; });

  // Has `wait` kill it, and say that it came to no end. For `meanwhile`.
  void give_up() { is_given_up_ = true; }

  // Has the waits for all copies that run now kill them, and say that the program ends, which must not wait for them.
  // Any thread.
  static void end_all();

 private:
  pid_t process_ = -1;
  bool is_given_up_ = false;
  uint32_t ends_before_ = 0;
};

// What keeps a process from being copied: a sentence; "" if there is memory enough. A copy costs memory for what the
// program changes meanwhile; `heap` is the size of its heap.
std::string obstacle_to_copy(uint64_t heap);

}  // namespace oriel
