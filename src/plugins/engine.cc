#include "plugins/engine.h"

#include <algorithm>

#include "plugins/attach_context.h"
#include "plugins/hooks/hooks.h"
#include "plugins/info/plugin_info.h"
#include "plugins/log.h"
#include "plugins/manager.h"
#include "plugins/text.h"
#include "runtimes/coreclr/com/com_text.h"

namespace oriel::plugins {

Engine::Engine(ComPtr<coreclr::UngatedProfilerInfo> runtime)
    : runtime_(std::move(runtime)), program_(make<Program>(*runtime_.get())), masks_(*runtime_.get()) {}

void Engine::begin(bool is_attach) {
  masks_.begin(is_attach ? EventMasks::Phase::kAttaching : EventMasks::Phase::kStarting);
  is_attaching_ = is_attach;
  is_starting_ = true;
}

HResult Engine::run() {
  is_starting_ = is_attaching_ = false;
  return masks_.run();
}

void Engine::read(const std::string& path, const Settings& settings) {
  const Result<std::vector<PluginSpec>> specs = read_configuration(path);
  if (!specs) return say(specs.message() + "; it is left out");
  for (PluginSpec spec : *specs) {
    spec.settings.insert(spec.settings.end(), settings.begin(), settings.end());
    const auto added = add(spec);
    if (!added) say(spec.name + " (" + spec.path + "): " + added.message() + "; it is left out");
  }
}

bool Engine::knows(const Guid& class_id) {
  const std::lock_guard guard(lock_);
  return std::find(known_.begin(), known_.end(), class_id) != known_.end();
}

void Engine::forget(const Guid& class_id) {
  const std::lock_guard guard(lock_);
  std::erase(known_, class_id);
}

HResult Engine::initialize(Plugin& plugin) {
  const ComPtr<Manager> manager = make<Manager>(*this, plugin);
  if (!is_attaching_) return call(plugin, "Initialize", [&](Plugin& p) { return p.method->Initialize(manager.get()); });
  const auto context = make<AttachContext>(plugin.spec.settings);
  return call(plugin, "InitializeForAttach",
              [&](Plugin& p) { return p.attach->InitializeForAttach(manager.get(), context.get()); });
}

Result<std::shared_ptr<Plugin>> Engine::add(const PluginSpec& spec) {
  {
    const std::lock_guard guard(lock_);
    if (std::find(known_.begin(), known_.end(), spec.class_id) != known_.end())
      return Status::error("a method of the class " + guid_text(spec.class_id) + " is already loaded");
    known_.push_back(spec.class_id);
  }
  Result<std::shared_ptr<Plugin>> loaded = load_plugin(spec);
  Status fault = loaded ? Status::ok() : loaded.status();
  if (loaded && is_attaching_ && !(*loaded)->attach)
    fault = Status::error("it can only be loaded at the start (it has no IInstrumentationMethodAttach)");
  if (!fault) {
    forget(spec.class_id);
    return fault;
  }
  (*loaded)->info = new PluginInfo(*this, PluginInfo::Kind::kPlugin);
  plugins_.add(*loaded);  // before Initialize, in which it may look itself up
  const HResult initialized = initialize(**loaded);
  if (succeeded(initialized)) return loaded;
  remove((*loaded)->method.get());
  return Status::error("Initialize returned " + coreclr::hresult_text(initialized));
}

bool Engine::remove(const IInstrumentationMethod* method) {
  const std::shared_ptr<Plugin> removed = plugins_.remove(method);
  if (!removed) return false;
  removed->is_out = true;
  Hooks::of_process().remove(removed->info);
  masks_.remove(removed->info);
  forget(removed->spec.class_id);
  return true;
}

}  // namespace oriel::plugins
