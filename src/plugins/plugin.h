// One plug-in: an instrumentation method of a library, with what else it implements.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/status.h"
#include "oriel/plugins/method.h"
#include "plugins/configuration.h"
#include "plugins/info/object.h"

namespace oriel::plugins {

class PluginInfo;

struct Plugin {
  PluginSpec spec;
  ComPtr<IInstrumentationMethod> method;
  // Null where it implements none.
  ComPtr<IInstrumentationMethodExceptionEvents> exceptions;
  ComPtr<IInstrumentationMethodJitEvents> jit;
  ComPtr<IInstrumentationMethodJitEvents2> jit2;
  ComPtr<IInstrumentationMethodAttach> attach;
  PluginInfo* info = nullptr;       // that it asks the runtime by; never freed
  std::atomic<bool> is_out{false};  // it is called no more
};

// Loads the library and makes the method; nothing of it is called but that.
Result<std::shared_ptr<Plugin>> load_plugin(const PluginSpec& spec);

// Calls a plug-in: what it throws is said, and is a failure. `what` names the call. One that is out is not called,
// which is none: what others make of a method while it is taken out counts.
HResult call(Plugin& plugin, const char* what, const std::function<HResult(Plugin&)>& act);

// By priority, the lowest number first. Read by any thread without a lock that a plug-in could meet.
class Plugins {
 public:
  using All = std::shared_ptr<const std::vector<std::shared_ptr<Plugin>>>;

  All all() const {
    const std::lock_guard guard(lock_);
    return all_;
  }
  void add(std::shared_ptr<Plugin> plugin);
  // That which it was; null if it was not there.
  std::shared_ptr<Plugin> remove(const IInstrumentationMethod* method);
  std::shared_ptr<Plugin> find(const Guid& class_id) const;

 private:
  mutable std::mutex lock_;
  All all_ = std::make_shared<const std::vector<std::shared_ptr<Plugin>>>();
};

}  // namespace oriel::plugins
