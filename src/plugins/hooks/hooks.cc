#include "plugins/hooks/hooks.h"

#include <algorithm>

#include "plugins/engine.h"
#include "plugins/environment.h"
#include "plugins/info/plugin_info.h"
#include "plugins/log.h"
#include "runtimes/coreclr/com/com_text.h"
#include "runtimes/coreclr/guests/guest_library.h"

namespace oriel::plugins {

using coreclr::CallbackSlot;
using coreclr::Guest;

Hooks& Hooks::of_process() {
  static auto* hooks = new Hooks;  // never destroyed: threads may be in a hook until the process ends
  return *hooks;
}

void Hooks::show() {
  auto* all = new All;
  for (const Hook& hook : hooks_) all->push_back(hook.guest);
  all_.store(all, std::memory_order_release);
}

Status Hooks::add(Engine& engine, const PluginInfo* owner, const std::string& name, IUnknown* callback) {
  coreclr::LoadedGuest known = coreclr::known_guest(*callback);
  if (known.version == 0) return Status::error("it is not an ICorProfilerCallback2");
  return enter(engine, owner, name, std::move(known));
}

Status Hooks::enter(Engine& engine, const PluginInfo* owner, const std::string& name, coreclr::LoadedGuest loaded) {
  const Guest::Kind kind = engine.is_starting() ? Guest::Kind::kAtStart : Guest::Kind::kAttached;
  Hook hook{new Guest(name, 0, std::move(loaded), kind), nullptr, owner};
  hook.info = new PluginInfo(engine, PluginInfo::Kind::kHook);
  hook.guest->set_out_handler([&engine, info = hook.info] { engine.masks().remove(info); });
  if (!engine.is_starting()) return start(engine, hook, true);
  const std::lock_guard guard(lock_);
  waiting_.push_back(hook);
  return Status::ok();
}

// It gets no callbacks before it is initialized.
Status Hooks::start(Engine& engine, const Hook& hook, bool is_attach) {
  Guest& guest = *hook.guest;
  if (is_attach && guest.version() < version_of(CallbackSlot::kInitializeForAttach))
    return Status::error("it can only be loaded at the start (it has no ICorProfilerCallback3)");
  uint8_t no_data = 0;  // of no bytes, but there
  const HResult result = is_attach ? guest.call<CallbackSlot::kInitializeForAttach>(hook.info->interface(),
                                                                                    static_cast<void*>(&no_data), 0u)
                                   : guest.call<CallbackSlot::kInitialize>(hook.info->interface());
  if (failed(result)) {
    guest.retire();
    return Status::error("Initialize returned " + coreclr::hresult_text(result));
  }
  {
    const std::lock_guard guard(lock_);
    hooks_.push_back(hook);
    show();
  }
  // The runtime calls this for hooks that came with an attach.
  if (is_attach && !engine.is_starting()) guest.call<CallbackSlot::kProfilerAttachComplete>();
  return Status::ok();
}

void Hooks::start(Engine& engine, bool is_attach) {
  std::vector<Hook> waiting;
  {
    const std::lock_guard guard(lock_);
    waiting.swap(waiting_);
  }
  for (const Hook& hook : waiting)
    if (const Status status = start(engine, hook, is_attach); !status)
      say("the hook " + hook.guest->name() + ": " + status.message() + "; it is left out");
}

void Hooks::remove(const PluginInfo* owner) {
  remove_if([owner](const Hook& hook) { return hook.owner == owner; });
}

void Hooks::remove_all() {
  remove_if([](const Hook&) { return true; });
}

void Hooks::remove_if(const std::function<bool(const Hook&)>& is_gone) {
  std::vector<Hook> gone;
  {
    const std::lock_guard guard(lock_);
    for (std::vector<Hook>* all : {&waiting_, &hooks_})
      std::erase_if(*all, [&](const Hook& hook) {
        if (is_gone(hook)) gone.push_back(hook);
        return is_gone(hook);
      });
    show();
  }
  for (const Hook& hook : gone) hook.guest->retire();
}

void Hooks::add_of_environment(Engine& engine) {
  const std::vector<std::string> classes = parts_of(environment("RawProfilerHook"));
  const std::vector<std::string> paths = parts_of(environment("RawProfilerHookPath_64"));
  if (classes.size() != paths.size())
    say("RawProfilerHook names " + std::to_string(classes.size()) + " classes and RawProfilerHookPath_64 " +
        std::to_string(paths.size()) + " libraries; those without the other are left out");
  for (size_t i = 0; i < std::min(classes.size(), paths.size()); ++i) {
    const std::string name = paths[i] + " " + classes[i];
    Result<coreclr::LoadedGuest> loaded = coreclr::load_guest({classes[i], paths[i]});
    if (!loaded) {
      say("the hook " + name + ": " + loaded.message() + "; it is left out");
    } else if (loaded->version != 0) {
      const Status entered = enter(engine, nullptr, name, std::move(*loaded));
      if (!entered) say("the hook " + name + ": " + entered.message() + "; it is left out");
    }
  }
}

}  // namespace oriel::plugins
