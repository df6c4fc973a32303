// Calls of async methods.
#pragma once

#include <cstdint>

#include "profile/table/field.h"

namespace oriel::profile {

struct AsyncCall {
  static constexpr uint32_t kNone = table::kNone;
  int64_t start_ns = -1;
  int64_t end_ns = -1;
  int64_t ran_ns = 0;
  uint32_t function = 0;
  uint32_t caller = kNone;
  uint32_t exception = 0;
  bool is_cancelled = false;

  static constexpr auto described() {
    using namespace table;
    return describe(Order::kAsTold, Part::kBlanked, field<Kind::kTime>("start", &AsyncCall::start_ns, "when it began"),
                    field<Kind::kEnd>("end", &AsyncCall::end_ns, "when it ended"),
                    field<Kind::kDuration>("ran", &AsyncCall::ran_ns,
                                           "time on threads, without async methods that resumed inside it"),
                    field<Kind::kFunction>("method", &AsyncCall::function, "the called method"),
                    row_of<AsyncCall>("caller", &AsyncCall::caller, "the call that awaits it, or that started it"),
                    field<Kind::kType>("exception", &AsyncCall::exception, "the exception that ended it, if any"),
                    field<Kind::kFlag>("cancelled", &AsyncCall::is_cancelled, "it ended by a cancellation exception"));
  }
};

}  // namespace oriel::profile
