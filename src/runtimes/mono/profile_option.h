// Mono's option --profile=oriel, by which Mono loads Oriel for `oriel run`, or for a user who starts Mono alone.
#pragma once

namespace oriel::mono {

// Starts the engine as `begin` does, and says what the option lacks if Oriel does not do what the user may expect of
// it. `description` is the text behind "--profile=", as Mono gives it. Never throws.
void begin_by_option(const char* description, const void* caller) noexcept;

}  // namespace oriel::mono
