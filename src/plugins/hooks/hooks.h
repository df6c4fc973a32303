// Raw profiler hooks: profilers that hear all that the runtime calls, after plug-ins, in the order in which they came,
// and may change what plug-ins made of methods.
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

// One for the process, that lives as long. Any thread.
class Hooks {
 public:
  static Hooks& of_process();

  // `owner`: the plug-in's. While the runtime starts it is initialized together with the others, later at once, as
  // one that is attached. An error says what is wrong.
  Status add(Engine& engine, const PluginInfo* owner, const std::string& name, IUnknown* callback);
  // Those that the environment names: MicrosoftInstrumentationEngine_RawProfilerHook has class ids with colons between
  // them, _RawProfilerHookPath_64 their libraries. What cannot be had is said, and left out.
  void add_of_environment(Engine& engine);
  // They are called no more. What threads are in stays in the process.
  void remove(const PluginInfo* owner);
  // Nobody wants this process: all go, whoever's they are.
  void remove_all();
  // Initializes those that wait; who fails is said, and left out.
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
  // It starts with what plug-ins decided; one that says no is enough.
  template <coreclr::CallbackSlot Slot, typename... Arguments>
  void let_decide(com::Bool* decision, Arguments... arguments) const {
    each([&](coreclr::Guest& hook) {
      com::Bool its = *decision;
      if (com::succeeded(hook.call<Slot>(arguments..., &its)) && its == 0) *decision = 0;
    });
  }

 private:
  // Guests and what they ask by are never freed: threads may be in them.
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

  std::mutex lock_;  // the next two; nobody is called under it
  std::vector<Hook> waiting_, hooks_;
  std::atomic<const All*> all_{new All};  // those that were initialized; what it was before stays, it may be read
};

}  // namespace oriel::plugins
