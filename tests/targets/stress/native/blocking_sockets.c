// Sockets with a time limit (SO_RCVTIMEO, SO_SNDTIMEO).
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "blocking.h"

enum { MAX_CLIENTS = 4 };

static struct timeval limit(int milliseconds) {
  return (struct timeval){milliseconds / 1000, milliseconds % 1000 * 1000L};
}

// A pair of which the first receives, and sends, for so long at most; nothing more can be sent.
struct full_pair {
  int ends[2];
};

static struct full_pair open_pair(int milliseconds) {
  struct full_pair pair;
  const struct timeval time = limit(milliseconds);
  static const char much[65536];
  socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair.ends);
  setsockopt(pair.ends[0], SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
  setsockopt(pair.ends[0], SOL_SOCKET, SO_SNDTIMEO, &time, sizeof time);
  while (send(pair.ends[0], much, sizeof much, MSG_DONTWAIT) > 0) {
  }
  return pair;
}

static void close_pair(struct full_pair pair) {
  close(pair.ends[0]);
  close(pair.ends[1]);
}

#define WITH_PAIR(function, call)                                               \
  static void function(struct outcome* outcome, int milliseconds) {             \
    const struct full_pair pair = open_pair(milliseconds);                      \
    char data[16] = "data";                                                     \
    struct iovec piece = {data, sizeof data};                                   \
    struct mmsghdr message = {.msg_hdr = {.msg_iov = &piece, .msg_iovlen = 1}}; \
    const int end = pair.ends[0];                                               \
    (void)message;                                                              \
    begin(outcome);                                                             \
    finish(outcome, call);                                                      \
    close_pair(pair);                                                           \
  }

WITH_PAIR(run_recv, recv(end, data, sizeof data, 0))
WITH_PAIR(run_recvfrom, recvfrom(end, data, sizeof data, 0, NULL, NULL))
WITH_PAIR(run_recvmsg, recvmsg(end, &message.msg_hdr, 0))
WITH_PAIR(run_recvmmsg, recvmmsg(end, &message, 1, 0, NULL))
WITH_PAIR(run_read, read(end, data, sizeof data))
WITH_PAIR(run_send, send(end, data, sizeof data, 0))
WITH_PAIR(run_sendto, sendto(end, data, sizeof data, 0, NULL, 0))
WITH_PAIR(run_sendmsg, sendmsg(end, &message.msg_hdr, 0))
WITH_PAIR(run_sendmmsg, sendmmsg(end, &message, 1, 0))
WITH_PAIR(run_write, write(end, data, sizeof data))

static int listen_on_loopback(struct sockaddr_in* address) {
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  socklen_t size = sizeof *address;
  *address = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
  bind(listener, (struct sockaddr*)address, sizeof *address);
  listen(listener, 0);
  getsockname(listener, (struct sockaddr*)address, &size);
  return listener;
}

static void run_accept(struct outcome* outcome, int milliseconds) {
  struct sockaddr_in address;
  const struct timeval time = limit(milliseconds);
  const int listener = listen_on_loopback(&address);
  setsockopt(listener, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
  begin(outcome);
  finish(outcome, accept(listener, NULL, NULL));
  close(listener);
}

// Nobody accepts, and the queue of those who wait for it is full: the next waits.
static void connect_to_full(struct outcome* outcome, int milliseconds, int listener, const struct sockaddr* address,
                            socklen_t size) {
  int clients[MAX_CLIENTS + 1];
  const struct timeval time = limit(milliseconds);
  for (int i = 0; i <= MAX_CLIENTS; i++) {
    clients[i] = socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC | (i < MAX_CLIENTS ? SOCK_NONBLOCK : 0), 0);
    if (i < MAX_CLIENTS) connect(clients[i], address, size);
  }
  setsockopt(clients[MAX_CLIENTS], SOL_SOCKET, SO_SNDTIMEO, &time, sizeof time);
  begin(outcome);
  finish(outcome, connect(clients[MAX_CLIENTS], address, size));
  for (int i = 0; i <= MAX_CLIENTS; i++) close(clients[i]);
  close(listener);
}

static void run_connect(struct outcome* outcome, int milliseconds) {
  struct sockaddr_in address;
  const int listener = listen_on_loopback(&address);
  connect_to_full(outcome, milliseconds, listener, (struct sockaddr*)&address, sizeof address);
}

static void run_connect_unix(struct outcome* outcome, int milliseconds) {
  // Bound without a path it gets an abstract name of its own.
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  socklen_t size = sizeof address;
  const int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  bind(listener, (struct sockaddr*)&address, sizeof address.sun_family);
  listen(listener, 0);
  getsockname(listener, (struct sockaddr*)&address, &size);
  connect_to_full(outcome, milliseconds, listener, (struct sockaddr*)&address, size);
}

const struct blocking_call socket_calls[] = {
    {"recv", run_recv},
    {"recvfrom", run_recvfrom},
    {"recvmsg", run_recvmsg},
    {"recvmmsg", run_recvmmsg},
    {"read(socket)", run_read},
    {"send", run_send},
    {"sendto", run_sendto},
    {"sendmsg", run_sendmsg},
    {"sendmmsg", run_sendmmsg},
    {"write(socket)", run_write},
    {"accept", run_accept},
    {"connect", run_connect},
    {"connect(unix)", run_connect_unix},
    {NULL, NULL},
};
