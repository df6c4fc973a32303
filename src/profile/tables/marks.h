// Marks: moments that the program or a person gave a name.
#pragma once

#include <cstdint>
#include <string>

#include "log/event.h"
#include "oriel/oriel.h"
#include "profile/table/field.h"

namespace oriel::profile {

struct Mark {
  static constexpr uint32_t kEvent = oriel_event_mark;
  int64_t ns = 0;
  std::string text;

  static Mark made_from(const log::Event& event) { return {0, std::string(event.text)}; }
  static constexpr auto described() {
    using namespace table;
    using Row = Mark;
    return describe(Order::kAsTold, Part::kWhole, field<Kind::kTime>("time", &Row::ns, "when"),
                    field<Kind::kText>("mark", &Row::text, "what was marked"));
  }
};

}  // namespace oriel::profile
