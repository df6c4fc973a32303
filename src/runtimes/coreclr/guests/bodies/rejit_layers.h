// Which guests requested versions of which methods. The runtime keeps one version for each method. It is composed of
// the changes of all guests that requested it, in the guests' order, on top of the default body (default_bodies.h).
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

  // Like the runtime's functions of these names, for one guest. Any thread, including those that run managed code.
  // `flags`: for RequestReJITWithInliners; none: RequestReJIT.
  HResult request(const Guest& guest, std::optional<uint32_t> flags, uint32_t count, ModuleID* modules, Token* methods);
  // If others' changes remain, the method is recompiled without the guest's; otherwise it is reverted.
  HResult revert(const Guest& guest, uint32_t count, ModuleID* modules, Token* methods, HResult* results);

  // The guest is out: methods that it requested are recompiled without it, or reverted. On a thread that may wait.
  void leave_out(const Guest& guest);
  bool has_any_of(const Guest& guest);

  // The bits of the guests that requested the method and did not revert it.
  uint32_t requesters(const MethodKey& key);
  // The runtime compiles a version of the method; returns the bits of the guests to ask for it. If nobody requested the
  // method, it has a requested one inlined: guests that asked for callbacks for inliners count as its requesters from
  // then on. The same holds if the method was requested before other requests that recompile inliners, except if it
  // never had code (`is_new`): then its own request explains the version.
  uint32_t guests_to_ask(const MethodKey& key, bool is_new);
  // The bits of the guests whose requests may recompile methods that have others inlined.
  uint32_t requesters_with_inliners();
  void module_unloading(ModuleID module);

 private:
  struct Method {
    uint32_t requesters = 0;
    uint32_t flags = 0;  // of all requests so far: methods that have it inlined are recompiled
    bool with_inliners = false;
    // The value of inliner_requests_ at its last request; 0: a version was compiled since.
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
    std::vector<uint32_t> at;  // index into the request
  };
  // Whether other guests' changes remain after the guest's was taken back, and whether the guest had one.
  struct Remaining {
    bool others = false;
    bool had = false;
  };
  Remaining withdraw(const Guest& guest, const MethodKey& key);
  // Recompiles the methods in `kept`, without the guest's changes, and reverts those in `gone`, which nobody else
  // requested. `results`, indexed by Several::at, are those of the reverts; may be nullptr.
  HResult give_up(const Several& gone, const Several& kept, HResult* results);
  HResult request_again(const Several& kept);
  Several asked_for_since(const Several& reverted);

  ProfilerInfo& runtime_;
  std::mutex lock_;  // guards the following; nothing is called under it
  std::unordered_map<MethodKey, Method, MethodKeyHash> methods_;
  uint32_t inliner_requesters_ = 0;
  uint64_t inliner_requests_ = 1;  // the number of such requests: each may recompile methods that were requested before
  uint32_t requesters_with_inliners_ = 0;
};

}  // namespace oriel::coreclr
