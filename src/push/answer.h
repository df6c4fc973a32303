// What came of a request, and what follows from it. Pure functions.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "push/server.h"

namespace oriel::push {

struct Answer {
  // Why there is no answer.
  enum class Failure { kNone, kHost, kConnection, kTimeout, kCertificate, kTls, kAddress, kInterrupted, kOther };
  Failure failure = Failure::kNone;
  std::string reason;  // of the failure, as the library says it

  int status = 0;  // of HTTP
  std::string body;
  std::string retry_after;  // the header; "": none
  std::string location;     // of a redirection
};

enum class Outcome {
  kDelivered,
  kLater,    // may succeed if it is tried again: the server is away or busy
  kKept,     // would fail again, but not for what was sent: the credentials, the address, the certificate
  kRefused,  // the server will never take this
};

struct Verdict {
  Outcome outcome = Outcome::kDelivered;
  // One line for a person: what is wrong, and what to do. Of what was delivered, what the server says of it; or "".
  std::string message;
};

// OTLP says that only 429, 502, 503 and 504 may be tried again. `timeout` is for the message.
Verdict judge(const Answer& answer, const Server& server, std::chrono::milliseconds timeout);

// How long a server wants to be left alone, by its header Retry-After: seconds, or a date, of which `now` (seconds
// since the Unix epoch) is taken off. Nullopt if there is none; a day at most.
std::optional<std::chrono::seconds> retry_after(std::string_view header, int64_t now);

}  // namespace oriel::push
