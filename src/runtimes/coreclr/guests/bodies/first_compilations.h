// Methods whose first code belongs to a version that was requested before they ever ran. For these the runtime does not
// report a compilation of the default version, in which profilers change bodies. So Oriel reports it to these profilers
// before the version is composed. docs/design/guests.md lists all orders of events.
#pragma once

#include <cstdint>
#include <mutex>
#include <unordered_map>

#include "runtimes/coreclr/com/profiling.h"
#include "runtimes/coreclr/method_key.h"

namespace oriel::coreclr {

// Any thread. Calls nobody. Guests are given by their bits.
class FirstCompilations {
 public:
  // Which guests got a report, and for which function: if the method has several, it is one of these.
  struct Told {
    FunctionID function = 0;
    uint32_t guests = 0;
  };

  // Whether nothing was reported about the method so far, by the runtime or by Oriel.
  bool is_new(const MethodKey& key);
  // Oriel reports the compilation to these guests; if there are none, nobody needs it.
  void told(const MethodKey& key, const Told& told);
  // The runtime reports that the default version is compiled, or the end of that. Returns the guests that must not
  // receive it, because they already received this compilation's report.
  uint32_t begins(const MethodKey& key, FunctionID function);
  uint32_t ends(const MethodKey& key, FunctionID function);
  // A version was compiled, or could not be. Returns the guests that received the begin of a compilation but not its
  // end, which they receive now.
  Told version_ends(const MethodKey& key);
  void module_unloading(ModuleID module);

 private:
  enum class State : uint8_t { kUsual, kToldBegin, kTold, kBegun };
  struct Method {
    State state = State::kUsual;
    Told told;
  };
  std::mutex lock_;  // guards the next
  std::unordered_map<MethodKey, Method, MethodKeyHash> methods_;
};

}  // namespace oriel::coreclr
