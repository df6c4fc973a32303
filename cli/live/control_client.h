// A connection to the engine in a running program.
#pragma once

#include "base/status.h"
#include "control/message.h"
#include "diagnostics/process.h"

namespace oriel::cli {

class ControlClient {
 public:
  // Connects to the engine in that process, which has been read with what is inside. Errors say what is in the way, and
  // what to do.
  static Result<ControlClient> connect(const diagnostics::Process& process);

  ~ControlClient();
  ControlClient(ControlClient&& other) noexcept : socket_(other.socket_), pid_(other.pid_) { other.socket_ = -1; }
  ControlClient& operator=(ControlClient&&) = delete;

  // What the engine answers, which may be an error. Errors of the result itself: the process does not answer within a
  // minute, or has ended.
  Result<control::Answer> ask(const control::Words& request);

 private:
  ControlClient(int socket, pid_t pid) : socket_(socket), pid_(pid) {}

  int socket_;
  pid_t pid_;
};

}  // namespace oriel::cli
