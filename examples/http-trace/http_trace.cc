// Prints the HTTP requests of an unmodified .NET program to stderr, each when it is sent and when its status line
// arrives. The data is read from the arguments of two methods in System.Net.Http, and the objects that they refer to.
//
//   $ oriel run --module ./liboriel-httptrace.so -- dotnet Shop.dll
//   http: GET http://localhost:5000/cart
//   http: 200 GET http://localhost:5000/cart
#include <oriel/oriel.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>

namespace {

// Sends a request on a connection; a redirect is a separate request.
constexpr const char* kSend = "System.Net.Http.HttpConnection.SendAsync(";
// Reads the status line into the response.
constexpr const char* kStatus = "System.Net.Http.HttpConnection.ParseStatusLineCore(";

// The callbacks run in the program's own code and must not wait for a terminal: a separate thread prints.
std::mutex lock;
std::string waiting;

void say(const std::string& line) {
  const std::lock_guard guard(lock);
  waiting += "http: " + line + "\n";
}

void print(oriel_profiler* = nullptr) {
  std::string lines;
  {
    const std::lock_guard guard(lock);
    lines.swap(waiting);
  }
  std::fputs(lines.c_str(), stderr);
}

void print_forever() {
  oriel_thread_attach_tools();
  for (;; std::this_thread::sleep_for(std::chrono::milliseconds(50))) print();
}

oriel_object* object_at(const oriel_value& value) { return *static_cast<oriel_object* const*>(value.address); }

// A field's object, or NULL.
oriel_object* field(oriel_object* object, const char* name) {
  oriel_value value;
  return oriel_object_field(object, name, &value) ? object_at(value) : nullptr;
}

std::string text(oriel_object* object) {
  char buffer[2048];
  return {buffer, oriel_object_text(object, buffer, sizeof buffer)};
}

std::string describe(oriel_object* request) {
  const std::string method = text(field(field(request, "_method"), "_method"));
  return method + " " + text(field(field(request, "_requestUri"), "_string"));
}

uint32_t which(oriel_profiler*, oriel_method* method) {
  const char* name = oriel_method_name(method);
  const auto is = [&](const char* wanted) { return std::strncmp(name, wanted, std::strlen(wanted)) == 0; };
  return is(kSend) ? ORIEL_CALLS_ENTER_CONTEXT : is(kStatus) ? ORIEL_CALLS_LEAVE_CONTEXT : ORIEL_CALLS_NONE;
}

void on_enter(oriel_profiler*, oriel_method*, const void* context) {
  oriel_value request;
  if (!oriel_call_context_argument(context, 0, &request) || request.kind != ORIEL_VALUE_OBJECT) return;
  say(describe(object_at(request)));
}

void on_leave(oriel_profiler*, oriel_method*, const void* context) {
  oriel_value response, status;
  if (!oriel_call_context_argument(context, 1, &response) || response.kind != ORIEL_VALUE_OBJECT) return;
  if (!oriel_object_field(object_at(response), "_statusCode", &status)) return;
  int code = 0;
  std::memcpy(&code, status.address, sizeof code);
  say(std::to_string(code) + " " + describe(field(object_at(response), "_requestMessage")));
}

}  // namespace

ORIEL_MODULE_EXPORT uint32_t oriel_api_version_httptrace(void) { return ORIEL_API_VERSION; }

ORIEL_MODULE_EXPORT int oriel_init_httptrace(const char*) {
  oriel_profiler_handle profiler = oriel_profiler_create(nullptr);
  oriel_profiler_set_method_enter_callback(profiler, on_enter);
  oriel_profiler_set_method_leave_callback(profiler, on_leave);
  oriel_profiler_set_call_instrumentation_filter_callback(profiler, which);
  oriel_profiler_set_cleanup_callback(profiler, print);
  std::thread(print_forever).detach();
  return 0;
}
