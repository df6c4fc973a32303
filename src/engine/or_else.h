// Barriers for exceptions, which must not pass into a module or the runtime (these may be C), nor out of a thread's
// first function. What throws here is an allocation without memory.
#pragma once

namespace oriel {

// The result of `body`; `fallback` if it throws.
template <typename Value, typename Body>
Value or_else(Value fallback, Body body) noexcept {
  try {
    return body();
  } catch (...) {
    return fallback;
  }
}

// Runs `body`; exceptions are dropped.
template <typename Body>
void attempt(Body body) noexcept {
  try {
    body();
  } catch (...) {
  }
}

}  // namespace oriel
