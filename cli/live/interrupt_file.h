// Ctrl-C and its like as something to read, for loops that wait for other files too.
#pragma once

#include <sys/signalfd.h>
#include <unistd.h>

#include <csignal>

#include "base/files/open_file.h"

namespace oriel::cli {

// SIGINT, SIGTERM and SIGHUP are blocked and read, from its making until the tool ends.
class InterruptFile {
 public:
  InterruptFile() : file_(-1) {
    sigset_t signals;
    sigemptyset(&signals);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, signal);
    sigprocmask(SIG_BLOCK, &signals, nullptr);
    file_.replace(signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC));
  }
  int descriptor() const { return file_.number(); }
  // Whether there was one since the last call.
  bool take() {
    signalfd_siginfo taken{};
    return read(file_.number(), &taken, sizeof taken) == sizeof taken;
  }

 private:
  OpenFile file_;
};

}  // namespace oriel::cli
