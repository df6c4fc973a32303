// The body of the method that the calling thread is about to have compiled, as raw profiler hooks see and change it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "oriel/plugins/program.h"
#include "plugins/info/module_info.h"
#include "runtimes/coreclr/guests/guest.h"

namespace oriel::plugins {

// What the calling thread compiles, as long as this is there. For that thread alone.
class HookedBody {
 public:
  // `body`: what plug-ins made of it, and `map` how; no bytes: they left it alone.
  HookedBody(ModuleInfo& module, Token method, std::vector<uint8_t> body, std::vector<IlMapEntry> map);
  ~HookedBody();
  HookedBody(const HookedBody&) = delete;
  HookedBody& operator=(const HookedBody&) = delete;

  // The calling thread's, if it is of this method.
  static HookedBody* of_thread(ModuleID module, Token method);

  // What the next hook is to see: each time what plug-ins make of the original, as a later tier must have the same code
  // as the first. No bytes: there is none. As long as the module.
  std::span<const uint8_t> shown() const { return shown_; }
  // A hook's, which are taken when it is done.
  void set(std::span<const uint8_t> body) { given_.assign(body.begin(), body.end()); }
  void set_map(std::span<const IlMapEntry> map);
  // What a hook gave goes on top of what was there, if the runtime could compile it. Who gave what it could not is
  // said.
  void settle(coreclr::Guest& hook);

  // Of all together.
  std::span<const uint8_t> body() const { return body_; }
  const std::vector<IlMapEntry>& map() const { return map_; }

 private:
  void show();

  ModuleInfo& module_;
  const Token method_;
  HookedBody* const outer_;  // the thread's before: what a hook does may have another method compiled
  std::vector<uint8_t> body_, given_;
  std::vector<IlMapEntry> map_, given_map_;
  std::span<const uint8_t> shown_;
};

}  // namespace oriel::plugins
