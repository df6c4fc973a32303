// What becomes of a method that is about to be compiled: plug-ins are asked, and their changes put into its body.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <vector>

#include "plugins/engine.h"
#include "plugins/method_info.h"

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

  void compile(FunctionID function);
  // A new version of a method, whose parameters `control` takes.
  void recompile(ModuleID module, Token method, coreclr::FunctionControl& control);
  // What compile or recompile did to the function; it is forgotten where `ends`.
  Compilation known(FunctionID function, bool is_rejit, bool ends);
  void module_unloading(ModuleID module);

 private:
  struct Change {
    Rendered body;
    bool is_none = true;
  };
  Change ask(MethodInfo& method, bool is_rejit);
  bool is_wanted(Plugin& plugin, MethodInfo& method, bool is_rejit);
  void tell_complete(MethodInfo& method, bool is_rejit);
  HResult set_body(MethodInfo& method, const Rendered& body);

  Engine& engine_;
  std::mutex lock_;  // the next; nobody is called under it
  std::map<FunctionID, Compilation> compiled_;
  std::map<std::pair<ModuleID, Token>, Compilation> recompiled_;
  std::map<std::pair<ModuleID, Token>, uint32_t> rejits_;
};

}  // namespace oriel::plugins
