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

constexpr milliseconds kAnswerWait{60'000};
constexpr const char* kNothingListens = "nothing listens at its socket";

// As the process has it.
std::string own_folder(const diagnostics::Process& process) {
  return control::socket_folder(diagnostics::variable(process, "TMPDIR").value_or(""), process.user);
}

Status cannot(pid_t pid, const std::string& why) { return Status::error(fmt::format("process {}: {}", pid, why)); }

// Why there is no socket.
Status why_not(const diagnostics::Process& process, const std::string& folder) {
  if (!diagnostics::read_process(process.pid)) return cannot(process.pid, "it has ended");
  if (!process.readable)
    return cannot(process.pid,
                  "it belongs to another user, so what is in it cannot be seen; become that user, or root");
  if (!presence_in(process).inside)
    return cannot(process.pid, "Oriel is not in it; attach to it, or start the program by oriel run");
  if (diagnostics::variable(process, "ORIEL_CONTROL") == "off")
    return cannot(process.pid, "its Oriel is not to be controlled: it was started with ORIEL_CONTROL=off");
  return cannot(
      process.pid,
      fmt::format("its Oriel has no socket in {}; is that folder missing, or this Oriel another version?", folder));
}

}  // namespace

Status ControlClient::check_place(const diagnostics::Process& process) {
  const std::string folder = diagnostics::seen_path(process, own_folder(process));
  if (access(folder.c_str(), F_OK) != 0) return Status::ok();
  const Result<int> opened = control::open_socket_folder(folder, process.user, false);
  if (!opened) return opened.status();
  close(*opened);
  return Status::ok();
}

Result<ControlClient> ControlClient::try_to_connect(const diagnostics::Process& process) {
  if (diagnostics::is_stopped(process))
    return cannot(process.pid,
                  fmt::format("it is stopped, so it cannot answer; kill -CONT {} lets it go on", process.pid));
  const std::string folder = diagnostics::seen_path(process, own_folder(process));
  const Result<int> opened = control::open_socket_folder(folder, process.user, false);
  if (!opened) return cannot(process.pid, opened.message());
  ControlClient client(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), process.pid);
  const std::string path = control::socket_path(*opened, control::socket_name(process.own_pid));
  const sockaddr_un address = control::socket_address(path);
  const bool connected = ::connect(client.socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  close(*opened);
  if (!connected) return cannot(process.pid, kNothingListens);
  const std::optional<ucred> listener = control::peer_of(client.socket_);
  if (listener && listener->pid != process.pid && listener->pid != 0)
    return cannot(process.pid,
                  fmt::format("another process ({}) listens at its socket in {}", listener->pid, own_folder(process)));
  return client;
}

Result<ControlClient> ControlClient::connect(const diagnostics::Process& process) {
  const std::string folder = own_folder(process);
  if (access(diagnostics::seen_path(process, folder).c_str(), F_OK) != 0) return why_not(process, folder);
  Result<ControlClient> client = try_to_connect(process);
  if (!client && client.message().ends_with(kNothingListens)) return why_not(process, folder);
  return client;
}

ControlClient::~ControlClient() {
  if (socket_ >= 0) close(socket_);
}

Status ControlClient::send(const control::Words& request) {
  const std::string line = control::line_of(request);
  if (line.size() > control::kMostRequest) return cannot(pid_, "this is more than can be asked at once; ask for less");
  received_.clear();
  for (size_t sent = 0; sent < line.size();) {
    const ssize_t size = ::send(socket_, line.data() + sent, line.size() - sent, MSG_NOSIGNAL);
    if (size < 0 && errno != EINTR) return cannot(pid_, "it does not listen any more; has it ended?");
    if (size > 0) sent += static_cast<size_t>(size);
  }
  return Status::ok();
}

Result<std::optional<control::Answer>> ControlClient::receive() {
  char bytes[4096];
  const ssize_t size = recv(socket_, bytes, sizeof bytes, MSG_DONTWAIT);
  if (size < 0 && (errno == EINTR || errno == EAGAIN)) return std::optional<control::Answer>();
  if (size <= 0 || received_.size() > control::kMostAnswer) return cannot(pid_, "it ended before it answered");
  received_.append(bytes, static_cast<size_t>(size));
  if (!control::is_whole_answer(received_)) return std::optional<control::Answer>();
  Result<control::Answer> answer = control::read_answer(received_);
  if (!answer) return answer.status();
  return std::optional(std::move(*answer));
}

Result<control::Answer> ControlClient::ask(const control::Words& request) {
  if (Status sent = send(request); !sent) return sent;
  for (const auto until = steady_clock::now() + kAnswerWait;;) {
    const auto left = std::chrono::duration_cast<milliseconds>(until - steady_clock::now());
    pollfd wanted{socket_, POLLIN, 0};
    const int ready = left.count() > 0 ? poll(&wanted, 1, static_cast<int>(left.count())) : 0;
    if (ready == 0) return cannot(pid_, "it has not answered within a minute; is it stopped?");
    Result<std::optional<control::Answer>> answer = receive();
    if (!answer) return answer.status();
    if (*answer) return std::move(**answer);
  }
}

}  // namespace oriel::cli
