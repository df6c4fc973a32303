// Asks several runtimes at the same time: none that is slow, stopped or hostile delays what the others say.
#pragma once

#include <chrono>
#include <functional>
#include <span>

#include "base/status.h"
#include "diagnostics/message.h"
#include "diagnostics/port.h"

namespace oriel::diagnostics {

struct Call {
  Port port;
  Bytes message;
  // What to ask after a reply, on a connection of its own: a port takes one request a connection. Empty: the reply is
  // what was wanted.
  std::function<Bytes(const Reply&)> next = {};
  // The last reply. The error is a phrase that follows a process's name: "does not answer".
  Result<Reply> outcome = Status::error("does not answer");
};

// Makes all calls and sets their outcomes; returns when all are there, or after `limit`. A reply is only taken from the
// process that the port names. Takes a descriptor for each call. One thread; calls may not share a `next` that is not
// safe to call one after the other. Opening a port's folder is left to its file system, which may be slow.
void make_calls(std::span<Call> calls, std::chrono::milliseconds limit);

}  // namespace oriel::diagnostics
