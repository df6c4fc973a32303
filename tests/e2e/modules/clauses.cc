// A module for tests of exceptions: writes to the file that its first argument names what happens in methods of class
// Clauses and what they throw, one line each:
//
//   step NAME                        Clauses.Begin was called
//   throw CLASS                      exception_throw
//   KIND INDEX METHOD CLASS          exception_clause; "?" for ORIEL_NO_CLAUSE_INDEX
//   leave METHOD CLASS               method_exception_leave
//
// Arguments, joined by '+': the file; probes (the methods tell of exceptions that leave them); full (with callbacks
// that may do all, which get no exception); late (the filter is set a while after the start; when the
// method First has told often, the file FILE.heard is made).
#include <oriel/oriel.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <thread>

namespace {

FILE* out = nullptr;
std::string path;
bool full = false;
std::atomic<int> told_of_first{0};
oriel_profiler_handle profiler;

std::string class_of(oriel_object* exception) {
  return exception ? oriel_class_name(oriel_object_class(exception)) : "null";
}

// Without its class and parameters; empty if it is none of Clauses'.
std::string own_name(oriel_method* method) {
  const std::string_view name = oriel_method_raw_name(method);
  if (!name.starts_with("Clauses")) return "";
  const size_t end = name.find('('), dot = name.rfind('.', end);
  if (name.starts_with("Clauses+")) return std::string(name.substr(8, end - 8));
  return std::string(name.substr(dot + 1, end - dot - 1));
}

void on_throw(oriel_profiler*, oriel_object* exception) {
  std::fprintf(out, "throw %s\n", class_of(exception).c_str());
}

void on_clause(oriel_profiler*, oriel_method* method, oriel_clause_kind kind, oriel_object* exception, uint32_t index) {
  static constexpr const char* kKinds[] = {"catch", "filter", "finally", "fault"};
  const std::string name = own_name(method);
  if (name.empty()) return;
  const std::string number = index == ORIEL_NO_CLAUSE_INDEX ? "?" : std::to_string(index);
  std::fprintf(out, "%s %s %s %s\n", kKinds[kind], number.c_str(), name.c_str(), class_of(exception).c_str());
}

void on_leave(oriel_profiler*, oriel_method* method, oriel_object* exception) {
  const std::string name = own_name(method);
  if (name == "First") told_of_first.fetch_add(1);
  std::fprintf(out, "leave %s %s\n", name.c_str(), class_of(exception).c_str());
}

void on_enter(oriel_profiler*, oriel_method*, const void* context) {
  oriel_value value;
  char text[100] = "";
  if (oriel_call_context_argument(context, 0, &value)) {
    oriel_object* name = nullptr;
    std::memcpy(&name, value.address, sizeof name);
    oriel_object_text(name, text, sizeof text);
  }
  std::fprintf(out, "step %s\n", text);
}

uint32_t begins(oriel_profiler*, oriel_method* method) {
  return own_name(method) == "Begin" ? ORIEL_CALLS_ENTER_CONTEXT : ORIEL_CALLS_NONE;
}

uint32_t left_ones(oriel_profiler*, oriel_method* method) {
  const std::string name = own_name(method);
  if (name.empty() || name == "Begin") return ORIEL_CALLS_NONE;
  return ORIEL_CALLS_EXCEPTION_LEAVE | (full ? ORIEL_CALLS_FULL : 0);
}

void set_late() {
  oriel_thread_attach_tools();
  usleep(300'000);
  oriel_profiler_set_call_instrumentation_filter_callback(profiler, left_ones);
  // Methods that are compiled just now have their probes at once; those from before get them a little later.
  constexpr int kSomeRounds = 60;
  while (told_of_first.load() < kSomeRounds) usleep(1000);
  if (FILE* file = std::fopen((path + ".heard").c_str(), "w")) std::fclose(file);
}

}  // namespace

ORIEL_MODULE_EXPORT uint32_t oriel_api_version_clauses(void) { return ORIEL_API_VERSION; }

ORIEL_MODULE_EXPORT int oriel_init_clauses(const char* args) {
  std::string_view rest = args;
  path = rest.substr(0, rest.find('+'));
  out = std::fopen(path.c_str(), "w");
  if (!out) return 1;
  full = rest.find("+full") != rest.npos;
  oriel_profiler_handle steps = oriel_profiler_create(nullptr);
  oriel_profiler_set_method_enter_callback(steps, on_enter);
  oriel_profiler_set_call_instrumentation_filter_callback(steps, begins);
  profiler = oriel_profiler_create(nullptr);
  oriel_profiler_set_exception_throw_callback(profiler, on_throw);
  oriel_profiler_set_exception_clause_callback(profiler, on_clause);
  oriel_profiler_set_cleanup_callback(profiler, [](oriel_profiler*) { std::fflush(out); });
  if (rest.find("+probes") == rest.npos) return 0;
  oriel_profiler_set_method_exception_leave_callback(profiler, on_leave);
  if (rest.find("+late") != rest.npos) {
    std::thread(set_late).detach();
  } else {
    oriel_profiler_set_call_instrumentation_filter_callback(profiler, left_ones);
  }
  return 0;
}
