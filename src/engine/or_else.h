// Where an exception must not pass: into a module or the runtime, which may be C, and out of a thread's first function.
// What throws here is an allocation that the process has no memory for.
#pragma once

namespace oriel {

// What `body` returns; `fallback` if it throws.
template <typename Value, typename Body>
Value or_else(Value fallback, Body body) noexcept {
  try {
    return body();
  } catch (...) {
    return fallback;
  }
}

// Runs `body`, as far as it gets.
template <typename Body>
void attempt(Body body) noexcept {
  try {
    body();
  } catch (...) {
  }
}

}  // namespace oriel
