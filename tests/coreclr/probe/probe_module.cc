// liboriel-probe.so: writes each event that it receives as a line to a file, for tests of runtimes.
//
//   probe:out=FILE[,events=NAME+NAME…][,chooses=ASSEMBLY][,chooses_late=ASSEMBLY]
//
// It listens to events whose names begin with one of the names ("gc" means all that begin with gc); without `events`,
// to none. Filters select the images of one assembly, and none of its methods; from the time when a thread is named
// "take-away", those of another assembly. A line is
//
//   EVENT field=value field=value…
//
// with a method as #ID "name" "short name" "raw name" "class", a class, image, assembly or domain as #ID "name", a
// thread as #ID os=ID "name". When a thread is named "take-away", all callbacks except thread_name's are removed. When
// one is named "inspect", an engine that was built with tests/coreclr/inspect inspects the runtime.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <string>

#include "oriel/oriel.h"

// Defined only in the library of tests/coreclr/inspect. Passes its lines to `say`.
extern "C" __attribute__((weak)) void oriel_inspect(void (*say)(void* to, const char* line), void* to);

struct oriel_profiler {
  std::FILE* out = nullptr;
  std::mutex mutex;
  oriel_profiler_handle handle = nullptr;
  std::string chosen, chosen_late;  // assemblies
};

namespace {

// Each kind of field as text. No names are asked for during collections, because those callbacks have no such fields.
std::string quoted(const char* text) { return std::string("\"") + text + "\""; }
std::string numbered(uint32_t id, const char* name) { return "#" + std::to_string(id) + " " + quoted(name); }

std::string text_of_domain(oriel_domain* it) { return numbered(oriel_domain_id(it), oriel_domain_name(it)); }
std::string text_of_assembly(oriel_assembly* it) { return numbered(oriel_assembly_id(it), oriel_assembly_name(it)); }
std::string text_of_image(oriel_image* it) { return numbered(oriel_image_id(it), oriel_image_name(it)); }
std::string text_of_class(oriel_class* it) {
  return numbered(oriel_class_id(it), oriel_class_name(it)) + " size=" + std::to_string(oriel_class_instance_size(it));
}
std::string text_of_method(oriel_method* it) {
  oriel_class* klass = oriel_method_class(it);
  return numbered(oriel_method_id(it), oriel_method_name(it)) + " " + quoted(oriel_method_short_name(it)) + " " +
         quoted(oriel_method_raw_name(it)) + " " + quoted(klass ? oriel_class_name(klass) : "");
}
std::string text_of_thread(oriel_thread* it) {
  return "#" + std::to_string(oriel_thread_id(it)) + " os=" + std::to_string(oriel_thread_os_id(it)) + " " +
         quoted(oriel_thread_get_name(it));
}
std::string text_of_object(oriel_object* it) {
  oriel_class* klass = it ? oriel_object_class(it) : nullptr;
  return klass ? quoted(oriel_class_name(klass)) : "none";
}
std::string text_of_u32(uint32_t value) { return std::to_string(value); }
std::string text_of_flag(bool value) { return value ? "1" : "0"; }
std::string text_of_bytes(uint64_t value) { return std::to_string(value); }
std::string text_of_nanoseconds(uint64_t value) { return std::to_string(value); }
std::string text_of_number(double value) { return std::to_string(value); }
std::string text_of_address(const void* value) { return std::to_string(reinterpret_cast<uintptr_t>(value)); }
std::string text_of_text(const char* value) { return quoted(value); }
std::string text_of_gc_event(oriel_gc_event value) { return std::to_string(value); }
std::string text_of_gc_trigger(oriel_gc_trigger value) { return std::to_string(value); }
std::string text_of_pool_reason(oriel_pool_reason value) { return std::to_string(value); }
std::string text_of_gc_reason(oriel_gc_reason value) { return std::to_string(value); }
std::string text_of_gc_roots(oriel_gc_roots value) { return std::to_string(value); }
std::string text_of_suspend_reason(oriel_suspend_reason value) { return std::to_string(value); }
std::string text_of_clause_kind(oriel_clause_kind value) { return std::to_string(value); }
std::string text_of_clause_index(uint32_t value) { return std::to_string(value); }
std::string text_of_context(const void*) { return ""; }

void write_line(oriel_profiler* profiler, const std::string& line) {
  const std::lock_guard lock(profiler->mutex);
  std::fputs(line.c_str(), profiler->out);
  std::fputc('\n', profiler->out);
  std::fflush(profiler->out);
}

#define TEXT_A(kind, name)                                   \
  line += std::string(" " #name "=") + text_of_##kind(name); \
  TEXT_B
#define TEXT_B(kind, name)                                   \
  line += std::string(" " #name "=") + text_of_##kind(name); \
  TEXT_A
#define TEXT_A_END
#define TEXT_B_END

#define ORIEL_EVENT(number, event, since, context, group, stack, fields, doc)   \
  void write_##event(oriel_profiler* profiler ORIEL_SEQ(ORIEL_PARAM, fields)) { \
    std::string line = #event;                                                  \
    ORIEL_SEQ(TEXT, fields)                                                     \
    write_line(profiler, line);                                                 \
  }
#include "oriel/events.def"
#undef ORIEL_EVENT

bool choose_image(oriel_profiler* profiler, oriel_image* image) {
  oriel_assembly* const assembly = oriel_image_assembly(image);
  return assembly != nullptr && profiler->chosen == oriel_assembly_name(assembly);
}

void set_filters(oriel_profiler* profiler, const std::string& assembly) {
  if (assembly.empty()) return;
  profiler->chosen = assembly;
  oriel_profiler_set_image_filter_callback(profiler->handle, choose_image);
  oriel_profiler_set_call_instrumentation_filter_callback(
      profiler->handle, [](oriel_profiler*, oriel_method*) -> uint32_t { return ORIEL_CALLS_NONE; });
}

void take_away(oriel_profiler* profiler) {
#define ORIEL_EVENT(number, event, since, context, group, stack, fields, doc) \
  if (std::strcmp(#event, "thread_name") != 0) oriel_profiler_set_##event##_callback(profiler->handle, nullptr);
#include "oriel/events.def"
#undef ORIEL_EVENT
  set_filters(profiler, profiler->chosen_late);
  write_line(profiler, "taken-away");
}

void write_thread_name_or_act(oriel_profiler* profiler, oriel_thread* thread, const char* name) {
  write_thread_name(profiler, thread, name);
  if (std::strcmp(name, "take-away") == 0) take_away(profiler);
  if (std::strcmp(name, "inspect") == 0 && oriel_inspect != nullptr) {
    oriel_inspect([](void* to, const char* line) { write_line(static_cast<oriel_profiler*>(to), line); }, profiler);
  }
}

// Whether "a+b" contains a prefix of `event`.
bool asks_for(const std::string& events, const char* event) {
  size_t begin = 0;
  while (begin < events.size()) {
    const size_t end = std::min(events.find('+', begin), events.size());
    if (end > begin && std::strncmp(event, events.c_str() + begin, end - begin) == 0) return true;
    begin = end + 1;
  }
  return false;
}

// The value of KEY=value in "KEY=value,KEY=value"; "" if it is missing.
std::string argument(const std::string& arguments, const std::string& key) {
  const std::string all = "," + arguments;
  const size_t found = all.find("," + key + "=");
  if (found == std::string::npos) return {};
  const size_t begin = found + key.size() + 2;
  return all.substr(begin, all.find(',', begin) - begin);
}

void set_callbacks(oriel_profiler_handle handle, const std::string& events) {
#define ORIEL_EVENT(number, event, since, context, group, stack, fields, doc) \
  if (asks_for(events, #event)) oriel_profiler_set_##event##_callback(handle, write_##event);
#include "oriel/events.def"
#undef ORIEL_EVENT
  if (asks_for(events, "thread_name")) oriel_profiler_set_thread_name_callback(handle, write_thread_name_or_act);
}

}  // namespace

ORIEL_MODULE_EXPORT uint32_t oriel_api_version_probe(void) { return ORIEL_API_VERSION; }

ORIEL_MODULE_EXPORT int oriel_init_probe(const char* args) {
  auto* profiler = new oriel_profiler;
  profiler->out = std::fopen(argument(args, "out").c_str(), "w");
  if (profiler->out == nullptr) return 1;
  profiler->handle = oriel_profiler_create(profiler);
  set_callbacks(profiler->handle, argument(args, "events"));
  set_filters(profiler, argument(args, "chooses"));
  profiler->chosen_late = argument(args, "chooses_late");
  write_line(profiler, std::string("runtime ") + oriel_runtime_name());
  return 0;
}
