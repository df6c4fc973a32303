// Why Mono does not report an event: a sentence for a person, with what to do.
#pragma once

#include <cstdint>

namespace oriel::mono {

inline constexpr const char* kAllocationsTooLate =
    "Mono reports allocations only if they were asked for before the program's code ran: set the callback in "
    "oriel_init_NAME, or start the program with --alloc";
inline constexpr const char* kClausesTooLate =
    "Mono reports exception clauses only if they were asked for before the program's code ran: set the callback in "
    "oriel_init_NAME";

// For events that Mono never reports; nullptr for others. Async-safe.
const char* why_unavailable(uint32_t event);

}  // namespace oriel::mono
