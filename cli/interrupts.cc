#include "interrupts.h"

#include <poll.h>
#include <pthread.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <utility>

namespace oriel::cli {
namespace {

sigset_t interrupting() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, number);
  return signals;
}

}  // namespace

Interrupts::Interrupts() : signals_(interrupting()), file_(signalfd(-1, &signals_, SFD_NONBLOCK | SFD_CLOEXEC)) {}

Interrupts::~Interrupts() {
  count();
  release();
}

void Interrupts::hold() {
  if (!is_held_) pthread_sigmask(SIG_BLOCK, &signals_, &before_);
  is_held_ = true;
}

void Interrupts::release() {
  if (is_held_) pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  is_held_ = false;
}

bool Interrupts::wait(std::chrono::milliseconds time) {
  if (count() > 0) return false;
  pollfd file{descriptor(), POLLIN, 0};
  poll(&file, 1, static_cast<int>(time.count()));
  return count() == 0;
}

int Interrupts::count() {
  signalfd_siginfo taken{};
  while (is_held_ && read(descriptor(), &taken, sizeof taken) == sizeof taken) ++count_;
  return count_;
}

bool Interrupts::take() { return std::exchange(taken_, count()) < count_; }

}  // namespace oriel::cli
