// The engine's services for plug-ins, independent of the interface that they use.
#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <vector>

#include "plugins/event_masks.h"
#include "plugins/info/program_info.h"
#include "plugins/plugin.h"
#include "runtimes/coreclr/com/profiling.h"

namespace oriel::plugins {

// One for each initialization of the library; it lives as long as the process. Any thread.
class Engine {
 public:
  explicit Engine(ComPtr<coreclr::UngatedProfilerInfo> runtime);

  coreclr::UngatedProfilerInfo& runtime() const { return *runtime_.get(); }
  Program& program() { return *program_.get(); }
  Plugins& plugins() { return plugins_; }
  EventMasks& masks() { return masks_; }

  // Reads a configuration and loads the plug-ins that it names, each with these settings. Faults are logged and printed
  // on stderr.
  void read(const std::string& path, const Settings& settings = {});
  // Loads and initializes one. Fails if it is loaded already.
  Result<std::shared_ptr<Plugin>> add(const PluginSpec& spec);
  // Neither it nor its hooks are called any more. Returns false if it was not loaded.
  bool remove(const IInstrumentationMethod* method);
  bool knows(const Guid& class_id);

  // While the runtime starts or attaches: requests that must come before the program goes on are possible only then.
  void begin(bool is_attach);
  HResult run();
  bool is_starting() const { return is_starting_; }
  // A plug-in declines the process.
  void disable() { is_disabled_ = true; }
  bool is_disabled() const { return is_disabled_; }

 private:
  HResult initialize(Plugin& plugin);
  void forget(const Guid& class_id);

  const ComPtr<coreclr::UngatedProfilerInfo> runtime_;
  const ComPtr<Program> program_;
  Plugins plugins_;
  EventMasks masks_;
  std::atomic<bool> is_starting_{false}, is_attaching_{false}, is_disabled_{false};
  std::mutex lock_;  // guards known_; nothing is called under it
  std::vector<Guid> known_;
};

}  // namespace oriel::plugins
