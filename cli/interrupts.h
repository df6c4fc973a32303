// Ctrl-C and the like, noticed by tools that have something to put in order before they end.
#pragma once

#include <chrono>
#include <csignal>

#include "base/files/open_file.h"

namespace oriel::cli {

// Between hold() and release() SIGINT, SIGTERM and SIGHUP end nothing, but are counted. On the main thread, before
// others are started.
class Interrupts {
 public:
  Interrupts();
  // Forgets those that came too late to be counted.
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

  void hold();
  void release();

  // Waits; false, at once, if there has been an interrupt. Only while they are held.
  bool wait(std::chrono::milliseconds time);
  // How many there have been.
  int count();
  // Whether there was one since the last question.
  bool take();
  // Something to wait for beside other files: it can be read when there is one.
  int descriptor() const { return file_.number(); }

 private:
  sigset_t signals_{}, before_{};
  OpenFile file_;
  bool is_held_ = false;
  int count_ = 0, taken_ = 0;
};

}  // namespace oriel::cli
