// One plug-in: an instrumentation method of a library, with its optional interfaces.
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
  // Null if it does not implement them.
  ComPtr<IInstrumentationMethodExceptionEvents> exceptions;
  ComPtr<IInstrumentationMethodJitEvents> jit;
  ComPtr<IInstrumentationMethodJitEvents2> jit2;
  ComPtr<IInstrumentationMethodAttach> attach;
  PluginInfo* info = nullptr;       // its interface to the runtime; never freed
  std::atomic<bool> is_out{false};  // it is called no more
};

// Loads the library and creates the method, without calling anything else of it.
Result<std::shared_ptr<Plugin>> load_plugin(const PluginSpec& spec);

// Calls a plug-in. Exceptions are reported, and count as failures. `what` names the call. A plug-in that is out is not
// called, which is no failure: the others' changes of a method count even if it is removed meanwhile.
HResult call(Plugin& plugin, const char* what, const std::function<HResult(Plugin&)>& act);

// Ordered by priority, the lowest number first. Read by any thread without a lock that a plug-in could meet.
class Plugins {
 public:
  using All = std::shared_ptr<const std::vector<std::shared_ptr<Plugin>>>;

  All all() const {
    const std::lock_guard guard(lock_);
    return all_;
  }
  void add(std::shared_ptr<Plugin> plugin);
  // Returns the removed one; null if it was not there.
  std::shared_ptr<Plugin> remove(const IInstrumentationMethod* method);
  std::shared_ptr<Plugin> find(const Guid& class_id) const;

 private:
  mutable std::mutex lock_;
  All all_ = std::make_shared<const std::vector<std::shared_ptr<Plugin>>>();
};

}  // namespace oriel::plugins
