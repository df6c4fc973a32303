// The numbers of events.def by name: k_gc_begin and so on.
#pragma once

#include <cstdint>

namespace oriel::profile {

#define ORIEL_EVENT(number, name, since, context, group, stack, fields, doc) \
  inline constexpr uint32_t k_##name = number;
#include "oriel/events.def"
#undef ORIEL_EVENT

}  // namespace oriel::profile
