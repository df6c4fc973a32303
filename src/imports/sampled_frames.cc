#include "imports/sampled_frames.h"

#include <algorithm>

#include "base/text/whole_number.h"

namespace oriel::imports {
namespace {

// By the beginning of class and method.
constexpr std::string_view kOnlyWait[] = {
    "System.Threading.Thread.Sleep",
    "System.Threading.Thread.Join",
    "System.Threading.Thread.UninterruptibleSleep0",
    "System.Threading.Monitor.Wait",
    "System.Threading.Monitor.ObjWait",
    "System.Threading.Monitor.Enter",
    "System.Threading.Monitor.TryEnter",
    "System.Threading.Monitor.ReliableEnter",
    "System.Threading.Monitor.<",
    "System.Threading.Lock.",
    "System.Threading.WaitHandle.Wait",
    "System.Threading.WaitHandle.SignalAndWait",
    "System.Threading.LowLevelLifoSemaphore.",
    "System.Threading.LowLevelMonitor.",
    "System.Threading.WaitSubsystem.",
    "Interop.Sys.LowLevelMonitor_",
    "Interop.Sys.WaitForSocketEvents",
    "Interop.Sys.Poll",
};

constexpr char kOutside[] = "[native code or waiting]";

}  // namespace

uint64_t outside_frame(LogMaker& maker) { return maker.native(kOutside, "native code or waiting"); }

bool is_outside_frame(std::string_view name) { return name == kOutside; }

uint64_t waiting_frame(LogMaker& maker) { return maker.native("[waiting]", ""); }

bool only_waits(const ManagedName& method) {
  const std::string name = method.klass + "." + method.name;
  return std::ranges::any_of(kOnlyWait, [&](std::string_view begins) { return name.starts_with(begins); });
}

bool stops_for_samples(const ManagedName& method) {
  return method.klass == "System.Threading.Thread" && method.name.find("PollGC") != std::string::npos;
}

uint64_t method_id(const ManagedName& method, const std::string& module, LogMaker& maker) {
  return maker.method(maker.klass(method.klass, maker.image(module)), method.name, method.raw_name);
}

uint64_t id_in_name(std::string_view name) {
  const size_t open = name.rfind('(');
  if (!name.ends_with(')') || open == std::string_view::npos) return 0;
  return whole_number(std::string(name.substr(open + 1, name.size() - open - 2))).value_or(0);
}

bool is_code_map(std::string_view file) {
  return file.starts_with("/memfd:doublemapper") ||
         (file.find("/perf-") != std::string_view::npos && file.ends_with(".map"));
}

NamedFrame frame_of_symbol(const std::string& name, const std::string& file, LogMaker& maker) {
  if (file.empty() || is_code_map(file)) {
    if (const auto method = method_of_perf_map(name))
      return {log::FrameKind::kManaged, method_id(method->method, method->module + ".dll", maker)};
  }
  if (file.ends_with(".dll") || file.ends_with(".exe"))
    if (const auto method = split_name(name)) return {log::FrameKind::kManaged, method_id(*method, file, maker)};
  if (is_outside_frame(name)) return {log::FrameKind::kNative, outside_frame(maker)};
  return {log::FrameKind::kNative, maker.native(name, is_code_map(file) ? "" : file)};
}

}  // namespace oriel::imports
