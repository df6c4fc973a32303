// The engine behind the plug-ins: what they may ask of it, whichever way they do.
#pragma once

#include <atomic>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "plugins/plugin.h"
#include "plugins/program_info.h"
#include "runtimes/coreclr/com/profiling.h"

namespace oriel::plugins {

// One for the process, that lives as long. Any thread.
class Engine {
 public:
  // Without these callbacks plug-ins could not be told what they are.
  static constexpr uint32_t kNeeded = coreclr::kMonitorAppDomainLoads | coreclr::kMonitorAssemblyLoads |
                                      coreclr::kMonitorModuleLoads | coreclr::kMonitorJitCompilation |
                                      coreclr::kEnableReJit;

  explicit Engine(ComPtr<coreclr::ProfilerInfo> runtime);

  coreclr::ProfilerInfo& runtime() const { return *runtime_.get(); }
  Program& program() { return *program_.get(); }
  Plugins& plugins() { return plugins_; }

  // Reads a configuration and loads what it names; each fault is logged, and said on the error stream.
  void read(const std::string& path);
  // Loads one and initializes it. One that is there already is none.
  Result<std::shared_ptr<Plugin>> add(const PluginSpec& spec);
  bool knows(const Guid& class_id);

  // While the runtime starts; masks that hold until the process ends are possible then only.
  void set_starting(bool starting) { is_starting_ = starting; }
  bool is_starting() const { return is_starting_; }
  // A plug-in wants no profiling in this process.
  void disable() { is_disabled_ = true; }
  bool is_disabled() const { return is_disabled_; }

  // What callbacks the runtime is asked for: what the engine needs for plug-ins, and what they add.
  HResult add_to_mask(uint32_t low, uint32_t high);
  HResult tell_mask();
  uint32_t mask_low() const { return mask_low_; }
  uint32_t mask_high() const { return mask_high_; }

 private:
  const ComPtr<coreclr::ProfilerInfo> runtime_;
  const ComPtr<Program> program_;
  Plugins plugins_;
  std::atomic<bool> is_starting_{false}, is_disabled_{false};
  std::mutex lock_;  // known_; nobody is called under it
  std::vector<Guid> known_;
  std::atomic<uint32_t> mask_low_{kNeeded}, mask_high_{0};
};

}  // namespace oriel::plugins
