#include "log/write_all.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <ctime>
#include <initializer_list>

namespace oriel::log {
namespace {

// A write beyond the process's file size limit, and one to a pipe that nobody reads, raise a fatal signal at the
// writing thread. While this lives these signals are blocked, and finally discarded: the write's own error suffices.
class SignalsHeld {
 public:
  SignalsHeld() {
    sigset_t pending;
    sigemptyset(&held_);
    sigpending(&pending);
    for (const int signal : {SIGXFSZ, SIGPIPE})
      if (!sigismember(&pending, signal)) sigaddset(&held_, signal);
    pthread_sigmask(SIG_BLOCK, &held_, &before_);
  }
  ~SignalsHeld() {
    const timespec now{0, 0};
    while (sigtimedwait(&held_, nullptr, &now) > 0) {
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

 private:
  sigset_t held_;
  sigset_t before_;
};

// How long a pipe or socket may take nothing at all. It is asked again every so often: a socket takes a little long
// before it says so.
constexpr int kPatienceMs = 5000, kAskMs = 100;

void wait_for_room(int file) {
  pollfd room{file, POLLOUT, 0};
  poll(&room, 1, kAskMs);
}

// `write(data, size)` writes a part and returns as write(2) does.
template <typename Write>
int write_parts(int file, const uint8_t* data, size_t size, Write write) {
  const SignalsHeld held;
  int waited_ms = 0;
  while (size != 0) {
    const ssize_t written = write(data, size);
    if (written < 0) {
      if (errno == EINTR) continue;
      if (errno == EAGAIN && waited_ms < kPatienceMs) {
        wait_for_room(file);
        waited_ms += kAskMs;
        continue;
      }
      return errno;
    }
    if (written == 0) return ENOSPC;
    waited_ms = 0;
    data += written;
    size -= static_cast<size_t>(written);
  }
  return 0;
}

}  // namespace

int write_all(int file, const uint8_t* data, size_t size) {
  return write_parts(file, data, size, [&](const uint8_t* at, size_t left) { return write(file, at, left); });
}

int write_all_at(int file, uint64_t offset, const uint8_t* data, size_t size) {
  return write_parts(file, data, size, [&](const uint8_t* at, size_t left) {
    return pwrite(file, at, left, static_cast<off_t>(offset + static_cast<uint64_t>(at - data)));
  });
}

}  // namespace oriel::log
