// A connection to the engine in a running program.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "base/status.h"
#include "control/message.h"
#include "diagnostics/process.h"

namespace oriel::cli {

class ControlClient {
 public:
  // Connects to the engine in that process, which has been read with what is inside. Errors say what is in the way, and
  // what to do.
  static Result<ControlClient> connect(const diagnostics::Process& process);

  // Likewise, where the engine may still be making its socket: a short error, for another try.
  static Result<ControlClient> try_to_connect(const diagnostics::Process& process);
  // Why the engine could not make its socket there, as far as that is known before; ok if it is in no way.
  static Status check_place(const diagnostics::Process& process);

  ~ControlClient();
  ControlClient(ControlClient&& other) noexcept : socket_(std::exchange(other.socket_, -1)), pid_(other.pid_) {}
  ControlClient& operator=(ControlClient&&) = delete;

  // What the engine answers, which may be an error. Errors of the result itself: the process does not answer within a
  // minute, or has ended.
  Result<control::Answer> ask(const control::Words& request);

  // The same in parts, for who waits for other things too: poll(2) tells when there is something to receive. One
  // request at a time.
  Status send(const control::Words& request);
  Result<std::optional<control::Answer>> receive();
  int descriptor() const { return socket_; }

 private:
  ControlClient(int socket, pid_t pid) : socket_(socket), pid_(pid) {}

  int socket_;
  pid_t pid_;
  std::string received_;  // of an answer
};

}  // namespace oriel::cli
