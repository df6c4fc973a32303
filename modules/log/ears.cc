#include "ears.h"

namespace oriel::log_module {

bool Ears::watch_suspensions() {
  if (!watcher) watcher = oriel_profiler_create(nullptr);
  if (watcher) log_module::watch_suspensions(watcher);
  return watcher != nullptr;
}

Ears& ears() {
  static auto* const made = new Ears;
  return *made;
}

}  // namespace oriel::log_module
