// Methods whose first code is of a version that was asked for before they ever ran. Of these the runtime tells no
// compilation of the default version, in which profilers change bodies: those that do are told here, before the version
// is made. docs/design/guests.md has all orders.
#pragma once

#include <cstdint>
#include <mutex>
#include <unordered_map>

#include "runtimes/coreclr/com/profiling.h"
#include "runtimes/coreclr/method_key.h"

namespace oriel::coreclr {

// Any thread; nobody is called. Guests are told by their bits.
class FirstCompilations {
 public:
  // Who was told, and of which function: for a method with several it is one of these.
  struct Told {
    FunctionID function = 0;
    uint32_t guests = 0;
  };

  // Has nothing been told of the method so far, by the runtime or by us?
  bool is_new(const MethodKey& key);
  // Those are told by us that it is compiled; none of them: nobody needed it.
  void told(const MethodKey& key, const Told& told);
  // The runtime tells that the default version is compiled, and of the end of that. Who need not hear it: they were
  // told once of the function's first compilation, and this is it.
  uint32_t begins(const MethodKey& key, FunctionID function);
  uint32_t ends(const MethodKey& key, FunctionID function);
  // A version was compiled, or cannot be: who was told of a compilation and not yet of its end. They are from now on.
  Told version_ends(const MethodKey& key);
  void module_unloading(ModuleID module);

 private:
  enum class State : uint8_t { kUsual, kToldBegin, kTold, kBegun };
  struct Method {
    State state = State::kUsual;
    Told told;
  };
  std::mutex lock_;  // the next
  std::unordered_map<MethodKey, Method, MethodKeyHash> methods_;
};

}  // namespace oriel::coreclr
