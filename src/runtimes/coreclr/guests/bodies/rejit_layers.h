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

  // As the runtime's functions of these names, for one guest; any thread, also such as run managed code. `flags`: of
  // RequestReJITWithInliners; none: RequestReJIT.
  HResult request(const Guest& guest, std::optional<uint32_t> flags, uint32_t count, ModuleID* modules, Token* methods);
  // Where others' changes remain, the method is compiled anew without the guest's; else it goes back to its default.
  HResult revert(const Guest& guest, uint32_t count, ModuleID* modules, Token* methods, HResult* results);

  // The guest is out: what it asked for is made anew without it, or reverted. On a thread that may wait.
  void leave_out(const Guest& guest);
  bool has_any_of(const Guest& guest);

  // Bits of the guests that asked for the method and did not take it back.
  uint32_t askers(const MethodKey& key);
  // The runtime makes a version of the method: the bits of those that are to be asked for it. One that nobody requested
  // comes of a method that it has inlined: who wants to be asked for such is one of its askers from then on. So is one
  // that was requested before others were whose callers are compiled anew, but of a method that never had code
  // (`is_new`), for which the request is reason enough.
  uint32_t to_ask(const MethodKey& key, bool is_new);
  // Bits of the guests by whose requests methods may be compiled anew that have others inlined.
  uint32_t asked_with_inliners();
  void module_unloading(ModuleID module);

 private:
  struct Method {
    uint32_t askers = 0;
    uint32_t flags = 0;  // of any request so far: callers that inlined it are to be compiled anew
    bool with_inliners = false;
    // The inliners_asked_ when it was requested last; 0: not since a version of it was made.
    uint64_t requested_at = 0;
  };
  struct Several {
    void add(ModuleID module, Token method, uint32_t index) {
      modules.push_back(module);
      methods.push_back(method);
      at.push_back(index);
    }
    std::vector<ModuleID> modules;
    std::vector<Token> methods;
    std::vector<uint32_t> at;  // index into what was asked
  };
  // Whether others' changes of the method remain, the guest's is gone, and whether there was one of it.
  struct Remaining {
    bool others = false;
    bool had = false;
  };
  Remaining take_back(const Guest& guest, const MethodKey& key);
  // Compiles these anew without who gave them up, and those that nobody else asked for as they were; `results`, by
  // Several::at, is of the latter, nullptr if nobody wants to know.
  HResult give_up(const Several& gone, const Several& kept, HResult* results);
  HResult request_again(const Several& kept);
  Several asked_for_since(const Several& reverted);

  ProfilerInfo& runtime_;
  std::mutex lock_;  // the following; nobody is called under it
  std::unordered_map<MethodKey, Method, MethodKeyHash> methods_;
  uint32_t asked_for_inliners_ = 0;
  uint64_t inliners_asked_ = 1;  // how often: each may make versions anew that were requested before
  uint32_t asked_with_inliners_ = 0;
};

}  // namespace oriel::coreclr
