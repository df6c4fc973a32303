// The body of the method that the calling thread compiles, while raw profiler hooks change it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "oriel/plugins/program.h"
#include "plugins/info/module_info.h"
#include "runtimes/coreclr/guests/guest.h"

namespace oriel::plugins {

// While it exists, the calling thread compiles the method. For that thread only.
class HookedBody {
 public:
  // `body` and `map` are the plug-ins' result; empty if they changed nothing.
  HookedBody(ModuleInfo& module, Token method, std::vector<uint8_t> body, std::vector<IlMapEntry> map);
  ~HookedBody();
  HookedBody(const HookedBody&) = delete;
  HookedBody& operator=(const HookedBody&) = delete;

  // The calling thread's, if it is for this method.
  static HookedBody* of_thread(ModuleID module, Token method);

  // The body that the next hook sees. It is always based on what plug-ins make of the original, because later tiers
  // must have the same code as the first. Empty if there is none. Valid as long as the module.
  std::span<const uint8_t> shown() const { return shown_; }
  // A hook's body and map, which are used when the hook returns.
  void set(std::span<const uint8_t> body) { given_.assign(body.begin(), body.end()); }
  void set_map(std::span<const IlMapEntry> map);
  // The hook has returned: its body replaces the current one if the runtime could compile it. Otherwise the hook is
  // reported.
  void accept_body(coreclr::Guest& hook);

  // The result of all hooks.
  std::span<const uint8_t> body() const { return body_; }
  const std::vector<IlMapEntry>& map() const { return map_; }

 private:
  void show();

  ModuleInfo& module_;
  const Token method_;
  HookedBody* const outer_;  // the thread's previous one: a hook may cause another method to be compiled
  std::vector<uint8_t> body_, given_;
  std::vector<IlMapEntry> map_, given_map_;
  std::span<const uint8_t> shown_;
};

}  // namespace oriel::plugins
