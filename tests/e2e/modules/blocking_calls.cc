// The system calls that Linux never restarts after a signal handler (signal(7), "Interruption of system calls"), and
// others that block, each made by a thread that has just computed: prints what each returned, and whether it lasted as
// long as it should.
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>

namespace {

constexpr long kMs = 1'000'000;
constexpr long kWait = 400 * kMs;
const timespec kSpan{0, kWait};

int64_t now_ns(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
}

timespec later(clockid_t clock) {
  const int64_t ns = now_ns(clock) + kWait;
  return {ns / 1'000'000'000, ns % 1'000'000'000};
}

// A pair of connected sockets that give up sending and receiving after a while.
struct Sockets {
  int ends[2] = {-1, -1};
  explicit Sockets(int type = SOCK_STREAM) {
    socketpair(AF_UNIX, type, 0, ends);
    const timeval limit{0, kWait / 1000};
    for (const int end : ends) {
      setsockopt(end, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
      setsockopt(end, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    }
  }
  ~Sockets() {
    for (const int end : ends) close(end);
  }
};

int listening_socket(sockaddr_un& name, const char* which) {
  const int listener = socket(AF_UNIX, SOCK_STREAM, 0);
  name.sun_family = AF_UNIX;
  snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "oriel-%s-%d", which, getpid());  // abstract: no file
  const timeval limit{0, kWait / 1000};
  setsockopt(listener, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  bind(listener, reinterpret_cast<sockaddr*>(&name), sizeof name);
  listen(listener, 0);
  return listener;
}

long fill_until_full() {
  Sockets pair;
  char bytes[4096] = {};
  while (send(pair.ends[0], bytes, sizeof bytes, MSG_DONTWAIT) > 0) continue;
  return send(pair.ends[0], bytes, sizeof bytes, 0);
}

long connect_to_full_queue() {
  sockaddr_un name{};
  const int listener = listening_socket(name, "full");
  const timeval limit{0, kWait / 1000};
  long result = 0;
  int clients[4];
  for (int& client : clients) {
    client = socket(AF_UNIX, SOCK_STREAM, 0);
    setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    if (result == 0) result = connect(client, reinterpret_cast<sockaddr*>(&name), sizeof name);
  }
  const int failure = errno;
  for (const int client : clients) close(client);
  close(listener);
  errno = failure;
  return result;
}

long accept_nobody() {
  sockaddr_un name{};
  const int listener = listening_socket(name, "accept");
  const long result = accept(listener, nullptr, nullptr);
  const int failure = errno;
  close(listener);
  errno = failure;
  return result;
}

long wait_for_semaphores(bool timed) {
  const int set = semget(IPC_PRIVATE, 1, 0600);
  sembuf down{0, -1, 0};
  sembuf up{0, 1, 0};
  pthread_t helper;
  struct Work {
    int set;
    sembuf* up;
  } work{set, &up};
  // Without a limit of its own another thread ends it.
  if (!timed) {
    pthread_create(
        &helper, nullptr,
        [](void* data) -> void* {
          const Work& own = *static_cast<Work*>(data);
          const int64_t until = now_ns(CLOCK_MONOTONIC) + kWait;
          while (now_ns(CLOCK_MONOTONIC) < until) usleep(10'000);
          semop(own.set, own.up, 1);
          return nullptr;
        },
        &work);
  }
  const long result = timed ? semtimedop(set, &down, 1, &kSpan) : semop(set, &down, 1);
  const int failure = errno;
  if (!timed) pthread_join(helper, nullptr);
  semctl(set, 0, IPC_RMID);
  errno = failure;
  return result;
}

// Ended by another thread, as it has no limit of its own.
template <typename Wait, typename Wake>
long wait_until_woken(Wait wait, Wake wake) {
  pthread_t helper;
  pthread_create(
      &helper, nullptr,
      [](void* data) -> void* {
        const int64_t until = now_ns(CLOCK_MONOTONIC) + kWait;
        while (now_ns(CLOCK_MONOTONIC) < until) usleep(10'000);
        (*static_cast<Wake*>(data))();
        return nullptr;
      },
      &wake);
  const long result = wait();
  const int failure = errno;
  pthread_join(helper, nullptr);
  errno = failure;
  return result;
}

struct Message {
  long type = 1;
  char text[8] = "";
};

long receive_message() {
  const int queue = msgget(IPC_PRIVATE, 0600);
  Message message;
  const long result = wait_until_woken([&] { return msgrcv(queue, &message, sizeof message.text, 0, 0); },
                                       [queue] {
                                         const Message sent;
                                         msgsnd(queue, &sent, sizeof sent.text, 0);
                                       });
  const int failure = errno;
  msgctl(queue, IPC_RMID, nullptr);
  errno = failure;
  return result;
}

long read_when_written(int from, int to) {
  uint64_t value = 1;
  const long result = wait_until_woken([&] { return read(from, &value, sizeof value); },
                                       [to] {
                                         const uint64_t one = 1;
                                         (void)!write(to, &one, sizeof one);
                                       });
  const int failure = errno;
  close(from);
  if (to != from) close(to);
  errno = failure;
  return result;
}

long read_pipe() {
  int ends[2];
  if (pipe(ends) != 0) return -1;
  return read_when_written(ends[0], ends[1]);
}

sigset_t only(int signal) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  return set;
}

long wait_for_futex() {
  uint32_t word = 0;
  return syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &kSpan, nullptr, 0);
}

struct Call {
  const char* name;
  long (*make)();
  long result = 0;
  int failure = 0;
  int64_t ns = 0;
};

Call calls[] = {
    {"nanosleep", [] { return long{nanosleep(&kSpan, nullptr)}; }},
    {"clock_nanosleep", [] { return long{clock_nanosleep(CLOCK_MONOTONIC, 0, &kSpan, nullptr)}; }},
    {"clock_nanosleep until",
     [] {
       const timespec until = later(CLOCK_MONOTONIC);
       return long{clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr)};
     }},
    {"usleep", [] { return long{usleep(kWait / 1000)}; }},
    {"sleep", [] { return static_cast<long>(sleep(1)); }},
    {"poll", [] { return long{poll(nullptr, 0, kWait / kMs)}; }},
    {"ppoll", [] { return long{ppoll(nullptr, 0, &kSpan, nullptr)}; }},
    {"select",
     [] {
       timeval span{0, kWait / 1000};
       return long{select(0, nullptr, nullptr, nullptr, &span)};
     }},
    {"pselect", [] { return long{pselect(0, nullptr, nullptr, nullptr, &kSpan, nullptr)}; }},
    {"epoll_wait",
     [] {
       const int set = epoll_create1(EPOLL_CLOEXEC);
       epoll_event event{};
       const long result = epoll_wait(set, &event, 1, kWait / kMs);
       close(set);
       return result;
     }},
    {"epoll_pwait",
     [] {
       const int set = epoll_create1(EPOLL_CLOEXEC);
       epoll_event event{};
       const long result = epoll_pwait(set, &event, 1, kWait / kMs, nullptr);
       close(set);
       return result;
     }},
    {"semop", [] { return wait_for_semaphores(false); }},
    {"semtimedop", [] { return wait_for_semaphores(true); }},
    {"msgrcv", receive_message},
    {"sigtimedwait",
     [] {
       const sigset_t set = only(SIGUSR2);
       return long{sigtimedwait(&set, nullptr, &kSpan)};
     }},
    {"sigwaitinfo",
     [] {
       const sigset_t set = only(SIGUSR2);
       const pthread_t self = pthread_self();
       return wait_until_woken([&set] { return long{sigwaitinfo(&set, nullptr)}; },
                               [self] { pthread_kill(self, SIGUSR2); });
     }},
    {"sem_timedwait",
     [] {
       sem_t semaphore;
       sem_init(&semaphore, 0, 0);
       const timespec until = later(CLOCK_REALTIME);
       return long{sem_timedwait(&semaphore, &until)};
     }},
    {"recv",
     [] {
       Sockets pair;
       char byte = 0;
       return long{recv(pair.ends[0], &byte, 1, 0)};
     }},
    {"recvmsg of datagrams",
     [] {
       Sockets pair(SOCK_DGRAM);
       char byte = 0;
       iovec part{&byte, 1};
       msghdr message{};
       message.msg_iov = &part;
       message.msg_iovlen = 1;
       return long{recvmsg(pair.ends[0], &message, 0)};
     }},
    {"send", fill_until_full},
    {"accept", accept_nobody},
    {"connect", connect_to_full_queue},
    {"futex", wait_for_futex},
    {"read of an eventfd",
     [] {
       const int event = eventfd(0, EFD_CLOEXEC);
       return read_when_written(event, event);
     }},
    {"read of a pipe", read_pipe},
};

// Computes first, so that whatever asks how much falls due while it waits.
void* make_call(void* data) {
  Call& call = *static_cast<Call*>(data);
  const int64_t until = now_ns(CLOCK_THREAD_CPUTIME_ID) + 20 * kMs;
  while (now_ns(CLOCK_THREAD_CPUTIME_ID) < until) continue;
  const int64_t begin = now_ns(CLOCK_MONOTONIC);
  errno = 0;
  call.result = call.make();
  call.failure = errno;
  call.ns = now_ns(CLOCK_MONOTONIC) - begin;
  return nullptr;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int run_blocking_calls() {
  constexpr size_t kCalls = sizeof calls / sizeof *calls;
  pthread_t threads[kCalls];
  for (size_t i = 0; i < kCalls; i++) pthread_create(&threads[i], nullptr, make_call, &calls[i]);
  for (size_t i = 0; i < kCalls; i++) {
    pthread_join(threads[i], nullptr);
    const Call& call = calls[i];
    const bool early = call.ns < kWait - 5 * kMs;
    const bool late = call.ns > 100 * kWait;
    printf("%s: %ld, %s, %s\n", call.name, call.result, strerror(call.failure),
           early  ? "early"
           : late ? "late"
                  : "in time");
  }
  fflush(stdout);
  return 0;
}
