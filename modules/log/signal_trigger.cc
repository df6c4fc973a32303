#include "signal_trigger.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <string>

#include "base/static_tls.h"
#include "modules/save_when.h"
#include "oriel/oriel.h"

namespace oriel::log_module {
namespace {

constexpr int kMostChanges = 8;

int watched = 0;  // of the thread that watches, as is `changes`
int changes = 0;
std::atomic<bool> came{false};
// The handler of the program. It is never freed, because a thread may be in the handler.
std::atomic<const struct sigaction*> behind{nullptr};
// The program's handler may call the one that was there before it, which is Oriel's.
ORIEL_STATIC_TLS __thread bool is_inside = false;

bool is_function(const struct sigaction& action) {
  return action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN;
}

// Async-safe.
void handle(int number, siginfo_t* info, void* context) {
  came.store(true);
  const struct sigaction* const next = behind.load();
  if (is_inside || !next || !is_function(*next)) return;
  is_inside = true;
  const int error = errno;
  if ((next->sa_flags & SA_SIGINFO) != 0)
    next->sa_sigaction(number, info, context);
  else
    next->sa_handler(number);
  errno = error;
  is_inside = false;
}

bool is_ours(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction == handle;
}

void put_before(const struct sigaction& action) {
  behind.store(new struct sigaction(action));
  struct sigaction ours {};
  ours.sa_sigaction = handle;
  ours.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  if (is_function(action)) {
    ours.sa_mask = action.sa_mask;
    ours.sa_flags = SA_SIGINFO | (action.sa_flags & (SA_RESTART | SA_ONSTACK | SA_NODEFER));
  }
  sigaction(watched, &ours, nullptr);
}

// Where another handler stands before Oriel's, that one may call it, so it stays.
void stop_watching() {
  struct sigaction now {};
  const struct sigaction* const before = behind.load();
  if (sigaction(watched, nullptr, &now) == 0 && is_ours(now) && before) sigaction(watched, before, nullptr);
  watched = 0;
}

}  // namespace

void watch_signal(int number) {
  if (watched != 0) stop_watching();
  watched = number;
  changes = 0;
  came.store(false);
  struct sigaction now {};
  if (number != 0 && sigaction(number, nullptr, &now) == 0 && !is_ours(now)) put_before(now);
}

bool take_signal(const char* no_more) {
  struct sigaction now {};
  if (changes < kMostChanges && sigaction(watched, nullptr, &now) == 0 && !is_ours(now)) {
    if (++changes == kMostChanges)
      oriel_warn((std::string("log: the program goes on replacing the handler of ") + modules::name_of_signal(watched) +
                  ", so that signal " + no_more)
                     .c_str());
    else
      put_before(now);
  }
  return came.exchange(false);
}

}  // namespace oriel::log_module
