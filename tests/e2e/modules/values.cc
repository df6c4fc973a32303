// A module for tests of call context: writes the values of every call of the methods of class Values to the file that
// its argument names, one line an event: "enter NAME this=… 0=… 1=…", "leave NAME … local0=… result=…" (locals of
// methods whose names begin with Local only: compilers make more of them than the source has). Each value is asked for
// as a copy too; "copies N" counts those that are the same, and "copy differs" stands where one is not.
#include <oriel/oriel.h>

#include <atomic>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <string>

namespace {

FILE* out = nullptr;
std::atomic<uint64_t> same_copies{0};

template <typename T>
T at(const void* address) {
  T value;
  std::memcpy(&value, address, sizeof value);
  return value;
}

std::string hex(const void* address, uint32_t size) {
  std::string text;
  char byte[3];
  for (uint32_t i = 0; i < size; ++i) {
    std::snprintf(byte, sizeof byte, "%02x", static_cast<const unsigned char*>(address)[i]);
    text += byte;
  }
  return text;
}

// An object as its class; a string as its text.
std::string object_text(oriel_object* object) {
  if (!object) return "null";
  const std::string name = oriel_class_name(oriel_object_class(object));
  if (name != "string" && name != "System.String") return name;
  char text[256];
  oriel_object_text(object, text, sizeof text);
  return std::string("'") + text + "'";
}

std::string text_of(const oriel_value& value) {
  switch (value.kind) {
    case ORIEL_VALUE_BOOL:
      return at<bool>(value.address) ? "true" : "false";
    case ORIEL_VALUE_CHAR:
    case ORIEL_VALUE_U2:
      return std::to_string(at<uint16_t>(value.address));
    case ORIEL_VALUE_I4:
      return std::to_string(at<int32_t>(value.address));
    case ORIEL_VALUE_I8:
      return std::to_string(at<int64_t>(value.address));
    case ORIEL_VALUE_R8:
      return std::to_string(at<double>(value.address));
    case ORIEL_VALUE_OBJECT:
      return object_text(at<oriel_object*>(value.address));
    case ORIEL_VALUE_BYREF:
      return "ref " + std::to_string(at<int32_t>(at<const void*>(value.address)));
    default:
      return std::to_string(value.size) + ":" + (value.size <= 16 ? hex(value.address, value.size) : "");
  }
}

// As the value is told, if its copy is the same; frees the copy.
std::string told(bool there, const oriel_value& value, void* copy) {
  const bool same = there ? copy && std::memcmp(copy, value.address, value.size) == 0 : copy == nullptr;
  oriel_call_context_free_buffer(copy);
  if (!same) return "copy differs";
  if (there) same_copies.fetch_add(1);
  return there ? text_of(value) : "";
}

void write(const char* what, oriel_method* method, const void* context) {
  std::string line = std::string(what) + " " + oriel_method_short_name(method);
  oriel_value value;
  const auto add = [&](bool there, const std::string& name, void* copy) {
    const std::string text = told(there, value, copy);
    if (!text.empty()) line += " " + name + "=" + text;
    return there;
  };
  add(oriel_call_context_this(context, &value), "this", oriel_call_context_get_this(context));
  for (uint32_t i = 0; add(oriel_call_context_argument(context, i, &value), std::to_string(i),
                           oriel_call_context_get_argument(context, i));
       ++i) {
  }
  const bool with_locals = std::strncmp(oriel_method_short_name(method), "Local", 5) == 0;
  for (uint32_t i = 0; with_locals && add(oriel_call_context_local(context, i, &value), "local" + std::to_string(i),
                                          oriel_call_context_get_local(context, i));
       ++i) {
  }
  add(oriel_call_context_result(context, &value), "result", oriel_call_context_get_result(context));
  if (!context) line += " no context";
  std::fprintf(out, "%s\n", line.c_str());
}

void on_enter(oriel_profiler*, oriel_method* method, const void* context) { write("enter", method, context); }
void on_leave(oriel_profiler*, oriel_method* method, const void* context) { write("leave", method, context); }

uint32_t which(oriel_profiler*, oriel_method* method) {
  const bool wanted = std::strncmp(oriel_method_name(method), "Values.", 7) == 0;
  return wanted ? ORIEL_CALLS_ENTER_CONTEXT | ORIEL_CALLS_LEAVE_CONTEXT : ORIEL_CALLS_NONE;
}

void on_cleanup(oriel_profiler*) {
  std::fprintf(out, "copies %" PRIu64 "\n", same_copies.load());
  std::fflush(out);
}

}  // namespace

ORIEL_MODULE_EXPORT uint32_t oriel_api_version_values(void) { return ORIEL_API_VERSION; }

ORIEL_MODULE_EXPORT int oriel_init_values(const char* args) {
  out = std::fopen(args, "w");
  if (!out) return 1;
  oriel_profiler_handle profiler = oriel_profiler_create(nullptr);
  oriel_profiler_set_method_enter_callback(profiler, on_enter);
  oriel_profiler_set_method_leave_callback(profiler, on_leave);
  oriel_profiler_set_cleanup_callback(profiler, on_cleanup);
  oriel_profiler_set_call_instrumentation_filter_callback(profiler, which);
  return 0;
}
