#include "runtimes/coreclr/while_loaded.h"

#include "runtimes/coreclr/adapter.h"

namespace oriel::coreclr {

bool if_loaded(ModuleID module, const std::function<void()>& what) {
  Adapter& adapter = *this_adapter();
  const UnloadGate::Question question(adapter.unload_gate());
  if (!question.allowed()) return false;
  if (!adapter.gone().contains(module)) what();
  return true;
}

void while_loaded(ModuleID module, const std::function<void()>& what) {
  // Not allowed: something is being unloaded. The gate sees to it that this ends.
  while (!if_loaded(module, what)) continue;
}

}  // namespace oriel::coreclr
