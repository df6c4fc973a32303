#include "engine/watched.h"

#include <map>
#include <mutex>

#include "engine/engine_thread.h"
#include "oriel/oriel.h"

namespace oriel {
namespace {

struct Wishes {
  std::mutex lock;  // guards the next; not held while calling out
  std::map<oriel_profiler_handle, Watched> of_profiler;
};
Wishes& wishes() {
  static auto* const made = new Wishes;
  return *made;
}

void set(oriel_profiler_handle handle, std::string Watched::*names, const char* asked) {
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

Watched watched() {
  const std::lock_guard guard(wishes().lock);
  Watched all;
  for (const auto& [handle, its] : wishes().of_profiler) {
    add(all.meters, its.meters);
    add(all.activities, its.activities);
  }
  return all;
}

}  // namespace oriel

void oriel_set_meters(oriel_profiler_handle handle, const char* names) {
  oriel::set(handle, &oriel::Watched::meters, names);
}

void oriel_set_activities(oriel_profiler_handle handle, const char* sources) {
  oriel::set(handle, &oriel::Watched::activities, sources);
}
