#include "plugins/engine.h"

#include <algorithm>
#include <cstdio>

#include "plugins/log.h"
#include "plugins/manager.h"
#include "plugins/text.h"
#include "runtimes/coreclr/com/com_text.h"

namespace oriel::plugins {
namespace {

// The user reads it also where there is no log.
void say(const std::string& text) {
  Log::of_process().error(text);
  std::fprintf(stderr, "oriel: plug-ins: %s\n", text.c_str());
}

}  // namespace

Engine::Engine(ComPtr<coreclr::ProfilerInfo> runtime)
    : runtime_(std::move(runtime)), program_(make<Program>(*runtime_.get())) {}

void Engine::read(const std::string& path) {
  const Result<std::vector<PluginSpec>> specs = read_configuration(path);
  if (!specs) return say(specs.message() + "; it is left out");
  for (const PluginSpec& spec : *specs) {
    const auto added = add(spec);
    if (!added) say(spec.name + " (" + spec.path + "): " + added.message() + "; it is left out");
  }
}

bool Engine::knows(const Guid& class_id) {
  const std::lock_guard guard(lock_);
  return std::find(known_.begin(), known_.end(), class_id) != known_.end();
}

Result<std::shared_ptr<Plugin>> Engine::add(const PluginSpec& spec) {
  {
    const std::lock_guard guard(lock_);
    if (std::find(known_.begin(), known_.end(), spec.class_id) != known_.end())
      return Status::error("a method of the class " + guid_text(spec.class_id) + " is there already");
    known_.push_back(spec.class_id);
  }
  Result<std::shared_ptr<Plugin>> loaded = load_plugin(spec);
  HResult initialized = kFail;
  if (loaded) {
    plugins_.add(*loaded);  // it may ask for itself
    const ComPtr<Manager> manager = make<Manager>(*this, spec.class_id);
    initialized = call(**loaded, "Initialize", [&](Plugin& p) { return p.method->Initialize(manager.get()); });
    if (succeeded(initialized)) return loaded;
    plugins_.remove((*loaded)->method.get());
  }
  const std::lock_guard guard(lock_);
  std::erase(known_, spec.class_id);
  if (!loaded) return loaded.status();
  return Status::error("Initialize answered " + coreclr::hresult_text(initialized));
}

HResult Engine::add_to_mask(uint32_t low, uint32_t high) {
  const uint32_t added_low = low & ~mask_low_, added_high = high & ~mask_high_;
  if (!is_starting_ && ((added_low & coreclr::kMonitorImmutable) | (added_high & coreclr::kHighMonitorImmutable)) != 0)
    return kFail;
  mask_low_ |= low;
  mask_high_ |= high;
  return is_starting_ ? kOk : tell_mask();
}

HResult Engine::tell_mask() { return runtime_->SetEventMask2(mask_low_, mask_high_); }

}  // namespace oriel::plugins
