#include "fleet/interrupts.h"

#include <pthread.h>

#include <cerrno>
#include <ctime>

namespace oriel::cli {

Interrupts::Interrupts() {
  sigemptyset(&signals_);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals_, number);
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
  if (count_ > 0) return false;
  const timespec most{static_cast<time_t>(time.count() / 1000), static_cast<long>(time.count() % 1000 * 1'000'000)};
  int received = 0;
  // What is not asked for, such as SIGCONT, interrupts the wait, which then begins anew: it may be longer.
  do received = sigtimedwait(&signals_, nullptr, &most);
  while (received < 0 && errno == EINTR);
  if (received > 0) ++count_;
  return count_ == 0;
}

int Interrupts::count() {
  constexpr timespec kAtOnce{};
  while (is_held_ && sigtimedwait(&signals_, nullptr, &kAtOnce) > 0) ++count_;
  return count_;
}

}  // namespace oriel::cli
