// Raw profiler hooks: profilers that receive all of the runtime's callbacks after plug-ins, in the order in which they
// were added, and may change the plug-ins' bodies of methods.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <vector>

#include "base/status.h"
#include "oriel/com.h"
#include "runtimes/coreclr/guests/guest.h"

namespace oriel::plugins {

class Engine;
class PluginInfo;
using com::IUnknown;

// One for the process; never destroyed. Any thread.
class Hooks {
 public:
  static Hooks& of_process();

  // `owner` is the plug-in. While the runtime starts, hooks are initialized together; later ones are initialized at
  // once, as attached. An error describes the fault.
  Status add(Engine& engine, const PluginInfo* owner, const std::string& name, IUnknown* callback);
  // Adds the hooks in the environment: MicrosoftInstrumentationEngine_RawProfilerHook has class ids separated by
  // colons, _RawProfilerHookPath_64 their libraries. Hooks that cannot be loaded are reported and left out.
  void add_of_environment(Engine& engine);
  // They are called no more. Objects and libraries stay, because threads may be in them.
  void remove(const PluginInfo* owner);
  // The process is declined: removes the hooks of all owners.
  void remove_all();
  // Initializes the waiting hooks. Those that fail are reported and left out.
  void start(Engine& engine, bool is_attach);

  bool empty() const { return all_.load(std::memory_order_acquire)->empty(); }
  template <typename Act>
  void each(Act act) const {
    for (coreclr::Guest* hook : *all_.load(std::memory_order_acquire)) act(*hook);
  }
  template <coreclr::CallbackSlot Slot, typename... Arguments>
  void tell(Arguments... arguments) const {
    each([&](coreclr::Guest& hook) { hook.call<Slot>(arguments...); });
  }
  // Starts from the plug-ins' decision; one hook that disagrees is enough.
  template <coreclr::CallbackSlot Slot, typename... Arguments>
  void let_decide(com::Bool* decision, Arguments... arguments) const {
    each([&](coreclr::Guest& hook) {
      com::Bool its = *decision;
      if (com::succeeded(hook.call<Slot>(arguments..., &its)) && its == 0) *decision = 0;
    });
  }

 private:
  // Guests and their interfaces are never freed, because threads may be in them.
  struct Hook {
    coreclr::Guest* guest;
    PluginInfo* info;
    const PluginInfo* owner;
  };
  using All = std::vector<coreclr::Guest*>;

  Status enter(Engine& engine, const PluginInfo* owner, const std::string& name, coreclr::LoadedGuest loaded);
  Status start(Engine& engine, const Hook& hook, bool is_attach);
  void remove_if(const std::function<bool(const Hook&)>& is_gone);
  void show();  // under lock_

  std::mutex lock_;  // guards the next two; nothing is called under it
  std::vector<Hook> waiting_, hooks_;
  std::atomic<const All*> all_{new All};  // the initialized ones; old lists stay, because they may be being read
};

}  // namespace oriel::plugins
