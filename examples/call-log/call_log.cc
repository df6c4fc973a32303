// Prints each call of the given methods to stderr, with the arguments. In a name * is anything.
//
//   $ oriel run --module './liboriel-calllog.so:Shop.Cart.Add*,System.IO.File.Open' -- dotnet Shop.dll
//   call: Shop.Cart.Add(Shop.Item {#17}, int 3, string "blue")
#include <fnmatch.h>
#include <oriel/oriel.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace {

std::vector<std::string> patterns;

// The callbacks run in the program's own code and must not wait for a terminal: a separate thread prints.
std::mutex lock;
std::string waiting;

void print(oriel_profiler* = nullptr) {
  std::string lines;
  {
    const std::lock_guard<std::mutex> guard(lock);
    lines.swap(waiting);
  }
  std::fputs(lines.c_str(), stderr);
}

void print_forever() {
  oriel_thread_attach_tools();
  for (;; std::this_thread::sleep_for(std::chrono::milliseconds(50))) print();
}

template <typename Value>
std::string number(const oriel_value& value) {
  Value read;
  std::memcpy(&read, value.address, sizeof read);
  return std::to_string(read);
}

// A string is printed with its text, another object with its class.
std::string object_text(const oriel_value& value) {
  oriel_object* const object = *static_cast<oriel_object* const*>(value.address);
  if (object == nullptr) return "null";
  if (std::strcmp(value.type, "string") != 0 && std::strcmp(value.type, "System.String") != 0) {
    oriel_class* const klass = oriel_object_class(object);
    return std::string("{#") + std::to_string(oriel_class_id(klass)) + "}";
  }
  char text[256];
  oriel_object_text(object, text, sizeof text);
  return '"' + std::string(text) + '"';
}

std::string text_of(const oriel_value& value) {
  switch (value.kind) {
    case ORIEL_VALUE_BOOL:
      return *static_cast<const uint8_t*>(value.address) != 0 ? "true" : "false";
    case ORIEL_VALUE_I1:
      return number<int8_t>(value);
    case ORIEL_VALUE_U1:
      return number<uint8_t>(value);
    case ORIEL_VALUE_I2:
      return number<int16_t>(value);
    case ORIEL_VALUE_U2:
    case ORIEL_VALUE_CHAR:
      return number<uint16_t>(value);
    case ORIEL_VALUE_I4:
      return number<int32_t>(value);
    case ORIEL_VALUE_U4:
      return number<uint32_t>(value);
    case ORIEL_VALUE_I8:
    case ORIEL_VALUE_NATIVE_INT:
      return number<int64_t>(value);
    case ORIEL_VALUE_U8:
    case ORIEL_VALUE_NATIVE_UINT:
    case ORIEL_VALUE_POINTER:
    case ORIEL_VALUE_BYREF:
      return number<uint64_t>(value);
    case ORIEL_VALUE_R4:
      return number<float>(value);
    case ORIEL_VALUE_R8:
      return number<double>(value);
    case ORIEL_VALUE_OBJECT:
      return object_text(value);
    default:
      return "{" + std::to_string(value.size) + " bytes}";
  }
}

// The method's name without parameters.
std::string name_of(oriel_method* method) {
  const std::string name = oriel_method_name(method);
  return name.substr(0, name.find('('));
}

// A filter may ask for names; a callback in the program's own code must not.
uint32_t which(oriel_profiler*, oriel_method* method) {
  const std::string name = name_of(method);
  for (const std::string& pattern : patterns)
    if (fnmatch(pattern.c_str(), name.c_str(), 0) == 0) return ORIEL_CALLS_ENTER_CONTEXT;
  return ORIEL_CALLS_NONE;
}

void on_enter(oriel_profiler*, oriel_method* method, const void* context) {
  std::string line = "call: " + name_of(method) + "(";
  oriel_value value;
  for (uint32_t i = 0; oriel_call_context_argument(context, i, &value); ++i)
    line += (i == 0 ? "" : ", ") + std::string(value.type) + " " + text_of(value);
  const std::lock_guard<std::mutex> guard(lock);
  waiting += line + ")\n";
}

}  // namespace

ORIEL_MODULE_EXPORT uint32_t oriel_api_version_calllog(void) { return ORIEL_API_VERSION; }

ORIEL_MODULE_EXPORT int oriel_init_calllog(const char* args) {
  std::string names = args;
  for (size_t at = 0, end = 0; at < names.size(); at = end + 1) {
    end = std::min(names.find(',', at), names.size());
    patterns.push_back(names.substr(at, end - at));
  }
  if (patterns.empty()) return oriel_warn("calllog needs method names: --module liboriel-calllog.so:Shop.*"), 1;
  oriel_profiler_handle profiler = oriel_profiler_create(nullptr);
  oriel_profiler_set_method_enter_callback(profiler, on_enter);
  oriel_profiler_set_call_instrumentation_filter_callback(profiler, which);
  oriel_profiler_set_cleanup_callback(profiler, print);
  std::thread(print_forever).detach();
  return 0;
}
