// The border between C++ and C: no exception crosses it, and errors become texts of the caller's.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <exception>
#include <initializer_list>
#include <new>
#include <string_view>
#include <utility>

namespace oriel::reader {

// Where a caller wants to have a message.
struct MessageRoom {
  char* text;
  size_t size;

  // Cut between characters if it is too long.
  void say(std::string_view message) const noexcept;
  // "NULL is given for the sink", of an argument of that name.
  void say_null(std::string_view name) const noexcept;
};

// What `run` returns, or `failed` if it throws.
template <typename Value, typename Run>
Value guarded(const MessageRoom& room, Value failed, Run run) noexcept {
  try {
    return run();
  } catch (const std::bad_alloc&) {
    room.say("there is no memory for it");
  } catch (const std::exception& error) {
    room.say(error.what());
  }
  return failed;
}

// Whether one of a function's arguments that may not be NULL is; says which.
inline bool lacks(std::initializer_list<std::pair<const void*, std::string_view>> arguments,
                  const MessageRoom& room) noexcept {
  for (const auto& [given, name] : arguments)
    if (given == nullptr) return room.say_null(name), true;
  return false;
}

// A struct of the caller's, which may be of an earlier or a later version: as much of it as this one knows.
template <typename Struct>
Struct as_known(const Struct& given) {
  Struct known{};
  std::memcpy(&known, &given, std::min(given.size, sizeof known));
  return known;
}

// And what is filled for the caller, who knows `size` bytes of it.
template <typename Struct>
void hand_out(Struct made, Struct* to) {
  if (to == nullptr) return;
  made.size = std::min(to->size, sizeof made);
  std::memcpy(to, &made, made.size);
}

}  // namespace oriel::reader
