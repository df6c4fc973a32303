// Exceptions: how many of each type, where they were thrown and caught, what they say.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "profile/table/field.h"

namespace oriel::profile {

struct ExceptionType {
  std::string type;
  uint64_t thrown = 0;
  uint64_t caught = 0;

  static constexpr auto described() {
    using namespace table;
    using Row = ExceptionType;
    return describe(Order::kMostFirst, Part::kWhole, field<Kind::kText>("type", &Row::type, "its name"),
                    field<Kind::kCount>("thrown", &Row::thrown, "how many were thrown"),
                    field<Kind::kCount>("caught", &Row::caught, "how many the program's code caught"))
        .added_up();
  }
};

struct ThrownAt {
  std::string type;
  uint32_t node = 0;
  uint64_t thrown = 0;

  static constexpr auto described() {
    using namespace table;
    using Row = ThrownAt;
    return describe(Order::kByKey, Part::kWhole, field<Kind::kText>("type", &Row::type, "of the exceptions"),
                    field<Kind::kNode>("stack", &Row::node, "where they were thrown"),
                    field<Kind::kCount>("thrown", &Row::thrown,
                                        "how many of those with a stack in the log were thrown there"))
        .added_up();
  }
};

struct CaughtIn {
  std::string type;
  std::string method;
  uint64_t caught = 0;

  static constexpr auto described() {
    using namespace table;
    using Row = CaughtIn;
    return describe(Order::kByKey, Part::kWhole, field<Kind::kText>("type", &Row::type, "of the exceptions"),
                    field<Kind::kText>("method", &Row::method, "whose code caught them"),
                    field<Kind::kCount>("caught", &Row::caught, "how many it caught"))
        .added_up();
  }
};

struct ExceptionMessage {
  static constexpr size_t kMost = 3;  // of a type that are kept
  std::string type;
  std::string text;
  uint32_t node = 0;

  static constexpr auto described() {
    using namespace table;
    using Row = ExceptionMessage;
    return describe(Order::kAsTold, Part::kWhole, field<Kind::kText>("type", &Row::type, "of the exceptions"),
                    field<Kind::kText>("message", &Row::text, "what they say"),
                    field<Kind::kNode>("stack", &Row::node, "where the first one was thrown").beside_key())
        .added_up();
  }
};

}  // namespace oriel::profile
