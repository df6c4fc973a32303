// Who asked for new versions of which methods. The runtime keeps one version a method: each is made of the changes of
// all who asked, in the guests' order, on top of the default body (default_bodies.h).
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "runtimes/coreclr/guests/guest.h"
#include "runtimes/coreclr/method_key.h"

namespace oriel::coreclr {

class RejitLayers {
 public:
  explicit RejitLayers(ProfilerInfo& runtime) : runtime_(runtime) {}

  // As the runtime's functions of these names, for one guest. `flags`: of RequestReJITWithInliners; none: RequestReJIT.
  HResult request(const Guest& guest, std::optional<uint32_t> flags, uint32_t count, ModuleID* modules, Token* methods);
  // Where others' changes remain, the method is compiled anew without the guest's; else it goes back to its default.
  HResult revert(const Guest& guest, uint32_t count, ModuleID* modules, Token* methods, HResult* results);

  // Bits of the guests that asked for the method and did not take it back.
  uint32_t askers(const MethodKey& key);
  // Bits of the guests that want to be asked for the bodies of methods that only have such inlined.
  uint32_t asked_for_inliners();
  void module_unloading(ModuleID module);

 private:
  struct Method {
    uint32_t askers = 0;
    uint32_t flags = 0;  // of any request so far: callers that inlined it are to be compiled anew
    bool with_inliners = false;
  };
  struct Reverts {
    std::vector<ModuleID> modules;
    std::vector<Token> methods;
    std::vector<uint32_t> at;  // index into what was asked
  };
  HResult take_back(const Guest& guest, const MethodKey& key, bool& others);
  HResult request_again(const Reverts& kept);

  ProfilerInfo& runtime_;
  std::mutex lock_;  // the next two; nobody is called under it
  std::unordered_map<MethodKey, Method, MethodKeyHash> methods_;
  uint32_t asked_for_inliners_ = 0;
};

// The runtime wants the method's new version: asks those guests, and Oriel, and gives it what they made.
// `asked`: bits of those to ask. `base`: the default body that guests made, empty if that is what the metadata has.
void make_version(std::span<Guest* const> guests, uint32_t asked, const MethodKey& key, std::span<const uint8_t> base,
                  FunctionControl& control);

}  // namespace oriel::coreclr
