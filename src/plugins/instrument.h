// What becomes of a method that is about to be compiled: plug-ins are asked, and their changes put into its body.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <vector>

#include "plugins/engine.h"
#include "plugins/hooks/hooked_body.h"
#include "plugins/info/method_info.h"

namespace oriel::plugins {

// What a compilation was of, until it has ended.
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
  // Of a dynamic method, which stays as it is: `code` has no header.
  void compile_dynamic(FunctionID function, std::span<const uint8_t> code);
  // A new version of a method, whose parameters `control` takes.
  void recompile(ModuleID module, Token method, coreclr::FunctionControl& control);
  // What compile or recompile did to the function; it is forgotten where `ends`.
  Compilation known(FunctionID function, bool is_rejit, bool ends);
  void module_unloading(ModuleID module);

 private:
  struct Change {
    Rendered body;
    bool is_none = true;
    uint32_t flags = 0;  // for the compiler, of a new version
  };
  Change ask(MethodInfo& method, bool is_rejit);
  bool is_wanted(Plugin& plugin, MethodInfo& method, bool is_rejit);
  void tell_complete(MethodInfo& method, bool is_rejit);
  // What raw profiler hooks make of the method on top of that; `tell` is how one hears of it.
  void let_hooks(Change& change, HookedBody& body, const std::function<void(coreclr::Guest&)>& tell);
  void set_body(Compilation& compilation, const Change& change);
  void remember_compiled(FunctionID function, Compilation compilation);
  void set_version(Compilation& compilation, const Change& change, uint32_t count, coreclr::FunctionControl& control);

  Engine& engine_;
  std::mutex lock_;  // the next; nobody is called under it
  std::map<FunctionID, Compilation> compiled_;
  std::map<std::pair<ModuleID, Token>, Compilation> recompiled_;
  std::map<std::pair<ModuleID, Token>, uint32_t> rejits_;
};

}  // namespace oriel::plugins
