#include "engine/heap/forked_copy.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <exception>

#include "base/clock.h"
#include "engine/heap/free_memory.h"

namespace oriel {
namespace {

// How the copy exits; it leaves no core.
constexpr int kFaulted = 1, kCameToNoEnd = 2;

constexpr int kFaults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS};

constinit std::atomic<uint32_t> ends_so_far{0};  // calls of end_all

constexpr const char* kNoEnd = "the walk over the heap came to no end";

// Of the copy, for its handler of faults.
struct Running {
  void (*on_fault)(void*) = nullptr;
  void* argument = nullptr;
} running;

void end_by_fault(int) {
  running.on_fault(running.argument);
  _exit(kFaulted);
}

// The program's handlers must not run in the copy.
void take_signals() {
  sigset_t ends;
  sigemptyset(&ends);
  struct sigaction action {};
  action.sa_handler = end_by_fault;
  action.sa_flags = SA_RESETHAND;
  for (const int fault : kFaults) {
    sigaction(fault, &action, nullptr);
    sigaddset(&ends, fault);
  }
  action.sa_handler = [](int) { _exit(kCameToNoEnd); };
  sigaction(SIGXCPU, &action, nullptr);
  sigaddset(&ends, SIGXCPU);
  pthread_sigmask(SIG_UNBLOCK, &ends, nullptr);
}

void close_all_but(int file) {
  if (file > 0) syscall(SYS_close_range, 0u, static_cast<unsigned>(file - 1), 0u);
  syscall(SYS_close_range, static_cast<unsigned>(file + 1), ~0u, 0u);
}

// Whoever must end for want of memory, it is the copy.
void come_first_when_memory_ends() {
  const int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  [[maybe_unused]] const ssize_t written = write(file, "1000", 4);
  close(file);
}

}  // namespace

int ForkedCopy::start(void (*run)(void*), void (*on_fault)(void*), void* argument, int file,
                      std::chrono::seconds most_cpu) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  ends_before_ = ends_so_far.load();
  const pid_t parent = getpid();
  const long got = syscall(SYS_clone, 0, nullptr, nullptr, nullptr, nullptr);  // 0: no signal when it ends
  if (got == 0) {
    running = {on_fault, argument};
    take_signals();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(0);
    prctl(PR_SET_NAME, "oriel-heap");
    close_all_but(file);
    come_first_when_memory_ends();
    setpriority(PRIO_PROCESS, 0, 5);
    const auto seconds = static_cast<rlim_t>(most_cpu.count());
    const rlimit limit{seconds, seconds + 5};  // SIGXCPU at the first, SIGKILL at the second
    setrlimit(RLIMIT_CPU, &limit);
    run(argument);
    _exit(0);
  }
  const int error = got < 0 ? errno : 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  process_ = static_cast<pid_t>(got);
  return error;
}

std::string ForkedCopy::wait(std::chrono::seconds most, const std::function<bool()>& meanwhile) {
  const uint64_t end = clock_monotonic_ns() + static_cast<uint64_t>(std::chrono::nanoseconds(most).count());
  std::string why;
  for (unsigned nap = 0;; ++nap) {
    int status = 0;
    const pid_t got = waitpid(process_, &status, __WCLONE | WNOHANG);
    if (got == process_ || (got < 0 && errno == ECHILD)) {
      if (!why.empty() || got < 0) return why;
      if (WIFSIGNALED(status)) return "the copy of the process was killed, most likely for want of memory";
      return WEXITSTATUS(status) == kCameToNoEnd ? kNoEnd : "";
    }
    if (why.empty() && clock_monotonic_ns() > end)
      why = "the walk over the heap took longer than " + std::to_string(most.count()) + " s";
    if (why.empty() && nap % 16 == 15 && free_memory() < kMemoryToLeave)
      why = "the memory that is left is the program's";
    if (why.empty() && is_given_up_) why = kNoEnd;
    if (why.empty() && ends_so_far.load() != ends_before_) why = "the program ends";
    bool was_idle = true;
    try {
      if (why.empty()) was_idle = !meanwhile();
    } catch (const std::exception&) {
      why = "out of memory";
    }
    if (!why.empty()) kill(process_, SIGKILL);
    const timespec time{0, 4'000'000};
    if (was_idle) nanosleep(&time, nullptr);
  }
}

void ForkedCopy::end_all() { ends_so_far.fetch_add(1); }

std::string obstacle_to_copy(uint64_t heap) {
  // A third of the heap changes during a walk, at most, and 3.3 % of it is what the walk needs itself.
  const uint64_t wanted = kMemoryToLeave + heap / 3 + heap / 30, left = free_memory();
  if (left >= wanted) return "";
  return "a copy of the process may need " + std::to_string(wanted >> 20) + " MB of memory, and " +
         std::to_string(left >> 20) + " MB are free";
}

}  // namespace oriel
