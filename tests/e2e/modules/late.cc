// A module that asks for events while the program runs: when a thread is named "now". Writes to the file that its first
// argument names, one line each:
//
//   start EVENT OBSTACLE    as it is loaded, of every event what keeps it from coming; "-": nothing
//   set EVENT OBSTACLE      likewise, behind the setters
//   heard EVENT COUNT       at the end, of those that it has set
//
// Arguments, joined by '+': the file; early (one event of handles is asked for as the module is loaded too).
#include <oriel/oriel.h>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <string>

namespace {

FILE* out = nullptr;
oriel_profiler_handle profiler;
std::atomic<uint32_t> heard[oriel_event_number_end];

void write_obstacles(const char* when) {
#define ORIEL_EVENT(number, name, since, context, group, stack, fields, doc) \
  if (const char* const obstacle = oriel_event_obstacle(number))             \
    std::fprintf(out, "%s " #name " %s\n", when, obstacle);                  \
  else                                                                       \
    std::fprintf(out, "%s " #name " -\n", when);
#include <oriel/events.def>
#undef ORIEL_EVENT
}

#define PARAM_A(kind, name) , ORIEL_TYPE_##kind PARAM_B
#define PARAM_B(kind, name) , ORIEL_TYPE_##kind PARAM_A
#define PARAM_A_END
#define PARAM_B_END
#define ORIEL_EVENT(number, name, since, context, group, stack, fields, doc) \
  [[maybe_unused]] void on_##name(oriel_profiler* ORIEL_SEQ(PARAM, fields)) { heard[number].fetch_add(1); }
#include <oriel/events.def>
#undef ORIEL_EVENT

void set_all() {
  oriel_profiler_set_gc_root_callback(profiler, on_gc_root);
  oriel_profiler_set_gc_handle_created_callback(profiler, on_gc_handle_created);
  oriel_profiler_set_gc_handle_deleted_callback(profiler, on_gc_handle_deleted);
  oriel_profiler_set_gc_finalize_queued_callback(profiler, on_gc_finalize_queued);
  oriel_profiler_set_gc_finalizing_object_callback(profiler, on_gc_finalizing_object);
  write_obstacles("set");
}

void on_named(oriel_profiler*, oriel_thread*, const char* name) {
  if (std::strcmp(name, "now") == 0) set_all();
}

void write_heard(oriel_profiler*) {
#define ORIEL_EVENT(number, name, since, context, group, stack, fields, doc) \
  std::fprintf(out, "heard " #name " %u\n", heard[number].load());
#include <oriel/events.def>
#undef ORIEL_EVENT
  std::fclose(out);
}

}  // namespace

ORIEL_MODULE_EXPORT uint32_t oriel_api_version_late(void) { return ORIEL_API_VERSION; }

ORIEL_MODULE_EXPORT int oriel_init_late(const char* args) {
  const std::string all = args;
  const size_t end = all.find('+');
  out = std::fopen(all.substr(0, end).c_str(), "w");
  if (!out) return 1;
  profiler = oriel_profiler_create(nullptr);
  oriel_profiler_set_thread_name_callback(profiler, on_named);
  oriel_profiler_set_cleanup_callback(profiler, write_heard);
  if (end != all.npos) {
    // Another profiler's, so that this one hears nothing of it.
    oriel_profiler_set_gc_handle_deleted_callback(oriel_profiler_create(nullptr), [](oriel_profiler*, const void*) {});
  }
  write_obstacles("start");
  return 0;
}
