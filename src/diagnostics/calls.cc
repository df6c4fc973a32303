#include "diagnostics/calls.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

#include "base/files/open_file.h"

namespace oriel::diagnostics {
namespace {

using Clock = std::chrono::steady_clock;

struct Connection {
  Call* call = nullptr;
  int socket = -1;  // below 0: it is over
  size_t sent = 0;
  Bytes received = {};
};

void close_connection(Connection& connection) {
  if (connection.socket >= 0) close(connection.socket);
  connection.socket = -1;
}

void fail(Connection& connection, const std::string& why) {
  connection.call->outcome = Status::error(why);
  close_connection(connection);
}

// Through the folder's descriptor, as the whole path may be longer than a socket's can be.
bool set_address(const Port& port, int folder, sockaddr_un& address) {
  const std::string path = "/proc/self/fd/" + std::to_string(folder) + "/" + port.name;
  if (path.size() >= sizeof address.sun_path) return false;
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  return true;
}

std::string why_not_connected(int error) {
  switch (error) {
    case EAGAIN:  // as many wait to be accepted as may
      return "does not answer";
    case EACCES:
    case EPERM:
      return "its socket may not be used by this user";
    case ENOENT:
    case ECONNREFUSED:
      return "nobody listens at its socket";
    default:
      return std::string("its socket cannot be used: ") + std::strerror(error);
  }
}

void connect_to_port(Connection& connection) {
  const Port& port = connection.call->port;
  connection.sent = 0;
  connection.received.clear();
  const OpenFile folder(open(port.folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  sockaddr_un address{};
  if (folder.number() < 0 || !set_address(port, folder.number(), address))
    return fail(connection, why_not_connected(folder.number() < 0 ? errno : ENAMETOOLONG));
  connection.socket = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (connection.socket < 0 || connect(connection.socket, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
    return fail(connection, why_not_connected(errno));
  ucred peer{};
  socklen_t size = sizeof peer;
  if (getsockopt(connection.socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0 || peer.pid != port.pid)
    fail(connection, "another process listens at its socket");
}

void take_reply(Connection& connection) {
  Call& call = *connection.call;
  close_connection(connection);
  call.outcome = parse_reply(connection.received);
  Bytes next = call.outcome && call.next ? call.next(*call.outcome) : Bytes();
  if (next.empty()) return;
  call.message = std::move(next);
  call.outcome = Status::error("does not answer");
  connect_to_port(connection);
}

void send_some(Connection& connection) {
  const Bytes& message = connection.call->message;
  const ssize_t sent = send(connection.socket, message.data() + connection.sent, message.size() - connection.sent,
                            MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent > 0) connection.sent += static_cast<size_t>(sent);
  if (sent < 0 && errno != EAGAIN && errno != EINTR) fail(connection, "closes the connection");
}

// No more than the message has, whose header says how much that is.
void receive_some(Connection& connection) {
  Bytes& received = connection.received;
  const Result<size_t> whole = received.size() < kHeaderBytes ? kHeaderBytes : message_size(received);
  if (!whole) return fail(connection, whole.message());
  const size_t before = received.size();
  received.resize(*whole);
  const ssize_t got = recv(connection.socket, received.data() + before, *whole - before, MSG_DONTWAIT);
  received.resize(before + (got > 0 ? static_cast<size_t>(got) : 0));
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (got <= 0) return fail(connection, before == 0 ? "closes the connection" : "its reply is cut short");
  if (received.size() < kHeaderBytes) return;
  const Result<size_t> size = message_size(received);
  if (!size) return fail(connection, size.message());
  if (received.size() == *size) take_reply(connection);
}

// Waits until one of them can go on, but not beyond `until`. False: none will.
bool wait_for_some(const std::vector<Connection>& connections, Clock::time_point until, std::vector<pollfd>& ready) {
  ready.clear();
  for (const Connection& connection : connections) {
    const bool sends = connection.sent < connection.call->message.size();
    ready.push_back({connection.socket, static_cast<short>(sends ? POLLOUT : POLLIN), 0});
  }
  if (std::ranges::all_of(ready, [](const pollfd& one) { return one.fd < 0; })) return false;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
  if (left <= 0) return false;
  const int count = poll(ready.data(), ready.size(), static_cast<int>(left));
  return count > 0 || (count < 0 && errno == EINTR);
}

}  // namespace

void make_calls(std::span<Call> calls, std::chrono::milliseconds limit) {
  const Clock::time_point until = Clock::now() + limit;
  std::vector<Connection> connections;
  for (Call& call : calls) connect_to_port(connections.emplace_back(Connection{&call}));
  std::vector<pollfd> ready;
  while (wait_for_some(connections, until, ready)) {
    for (size_t i = 0; i < ready.size(); ++i) {
      if (ready[i].fd < 0 || ready[i].revents == 0) continue;
      if (ready[i].events == POLLOUT)
        send_some(connections[i]);
      else
        receive_some(connections[i]);
    }
  }
  for (Connection& connection : connections) close_connection(connection);
}

}  // namespace oriel::diagnostics
