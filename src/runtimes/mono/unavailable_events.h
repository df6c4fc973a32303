// Why Mono does not report an event: a sentence for a person, with what to do.
#pragma once

#include <cstdint>

namespace oriel::mono {

inline constexpr const char* kAllocationsTooLate =
    "Mono reports allocations only if they were asked for before the program's code ran: start the program with "
    "--alloc; a module sets the callback in oriel_init_NAME";
inline constexpr const char* kClausesTooLate =
    "Mono reports exception clauses only if they were asked for before the program's code ran: set the callback in "
    "oriel_init_NAME";
inline constexpr const char* kCallsTooLate =
    "Mono adds to methods only as it compiles them: calls of those that it compiled before are left out. Start the "
    "program with --calls or --callgraph to have all";
inline constexpr const char* kCoverageTooLate =
    "Mono counts which code runs only if that is asked for before the program starts: start it under oriel cover";

// For events that Mono never reports; nullptr for others. Async-safe.
const char* why_unavailable(uint32_t event);

}  // namespace oriel::mono
