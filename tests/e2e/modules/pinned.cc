// A module for tests: callbacks of the full kind wait until a collection is over, and what they were told of is where
// it was. "PREFIX": of which methods, at the end "pinned: waited=… moved=…" on stderr.
#include <oriel/oriel.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace {

std::string prefix;
std::atomic<unsigned> collections{0}, calls{0}, waited{0}, moved{0};

bool is_chosen(oriel_method* method) {
  return std::strncmp(oriel_method_name(method), prefix.c_str(), prefix.size()) == 0;
}

// Whether one ended: within two seconds, as the program may have stopped to collect.
bool wait_for_collection() {
  const unsigned seen = collections.load();
  for (int i = 0; i < 20'000 && collections.load() < seen + 2; ++i) usleep(100);
  return collections.load() >= seen + 2;
}

// Of an object its address and text, of a byref the address and the int there.
struct Seen {
  oriel_value value;
  const void* at;
  std::string text;
};

std::string text_at(const oriel_value& value, const void* at) {
  if (value.kind == ORIEL_VALUE_STRUCT || std::strcmp(value.type, "ref int") == 0) {
    int32_t number = 0;
    std::memcpy(&number, at, sizeof number);
    return std::to_string(number);
  }
  auto* const object = static_cast<oriel_object*>(const_cast<void*>(at));
  oriel_class* const klass = object ? oriel_object_class(object) : nullptr;
  if (klass == nullptr || std::strcmp(oriel_class_name(klass), "string") != 0)
    return std::to_string(oriel_class_id(klass));
  char text[64];
  oriel_object_text(object, text, sizeof text);
  return text;
}

const void* place_of(const oriel_value& value) {
  return value.kind == ORIEL_VALUE_STRUCT ? value.address : *static_cast<const void* const*>(value.address);
}

void add(std::vector<Seen>& all, const oriel_value& value) {
  const bool counts = value.kind == ORIEL_VALUE_OBJECT || std::strcmp(value.type, "ref int") == 0 ||
                      (value.kind == ORIEL_VALUE_STRUCT && value.type[0] == '\0' && value.size >= sizeof(int32_t));
  if (!counts || place_of(value) == nullptr) return;
  all.push_back({value, place_of(value), text_at(value, place_of(value))});
}

void look_twice(const std::vector<Seen>& all) {
  if (all.empty() || !wait_for_collection()) return;
  ++waited;
  for (const Seen& seen : all)
    if (place_of(seen.value) != seen.at || text_at(seen.value, seen.at) != seen.text) ++moved;
}

// Each of the first calls, then one of many.
bool is_one_to_wait() {
  const unsigned number = calls.fetch_add(1);
  return number < 100 || number % 64 == 0;
}

void on_call(oriel_profiler*, oriel_method*, const void* context) {
  if (context == nullptr || !is_one_to_wait()) return;
  std::vector<Seen> all;
  oriel_value value;
  if (oriel_call_context_this(context, &value)) add(all, value);
  for (uint32_t i = 0; oriel_call_context_argument(context, i, &value); ++i) add(all, value);
  for (uint32_t i = 0; oriel_call_context_local(context, i, &value); ++i) add(all, value);
  if (oriel_call_context_result(context, &value)) add(all, value);
  look_twice(all);
}

void on_object(oriel_profiler*, oriel_class* klass, uint64_t, oriel_object* object, oriel_method* site) {
  if (!is_chosen(site) || !is_one_to_wait() || !wait_for_collection()) return;
  ++waited;
  if (oriel_object_class(object) != klass) ++moved;
}

}  // namespace

ORIEL_MODULE_EXPORT uint32_t oriel_api_version_pinned(void) { return ORIEL_API_VERSION; }

ORIEL_MODULE_EXPORT int oriel_init_pinned(const char* args) {
  prefix = args;
  const oriel_profiler_handle handle = oriel_profiler_create(nullptr);
  oriel_profiler_set_method_enter_full_callback(handle, on_call);
  oriel_profiler_set_method_leave_full_callback(handle, on_call);
  oriel_profiler_set_gc_allocation_full_callback(handle, on_object);
  oriel_profiler_set_gc_end_callback(handle, [](oriel_profiler*, uint32_t, uint32_t) { ++collections; });
  oriel_profiler_set_call_instrumentation_filter_callback(
      handle, [](oriel_profiler*, oriel_method* method) -> uint32_t {
        return is_chosen(method) ? ORIEL_CALLS_ENTER_FULL | ORIEL_CALLS_LEAVE_FULL : ORIEL_CALLS_NONE;
      });
  oriel_profiler_set_full_allocation_filter_callback(
      handle, [](oriel_profiler*, oriel_method* method) { return is_chosen(method); });
  oriel_profiler_set_cleanup_callback(handle, [](oriel_profiler*) {
    std::fprintf(stderr, "pinned: waited=%u moved=%u\n", waited.load(), moved.load());
  });
  return 0;
}
