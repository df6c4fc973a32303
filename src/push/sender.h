// Delivers parcels: tries again where that may help, and keeps in the spool what could not be delivered.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "push/answer.h"
#include "push/parcel.h"
#include "push/spool.h"

namespace oriel::push {

// What a sender does to the world, for tests to replace.
struct SenderHooks {
  std::function<Answer(const Parcel&)> post;
  // Waits; false if it was interrupted: then nothing is tried again.
  std::function<bool(std::chrono::milliseconds)> wait;
  std::function<std::chrono::steady_clock::time_point()> now = std::chrono::steady_clock::now;
  std::function<double()> random;  // in [0, 1)
  // Tells a person; one line.
  std::function<void(const std::string&)> tell;
};

class Sender {
 public:
  // `timeout` is the hooks' for one request, for messages.
  Sender(Server server, std::chrono::milliseconds timeout, std::optional<Spool> spool, SenderHooks hooks)
      : server_(std::move(server)), timeout_(timeout), spool_(std::move(spool)), hooks_(std::move(hooks)) {}

  // Delivers what the spool has for this server, oldest first, and then the parcel. A failed request is tried again
  // until `patience` is over. What is left of it is told: each outage once, with its end.
  void send(const Parcel& parcel, std::chrono::milliseconds patience);

  struct Counts {
    size_t delivered = 0;  // also from the spool
    size_t kept = 0;       // in the spool now, of what was to be sent
    size_t lost = 0;       // refused, dropped from the spool, or not kept for want of one
  };
  const Counts& counts() const { return counts_; }

 private:
  using Time = std::chrono::steady_clock::time_point;

  bool wait_until(Time time, Time until);
  Outcome deliver(const Parcel& parcel, Time until);
  Outcome deliver_spooled(Time until);
  void keep(const Parcel& parcel);
  void tell_failure(const std::string& message);

  const Server server_;
  const std::chrono::milliseconds timeout_;
  const std::optional<Spool> spool_;
  const SenderHooks hooks_;
  Counts counts_;
  Time not_before_{};  // the server asked to be left alone until then
  std::string told_;   // the last failure, while it lasts
};

}  // namespace oriel::push
