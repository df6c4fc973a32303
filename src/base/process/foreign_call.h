// Calls of code that others compiled: modules, guest profilers, plug-ins.
//
// An exception out of it is unwound by its own copy of the unwinder, maybe of another maker than ours. A frame of ours
// with anything to destroy or catch would read that unwinder's context with our copy, and end the process. So such an
// exception meets only the frame of foreign_call(), which reads no context, and goes on as one of ours.
#pragma once

#include <type_traits>

namespace oriel {

// An exception came out of foreign code; the original is gone.
struct ForeignException {};

namespace detail {

// Calls act(data); whether it returned, rather than threw.
bool returns(void (*act)(void*), void* data);

template <typename Act>
bool returns(Act& act) {
  return returns([](void* data) { (*static_cast<Act*>(data))(); }, &act);
}

}  // namespace detail

// What act() returns. Throws ForeignException if an exception came out of it. Everything below `act` is destroyed as
// usual, but `act` must have nothing to destroy itself while it calls out. Any thread; async-safe as far as `act` is.
template <typename Act>
auto foreign_call(Act act) -> decltype(act()) {
  using Answer = decltype(act());
  if constexpr (std::is_void_v<Answer>) {
    if (!detail::returns(act)) throw ForeignException();
  } else {
    static_assert(std::is_trivially_destructible_v<Answer>);
    Answer answer{};
    auto take = [&] { answer = act(); };
    if (!detail::returns(take)) throw ForeignException();
    return answer;
  }
}

}  // namespace oriel
