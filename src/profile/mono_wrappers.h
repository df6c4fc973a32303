// Code that Mono makes around methods and for itself, by its names: "Shop.Till.[managed-to-native] usleep(int)".
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace oriel::profile {

struct MonoWrapper {
  std::string_view kind;    // "managed-to-native"
  std::string_view method;  // "usleep(int)"
};
// What a name says; none of another function's.
std::optional<MonoWrapper> mono_wrapper(std::string_view name);

// Whether such code only passes a call on, into a method or a function. The kind "synchronized" takes a lock first, as
// part of the method.
bool passes_on(const MonoWrapper& wrapper);

// Whether it is what a `lock` statement calls in place of Monitor.Enter.
bool is_mono_lock_entry(std::string_view name);

// "Shop.Till.usleep(int)": the name of what the code is for. Other names stay.
std::string without_mono_wrapper(const std::string& name);

}  // namespace oriel::profile
