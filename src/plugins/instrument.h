// Asks plug-ins about a method that is about to be compiled, and puts their changes into its body.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <vector>

#include "plugins/engine.h"
#include "plugins/hooks/hooked_body.h"
#include "plugins/info/method_info.h"

namespace oriel::plugins {

// The method being compiled.
struct Compilation {
  ComPtr<MethodInfo> method;
  bool is_changed = false;
  std::vector<IlMapEntry> map;
};

// Any thread.
class Instrumenter {
 public:
  explicit Instrumenter(Engine& engine) : engine_(engine) {}

  void compile(FunctionID function, Bool safe);
  // Handles a dynamic method, which stays as it is. `code` has no header.
  void compile_dynamic(FunctionID function, std::span<const uint8_t> code);
  // Handles a new version of a method. `control` receives its parameters.
  void recompile(ModuleID module, Token method, coreclr::FunctionControl& control);
  // What compile or recompile did to the function; `ends`: forgets it.
  Compilation known(FunctionID function, bool is_rejit, bool ends);
  void module_unloading(ModuleID module);

 private:
  struct Change {
    Rendered body;
    bool is_none = true;
    uint32_t flags = 0;  // compiler flags of a new version
  };
  Change ask(MethodInfo& method, bool is_rejit);
  bool is_wanted(Plugin& plugin, MethodInfo& method, bool is_rejit);
  void tell_complete(MethodInfo& method, bool is_rejit);
  // Lets raw profiler hooks change the plug-ins' result; `tell` calls one hook.
  void let_hooks(Change& change, HookedBody& body, const std::function<void(coreclr::Guest&)>& tell);
  void set_body(Compilation& compilation, const Change& change);
  void remember_compiled(FunctionID function, Compilation compilation);
  void set_version(Compilation& compilation, const Change& change, uint32_t count, coreclr::FunctionControl& control);

  Engine& engine_;
  std::mutex lock_;  // guards the next; nothing is called under it
  std::map<FunctionID, Compilation> compiled_;
  std::map<std::pair<ModuleID, Token>, Compilation> recompiled_;
  std::map<std::pair<ModuleID, Token>, uint32_t> rejits_;
};

}  // namespace oriel::plugins
