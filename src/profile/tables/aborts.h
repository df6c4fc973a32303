// Ends of processes that their runtime aborted.
#pragma once

#include <cstdint>
#include <string>

#include "profile/table/field.h"

namespace oriel::profile {

struct Abort {
  enum class Cause { kException, kFailFast, kOther };
  Cause cause = Cause::kOther;
  std::string type;
  std::string message;
  uint32_t stack = 0;
  uint32_t first_at = 0;
  uint32_t thread = 0;
  uint32_t process = 0;
  std::string_view cause_name() const {
    return cause == Cause::kException ? "exception" : cause == Cause::kFailFast ? "fail-fast" : "other";
  }

  static constexpr auto described() {
    using namespace table;
    return describe(
        Order::kAsTold, Part::kWhole,
        derived<Kind::kWord>(
            "cause", [](const Abort& row) { return row.cause_name(); },
            "an unhandled exception, a fail-fast, or another cause"),
        field<Kind::kText>("type", &Abort::type, "type of the exception"),
        field<Kind::kText>("message", &Abort::message, "its message"),
        field<Kind::kNode>("stack", &Abort::stack, "where it was thrown, or where the end was requested"),
        field<Kind::kNode>("first_at", &Abort::first_at, "where it was first thrown, if it was rethrown elsewhere"),
        field<Kind::kThread>("thread", &Abort::thread, "the thread on which this happened"),
        field<Kind::kProcess>("process", &Abort::process, "the process that ended"));
  }
};

}  // namespace oriel::profile
