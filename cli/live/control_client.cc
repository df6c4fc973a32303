#include "live/control_client.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <optional>
#include <string>

#include "control/place.h"
#include "live/presence.h"

namespace oriel::cli {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kMost{60'000};

Status cannot(pid_t pid, const std::string& why) { return Status::error(fmt::format("process {}: {}", pid, why)); }

// Why there is no socket.
Status why_not(const diagnostics::Process& process, const std::string& folder) {
  if (!process.readable)
    return cannot(process.pid,
                  "it belongs to another user, so what is in it cannot be seen; become that user, or root");
  if (!presence_in(process).inside) return cannot(process.pid, "Oriel is not in it; start the program by oriel run");
  if (diagnostics::variable(process, "ORIEL_CONTROL") == "off")
    return cannot(process.pid, "its Oriel is not to be controlled: it was started with ORIEL_CONTROL=off");
  return cannot(
      process.pid,
      fmt::format("its Oriel has no socket in {}; is that folder missing, or this Oriel another version?", folder));
}

}  // namespace

Result<ControlClient> ControlClient::connect(const diagnostics::Process& process) {
  const auto temporary = diagnostics::variable(process, "TMPDIR");
  const std::string own_folder = control::socket_folder(temporary.value_or(""), process.user);
  const std::string folder = diagnostics::seen_path(process, own_folder);
  if (access(folder.c_str(), F_OK) != 0) return why_not(process, own_folder);
  const Result<int> opened = control::open_socket_folder(folder, process.user, false);
  if (!opened) return cannot(process.pid, opened.message());
  ControlClient client(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), process.pid);
  const std::string path = control::socket_path(*opened, control::socket_name(process.own_pid));
  const sockaddr_un address = control::socket_address(path);
  const bool connected = ::connect(client.socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  close(*opened);
  if (!connected) return why_not(process, own_folder);
  const std::optional<ucred> listener = control::peer_of(client.socket_);
  if (listener && listener->pid != process.pid && listener->pid != 0)
    return cannot(process.pid,
                  fmt::format("another process ({}) listens at its socket in {}", listener->pid, own_folder));
  return client;
}

ControlClient::~ControlClient() {
  if (socket_ >= 0) close(socket_);
}

Result<control::Answer> ControlClient::ask(const control::Words& request) {
  const std::string line = control::line_of(request);
  if (line.size() > control::kMostRequest) return cannot(pid_, "this is more than can be asked at once; ask for less");
  for (size_t sent = 0; sent < line.size();) {
    const ssize_t size = send(socket_, line.data() + sent, line.size() - sent, MSG_NOSIGNAL);
    if (size < 0 && errno != EINTR) return cannot(pid_, "it does not listen any more; has it ended?");
    if (size > 0) sent += static_cast<size_t>(size);
  }
  std::string answer;
  for (const auto until = steady_clock::now() + kMost; !control::is_whole_answer(answer);) {
    const auto left = std::chrono::duration_cast<milliseconds>(until - steady_clock::now());
    pollfd wanted{socket_, POLLIN, 0};
    const int ready = left.count() > 0 ? poll(&wanted, 1, static_cast<int>(left.count())) : 0;
    if (ready == 0) return cannot(pid_, "it has not answered within a minute; is it stopped?");
    char bytes[4096];
    const ssize_t size = recv(socket_, bytes, sizeof bytes, 0);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0 || answer.size() > control::kMostAnswer) return cannot(pid_, "it ended before it answered");
    answer.append(bytes, static_cast<size_t>(size));
  }
  return control::read_answer(answer);
}

}  // namespace oriel::cli
