// Ctrl-C and the like while something is pushed: noticed, so that what was not delivered is kept and a program's log is
// put in order.
#pragma once

#include <chrono>
#include <csignal>

namespace oriel::cli {

// Between hold() and release() SIGINT, SIGTERM and SIGHUP end nothing, but are counted. On the main thread, before
// others are started.
class Interrupts {
 public:
  Interrupts();
  ~Interrupts() { release(); }
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  void hold();
  void release();

  // Waits; false, at once, if there has been an interrupt. Only while they are held.
  bool wait(std::chrono::milliseconds time);
  // How many there have been.
  int count();

 private:
  sigset_t signals_{}, before_{};
  bool is_held_ = false;
  int count_ = 0;
};

}  // namespace oriel::cli
