#include "modules/lock_entry.h"

#include <string_view>

namespace oriel::modules {

bool is_lock_entry(oriel_method* method) {
  if (method == nullptr) return false;
  const std::string_view name = oriel_method_raw_name(method);
  if (name.starts_with("System.Threading.Lock.")) return true;
  constexpr std::string_view kMonitor = "System.Threading.Monitor.";
  return name.starts_with(kMonitor) && name.find("Enter", kMonitor.size()) != name.npos;
}

// A Lock waits on its own event: WaitHandle.WaitOne and its callees.
bool is_waiting_method(oriel_method* method) {
  return method != nullptr && std::string_view(oriel_method_raw_name(method)).starts_with("System.Threading.");
}

}  // namespace oriel::modules
