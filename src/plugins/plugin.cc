#include "plugins/plugin.h"

#include <dlfcn.h>

#include <algorithm>

#include "base/process/foreign_call.h"
#include "base/process/foreign_library.h"
#include "plugins/log.h"
#include "plugins/text.h"
#include "runtimes/coreclr/com/com_text.h"

namespace oriel::plugins {
namespace {

using GetClassObject = HResult (*)(const Guid& class_id, const Guid& interface_id, void** object);

Result<ComPtr<IInstrumentationMethod>> make_method(GetClassObject get, const PluginSpec& spec) {
  ComPtr<IClassFactory> factory;
  const HResult found = foreign_call(
      [&, to = factory.receive()] { return get(spec.class_id, kIClassFactoryId, reinterpret_cast<void**>(to)); });
  if (failed(found) || !factory)
    return Status::error("it has no class " + guid_text(spec.class_id) + " (DllGetClassObject returned " +
                         coreclr::hresult_text(found) + ")");
  ComPtr<IInstrumentationMethod> method;
  const HResult made = foreign_call([&, to = method.receive()] {
    return factory->CreateInstance(nullptr, IInstrumentationMethod::kId, reinterpret_cast<void**>(to));
  });
  if (failed(made) || !method)
    return Status::error("it creates no IInstrumentationMethod (CreateInstance returned " +
                         coreclr::hresult_text(made) + ")");
  return method;
}

}  // namespace

Result<std::shared_ptr<Plugin>> load_plugin(const PluginSpec& spec) {
  const Result<void*> library = load_foreign_library(spec.path);
  if (!library) return Status::error("its library " + library.message());
  const auto get = reinterpret_cast<GetClassObject>(dlsym(*library, "DllGetClassObject"));
  if (get == nullptr) return Status::error("it does not export DllGetClassObject; is it an instrumentation method?");
  try {
    Result<ComPtr<IInstrumentationMethod>> method = make_method(get, spec);
    if (!method) return method.status();
    auto plugin = std::make_shared<Plugin>();
    plugin->spec = spec;
    plugin->method = *method;
    plugin->exceptions = query<IInstrumentationMethodExceptionEvents>(method->get());
    plugin->jit = query<IInstrumentationMethodJitEvents>(method->get());
    plugin->jit2 = query<IInstrumentationMethodJitEvents2>(method->get());
    plugin->attach = query<IInstrumentationMethodAttach>(method->get());
    return plugin;
  } catch (...) {
    return Status::error("it threw an exception while it was created");
  }
}

HResult call(Plugin& plugin, const char* what, const std::function<HResult(Plugin&)>& act) {
  if (plugin.is_out) return kFalse;
  try {
    const HResult result = foreign_call([&] { return act(plugin); });
    if (failed(result))
      Log::of_process().error(plugin.spec.name + " " + guid_text(plugin.spec.class_id) + ": " + what + " returned " +
                              coreclr::hresult_text(result));
    return result;
  } catch (...) {
    if (!plugin.is_out.exchange(true))
      say(plugin.spec.name + " " + guid_text(plugin.spec.class_id) + ": it threw an exception out of " + what +
          "; it is no longer called");
    return kFail;
  }
}

void Plugins::add(std::shared_ptr<Plugin> plugin) {
  const std::lock_guard guard(lock_);
  auto changed = std::make_shared<std::vector<std::shared_ptr<Plugin>>>(*all_);
  const auto place = std::upper_bound(changed->begin(), changed->end(), plugin,
                                      [](const auto& a, const auto& b) { return a->spec.priority < b->spec.priority; });
  changed->insert(place, std::move(plugin));
  all_ = std::move(changed);
}

std::shared_ptr<Plugin> Plugins::remove(const IInstrumentationMethod* method) {
  const std::lock_guard guard(lock_);
  auto changed = std::make_shared<std::vector<std::shared_ptr<Plugin>>>(*all_);
  const auto place = std::find_if(changed->begin(), changed->end(),
                                  [&](const auto& plugin) { return plugin->method.get() == method; });
  if (place == changed->end()) return nullptr;
  std::shared_ptr<Plugin> removed = *place;
  changed->erase(place);
  all_ = std::move(changed);
  return removed;
}

std::shared_ptr<Plugin> Plugins::find(const Guid& class_id) const {
  const All now = all();
  for (const auto& plugin : *now)
    if (plugin->spec.class_id == class_id) return plugin;
  return nullptr;
}

}  // namespace oriel::plugins
