// Counts the calls of a program's methods by their arguments and results, and its objects by class and allocating
// method: one table under one lock, with readable names. Callbacks of the full kind may do both.
//
//   $ oriel run --module './liboriel-audit.so:Shop.,shop.txt' -- dotnet Shop.dll
//   12 calls of Shop.Cart.Add(string, int) with Shop.Cart, "blue", 3
//   12 returns of Shop.Cart.Add(string, int) with 15
//   4 objects of Shop.Cart by Shop.Program.Main()
#include <oriel/oriel.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <string>

namespace {

std::string prefix, path;
std::mutex lock;  // the next
std::map<std::string, unsigned long long> sums;

void add(const std::string& what) {
  const std::lock_guard<std::mutex> guard(lock);
  ++sums[what];
}

bool is_chosen(oriel_method* method) {
  return std::strncmp(oriel_method_name(method), prefix.c_str(), prefix.size()) == 0;
}

template <typename Number>
std::string number(const void* address) {
  Number read;
  std::memcpy(&read, address, sizeof read);
  return std::to_string(read);
}

// The object stays in place while the callback runs; objects in its fields may move.
std::string object_text(const void* address) {
  oriel_object* const object = *static_cast<oriel_object* const*>(address);
  if (object == nullptr) return "null";
  const std::string name = oriel_class_name(oriel_object_class(object));
  if (name != "string" && name != "System.String") return name;
  char text[256];
  oriel_object_text(object, text, sizeof text);
  std::string line = text;
  std::replace_if(
      line.begin(), line.end(), [](unsigned char c) { return c < ' '; }, ' ');
  return '"' + line + '"';
}

std::string text_of(const oriel_value& value) {
  switch (value.kind) {
    case ORIEL_VALUE_OBJECT:
      return object_text(value.address);
    case ORIEL_VALUE_I4:
      return number<int32_t>(value.address);
    case ORIEL_VALUE_BYREF: {  // the address of the value referred to is stored there
      const void* referred = *static_cast<const void* const*>(value.address);
      if (referred == nullptr || std::strcmp(value.type, "ref int") != 0) return value.type;
      return "ref " + number<int32_t>(referred);
    }
    case ORIEL_VALUE_STRUCT:  // for a value type's method, its first field; otherwise possibly an object that moves
      return value.type[0] == '\0' && value.size >= sizeof(int32_t) ? "struct " + number<int32_t>(value.address)
                                                                    : value.type;
    default:
      return value.type;
  }
}

void on_enter(oriel_profiler*, oriel_method* method, const void* context) {
  std::string with;
  oriel_value value;
  const auto append = [&] { with += (with.empty() ? " with " : ", ") + text_of(value); };
  if (oriel_call_context_this(context, &value)) append();
  for (uint32_t i = 0; oriel_call_context_argument(context, i, &value); ++i) append();
  add(std::string("calls of ") + oriel_method_name(method) + with);
}

void on_leave(oriel_profiler*, oriel_method* method, const void* context) {
  oriel_value value;
  const bool returns = oriel_call_context_result(context, &value);
  add(std::string("returns of ") + oriel_method_name(method) + (returns ? " with " + text_of(value) : ""));
}

void on_object(oriel_profiler*, oriel_class* klass, uint64_t, oriel_object*, oriel_method* site) {
  if (is_chosen(site)) add(std::string("objects of ") + oriel_class_name(klass) + " by " + oriel_method_name(site));
}

void write_all(oriel_profiler*) {
  const std::lock_guard<std::mutex> guard(lock);
  FILE* const file = std::fopen(path.c_str(), "w");
  if (file == nullptr) return oriel_warn(("audit: cannot write " + path).c_str());
  for (const auto& sum : sums) std::fprintf(file, "%llu %s\n", sum.second, sum.first.c_str());
  std::fclose(file);
}

}  // namespace

ORIEL_MODULE_EXPORT uint32_t oriel_api_version_audit(void) { return ORIEL_API_VERSION; }

ORIEL_MODULE_EXPORT int oriel_init_audit(const char* args) {
  const std::string text = args;
  const size_t comma = text.find(',');
  if (comma == std::string::npos) {
    oriel_warn("audit: arguments are PREFIX,FILE: a prefix of method names, and the file for the sums");
    return 1;
  }
  prefix = text.substr(0, comma);
  path = text.substr(comma + 1);
  const oriel_profiler_handle handle = oriel_profiler_create(nullptr);
  oriel_profiler_set_method_enter_full_callback(handle, on_enter);
  oriel_profiler_set_method_leave_full_callback(handle, on_leave);
  oriel_profiler_set_gc_allocation_full_callback(handle, on_object);
  oriel_profiler_set_call_instrumentation_filter_callback(
      handle, [](oriel_profiler*, oriel_method* method) -> uint32_t {
        return is_chosen(method) ? ORIEL_CALLS_ENTER_FULL | ORIEL_CALLS_LEAVE_FULL : ORIEL_CALLS_NONE;
      });
  oriel_profiler_set_full_allocation_filter_callback(
      handle, [](oriel_profiler*, oriel_method* method) { return is_chosen(method); });
  oriel_profiler_set_cleanup_callback(handle, write_all);
  return 0;
}
