// The engine behind the plug-ins: what they may ask of it, whichever way they do.
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

// One for each time that the library is initialized; it lives as long as the process. Any thread.
class Engine {
 public:
  explicit Engine(ComPtr<coreclr::UngatedProfilerInfo> runtime);

  coreclr::UngatedProfilerInfo& runtime() const { return *runtime_.get(); }
  Program& program() { return *program_.get(); }
  Plugins& plugins() { return plugins_; }
  Masks& masks() { return masks_; }

  // Reads a configuration and loads what it names, each with these settings; each fault is logged, and said on the
  // error stream.
  void read(const std::string& path, const Settings& settings = {});
  // Loads one and initializes it. One that is there already is none.
  Result<std::shared_ptr<Plugin>> add(const PluginSpec& spec);
  // It is called no more, nor are its hooks. False: it was not there.
  bool remove(const IInstrumentationMethod* method);
  bool knows(const Guid& class_id);

  // While the runtime starts, or attaches us: what must be known before the program goes on is possible then only.
  void begin(bool is_attach);
  HResult run();
  bool is_starting() const { return is_starting_; }
  // A plug-in wants no profiling in this process.
  void disable() { is_disabled_ = true; }
  bool is_disabled() const { return is_disabled_; }

 private:
  HResult initialize(Plugin& plugin);
  void forget(const Guid& class_id);

  const ComPtr<coreclr::UngatedProfilerInfo> runtime_;
  const ComPtr<Program> program_;
  Plugins plugins_;
  Masks masks_;
  std::atomic<bool> is_starting_{false}, is_attaching_{false}, is_disabled_{false};
  std::mutex lock_;  // known_; nobody is called under it
  std::vector<Guid> known_;
};

}  // namespace oriel::plugins
