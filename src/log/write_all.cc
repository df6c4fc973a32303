#include "log/write_all.h"

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <ctime>

namespace oriel::log {
namespace {

// A write beyond the process's file size limit raises a fatal signal at the writing thread. While this lives the signal
// is blocked, and finally discarded: the write's own error suffices.
class SizeSignalHeld {
 public:
  SizeSignalHeld() {
    sigset_t pending;
    sigemptyset(&held_);
    sigpending(&pending);
    if (!sigismember(&pending, SIGXFSZ)) sigaddset(&held_, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &held_, &before_);
  }
  ~SizeSignalHeld() {
    const timespec now{0, 0};
    while (sigtimedwait(&held_, nullptr, &now) > 0) {
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  SizeSignalHeld(const SizeSignalHeld&) = delete;
  SizeSignalHeld& operator=(const SizeSignalHeld&) = delete;

 private:
  sigset_t held_;
  sigset_t before_;
};

// `write(data, size)` writes a part and returns as write(2) does.
template <typename Write>
int write_parts(const uint8_t* data, size_t size, Write write) {
  const SizeSignalHeld held;
  while (size != 0) {
    const ssize_t written = write(data, size);
    if (written < 0) {
      if (errno == EINTR) continue;
      return errno;
    }
    if (written == 0) return ENOSPC;
    data += written;
    size -= static_cast<size_t>(written);
  }
  return 0;
}

}  // namespace

int write_all(int file, const uint8_t* data, size_t size) {
  return write_parts(data, size, [&](const uint8_t* at, size_t left) { return write(file, at, left); });
}

int write_all_at(int file, uint64_t offset, const uint8_t* data, size_t size) {
  return write_parts(data, size, [&](const uint8_t* at, size_t left) {
    return pwrite(file, at, left, static_cast<off_t>(offset + static_cast<uint64_t>(at - data)));
  });
}

}  // namespace oriel::log
