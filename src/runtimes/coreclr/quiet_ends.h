// A program's end does not wait for what sessions to managed event sources have set going.
//
// The runtime ends by turning its sessions off. It holds the lock of all event sources then, and what these do about it
// may wait: that of meters for its thread that collects (AggregationManager.Dispose), which wants that lock as soon as
// it meets an event source that is new; that of activities for a lock under which programs' own code runs, which may
// make one. Either way the process stays for ever. So where such a session is wanted, these two waits are taken out of
// the code before it is compiled. Sessions to the runtime's own source end in native code, and wait for nobody.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <vector>

#include "runtimes/coreclr/method_key.h"
#include "runtimes/coreclr/names/class_text.h"
#include "runtimes/coreclr/other_profilers.h"

namespace oriel::coreclr {

// The body with the last of exactly `calls` calls of a method that is_it by its token taken out: what it is called with
// goes, an object, and nothing comes back. All else stays where it is. Empty where there are more or fewer, or the body
// cannot be read.
std::vector<uint8_t> without_last_call(std::span<const uint8_t> body, size_t calls,
                                       const std::function<bool(Token)>& is_it);

// Is this a source that managed code makes? All are that the runtime has not itself; "*" means all of them.
bool is_managed_source(const char16_t* name);

// Any thread.
class QuietEnds {
 public:
  QuietEnds(const Names& names, Company& company) : names_(names), company_(company) {}

  // A session to a managed source is wanted. True the first time: then modules' loads must be heard of from now on, and
  // look_at() be asked about those that are loaded already, before the session begins.
  bool want() { return !wanted_.exchange(true); }
  bool is_wanted() const { return wanted_.load(std::memory_order_acquire); }

  // The module is there. What of it has been compiled already stays as it is.
  void look_at(ModuleID module);
  // The runtime looks for precompiled code of the method: must it compile it instead?
  bool refuses_precompiled(FunctionID function);
  void module_unloading(ModuleID module);

 private:
  bool take_wait_out(const ModuleMetadata& metadata, const MethodKey& key, size_t wait);
  void compile(const MethodKey& key);

  const Names names_;
  Company& company_;
  std::atomic<bool> wanted_{false};
  std::atomic<bool> any_{false};
  std::mutex lock_;                  // the next; nobody is called under it
  std::vector<MethodKey> compiled_;  // of which no precompiled code is to be used
};

}  // namespace oriel::coreclr
