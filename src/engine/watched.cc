#include "engine/watched.h"

#include <map>
#include <mutex>

#include "engine/engine_thread.h"
#include "oriel/oriel.h"

namespace oriel {
namespace {

struct SubscriptionTable {
  std::mutex lock;  // guards the next; not held while calling out
  std::map<oriel_profiler_handle, Subscriptions> of_profiler;
};
SubscriptionTable& wishes() {
  static auto* const made = new SubscriptionTable;
  return *made;
}

void set(oriel_profiler_handle handle, std::string Subscriptions::*names, const char* asked) {
  if (!handle) return;
  {
    const std::lock_guard guard(wishes().lock);
    wishes().of_profiler[handle].*names = asked ? asked : "";
  }
  engine_thread::wake();
}

void add(std::string& all, const std::string& more) {
  if (!all.empty() && !more.empty()) all += ',';
  all += more;
}

}  // namespace

Subscriptions watched() {
  const std::lock_guard guard(wishes().lock);
  Subscriptions all;
  for (const auto& [handle, its] : wishes().of_profiler) {
    add(all.meters, its.meters);
    add(all.activities, its.activities);
  }
  return all;
}

}  // namespace oriel

void oriel_set_meters(oriel_profiler_handle handle, const char* names) {
  oriel::set(handle, &oriel::Subscriptions::meters, names);
}

void oriel_set_activities(oriel_profiler_handle handle, const char* sources) {
  oriel::set(handle, &oriel::Subscriptions::activities, sources);
}
