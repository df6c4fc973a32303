#include "profile/mono_wrappers.h"

#include <algorithm>

namespace oriel::profile {
namespace {

constexpr std::string_view kFront = ".[", kBehind = "] ";

// By the beginnings of their kinds.
constexpr std::string_view kPassOn[] = {"managed-to-native", "native-to-managed", "managed-to-managed",
                                        "runtime-invoke",    "delegate-",         "unbox",
                                        "remoting-invoke",   "xdomain-"};

}  // namespace

std::optional<MonoWrapper> mono_wrapper(std::string_view name) {
  const size_t begin = name.find(kFront);
  const size_t end = begin == name.npos ? begin : name.find(kBehind, begin);
  if (end == name.npos) return std::nullopt;
  const size_t kind = begin + kFront.size();
  return MonoWrapper{name.substr(kind, end - kind), name.substr(end + kBehind.size())};
}

bool passes_on(const MonoWrapper& wrapper) {
  return std::ranges::any_of(kPassOn, [&](std::string_view begins) { return wrapper.kind.starts_with(begins); });
}

bool is_mono_lock_entry(std::string_view name) {
  const std::optional<MonoWrapper> wrapper = mono_wrapper(name);
  return wrapper && wrapper->method.starts_with("__icall_wrapper_mono_monitor_enter");
}

std::string without_mono_wrapper(const std::string& name) {
  const std::optional<MonoWrapper> wrapper = mono_wrapper(name);
  if (!wrapper) return name;
  return name.substr(0, name.find(kFront) + 1) + std::string(wrapper->method);
}

}  // namespace oriel::profile
