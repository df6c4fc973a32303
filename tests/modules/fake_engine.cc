#include "fake_engine.h"

#include <algorithm>
#include <atomic>
#include <cstdio>

#include "oriel/heap.h"

namespace fake {
Engine& engine() {
  static Engine instance;
  return instance;
}
}  // namespace fake

namespace {
const fake::Context& sample(const void* context) { return *static_cast<const fake::Context*>(context); }
template <typename T>
T* by_id(std::vector<T>& things, uint32_t id) {
  return id && id <= things.size() ? &things[id - 1] : nullptr;
}
}  // namespace

extern "C" {
uint64_t oriel_clock() {
  static std::atomic<uint64_t> now{0};
  return ++now;
}
const char* oriel_runtime_name() { return "fake 1.0"; }
const char* oriel_version() { return "0"; }
const char* oriel_lost_reason_name(uint32_t reason) {
  return reason == ORIEL_LOST_BUFFER_FULL ? "buffer-full" : "other";
}
void oriel_sampling_lost(uint64_t counts[ORIEL_LOST_REASONS]) { std::fill_n(counts, int{ORIEL_LOST_REASONS}, 0); }

void oriel_sampling_looks(uint64_t* rounds, uint64_t* ns) { *rounds = *ns = 0; }
uint64_t oriel_sampling_ready_ns(void) { return 0; }
uint64_t oriel_sampling_time(void) { return 0; }

uint32_t oriel_sample_thread_slot(const void* context) { return sample(context).slot; }
uint32_t oriel_sample_os_thread(const void* context) { return sample(context).os_thread; }
uint64_t oriel_sample_time(const void* context) { return sample(context).time; }
uint32_t oriel_sample_periods(const void* context) { return sample(context).periods; }
size_t oriel_method_boxes(oriel_method* method, uint32_t* offsets, size_t max) {
  std::copy_n(method->boxes.begin(), std::min(max, method->boxes.size()), offsets);
  return method->boxes.size();
}
bool oriel_sample_in_page_fault(const void* context) { return sample(context).in_page_fault; }
bool oriel_sample_is_waiting(const void* context) { return sample(context).waits; }
oriel_method* oriel_sample_compiled_method(const void* context, bool* again) {
  *again = sample(context).compiled != nullptr;
  return sample(context).compiled;
}
size_t oriel_stack_walk_async_safe(const void* context, uintptr_t* frames, size_t max, bool* truncated) {
  const size_t count = std::min(max, sample(context).frames.size());
  std::copy_n(sample(context).frames.begin(), count, frames);
  *truncated = sample(context).truncated;
  return count;
}

oriel_profiler_handle oriel_profiler_create(oriel_profiler*) { return nullptr; }
int oriel_mark(const char*) { return 1; }
const oriel_heap* oriel_heap_snapshot(const oriel_heap_visitor*, char* message, size_t size) {
  snprintf(message, size, "%s", "there is no heap");
  return nullptr;
}
void oriel_heap_free(const oriel_heap*) {}
bool oriel_enable_sampling(oriel_profiler_handle) { return true; }
bool oriel_set_sampling_pace(oriel_profiler_handle, const oriel_pace*) { return true; }
bool oriel_instrumentation_possible() { return true; }
void oriel_set_meters(oriel_profiler_handle, const char*) {}
void oriel_set_activities(oriel_profiler_handle, const char*) {}
size_t oriel_stack_walk_here(const uintptr_t** frames, bool* truncated) {
  *frames = fake::engine().own_stack.data();
  if (truncated) *truncated = fake::engine().own_stack_truncated;
  return fake::engine().own_stack.size();
}

void oriel_resolve_address(uintptr_t address, uint64_t, oriel_frame* frame) {
  fake::engine().resolved++;
  const auto found = fake::engine().frames.find(address);
  *frame = found != fake::engine().frames.end() ? found->second : oriel_frame{};
}

bool oriel_resolve_native(uintptr_t address, oriel_native* native) {
  const auto& natives = fake::engine().natives;
  const auto after = natives.upper_bound(address);
  if (after == natives.begin()) return false;
  *native = std::prev(after)->second;
  return true;
}

bool oriel_read_code(uintptr_t address, void* to, size_t size) {
  const auto& code = fake::engine().code;
  auto after = code.upper_bound(address);
  if (after == code.begin()) return false;
  const auto& [start, bytes] = *--after;
  if (address - start > bytes.size() || size > bytes.size() - (address - start)) return false;
  std::copy_n(bytes.data() + (address - start), size, static_cast<uint8_t*>(to));
  return true;
}

const char* oriel_native_purpose(const oriel_native*) { return ""; }
const char* oriel_stub_purpose(uintptr_t) { return ""; }

uint32_t oriel_il_offset(uintptr_t address, uint64_t) {
  const auto found = fake::engine().il_offsets.find(address);
  return found != fake::engine().il_offsets.end() ? found->second : ORIEL_NO_IL_OFFSET;
}

uint32_t oriel_domain_id(const oriel_domain*) { return 1; }
oriel_domain* oriel_domain_by_id(uint32_t) { return nullptr; }
const char* oriel_domain_name(oriel_domain*) { return ""; }
uint32_t oriel_assembly_id(const oriel_assembly*) { return 1; }
oriel_assembly* oriel_assembly_by_id(uint32_t) { return nullptr; }
const char* oriel_assembly_name(oriel_assembly* assembly) {
  return reinterpret_cast<oriel_image*>(assembly)->assembly.c_str();
}
uint32_t oriel_image_id(const oriel_image* image) { return image->id; }
oriel_image* oriel_image_by_id(uint32_t) { return nullptr; }
const char* oriel_image_name(oriel_image*) { return ""; }
const char* oriel_image_path(oriel_image* image) { return image->path.c_str(); }
const char* oriel_image_pdb_path(oriel_image* image) { return image->pdb_path.c_str(); }
const char* oriel_image_pdb_id(oriel_image* image) { return image->pdb_id.c_str(); }
oriel_assembly* oriel_image_assembly(oriel_image* image) { return reinterpret_cast<oriel_assembly*>(image); }
uint32_t oriel_class_id(const oriel_class* klass) { return klass->id; }
oriel_class* oriel_class_by_id(uint32_t id) { return by_id(fake::engine().classes, id); }
const char* oriel_class_name(oriel_class* klass) { return klass->name.c_str(); }
uint32_t oriel_class_instance_size(oriel_class* klass) { return klass->size; }
oriel_image* oriel_class_image(oriel_class*) { return nullptr; }
oriel_class* oriel_object_class(oriel_object*) { return oriel_class_by_id(1); }
uint32_t oriel_method_id(const oriel_method* method) { return method->id; }
oriel_method* oriel_method_by_id(uint32_t id) { return by_id(fake::engine().methods, id); }
const char* oriel_method_short_name(oriel_method* method) { return method->name.c_str(); }
const char* oriel_method_raw_name(oriel_method* method) { return method->name.c_str(); }
const char* oriel_method_name(oriel_method* method) {
  fake::engine().named++;
  return method->name.c_str();
}
uint32_t oriel_method_count(void) { return 0; }
void oriel_warn(const char*) {}
bool oriel_get_coverage_data(oriel_profiler_handle, oriel_method*, oriel_coverage_cb) { return false; }
const char* oriel_image_mvid(oriel_image*) { return ""; }
oriel_image* oriel_method_image(oriel_method* method) { return method->image; }
uint32_t oriel_method_token(oriel_method* method) { return method->token; }
oriel_class* oriel_method_class(oriel_method* method) { return method->klass; }
uint32_t oriel_thread_id(const oriel_thread* thread) { return thread->id; }
oriel_thread* oriel_thread_by_id(uint32_t id) { return by_id(fake::engine().threads, id); }
uint32_t oriel_thread_os_id(const oriel_thread* thread) { return thread->os_id; }
void oriel_thread_attach_tools(void) {}
bool oriel_thread_is_managed(const oriel_thread*) { return true; }
const char* oriel_thread_get_name(oriel_thread* thread) { return thread->name.c_str(); }
oriel_thread* oriel_thread_current() { return oriel_thread_by_id(fake::current_thread); }
oriel_thread* oriel_thread_by_os_id(uint32_t os_id) {
  for (oriel_thread& thread : fake::engine().threads)
    if (thread.os_id == os_id) return &thread;
  return nullptr;
}

size_t oriel_guests(oriel_guest*, size_t) { return 0; }
void oriel_instrumentation_counts(uint64_t counts[ORIEL_INSTRUMENTATION_OUTCOMES]) {
  std::fill_n(counts, int{ORIEL_INSTRUMENTATION_OUTCOMES}, 0);
  std::copy(fake::engine().outcomes.begin(), fake::engine().outcomes.end(), counts);
}
const char* oriel_instrumentation_outcome_name(uint32_t outcome) { return outcome == 0 ? "instrumented" : "other"; }

oriel_call_instrumentation_filter_cb call_filter = nullptr;
void oriel_profiler_set_call_instrumentation_filter_callback(oriel_profiler_handle,
                                                             oriel_call_instrumentation_filter_cb callback) {
  call_filter = callback;
}
oriel_allocation_filter_cb allocation_filter = nullptr;
bool oriel_image_is_optimized(oriel_image* image) { return image->optimized; }
bool oriel_image_has_names(oriel_image*, const char*) { return true; }
const char* oriel_event_obstacle(uint32_t) { return nullptr; }
bool oriel_method_is_trivial(oriel_method* method) { return method->trivial; }
void oriel_profiler_set_image_filter_callback(oriel_profiler_handle, oriel_image_filter_cb) {}
uint32_t oriel_object_follow(oriel_object*, uint64_t) { return 0; }
void oriel_profiler_set_full_allocation_filter_callback(oriel_profiler_handle, oriel_allocation_filter_cb) {}
void oriel_profiler_set_allocation_filter_callback(oriel_profiler_handle, oriel_allocation_filter_cb callback) {
  allocation_filter = callback;
}

#define ORIEL_EVENT(number, name, since, context, group, stack, fields, doc)                     \
  oriel_##name##_cb callback_##name = nullptr;                                                   \
  void oriel_profiler_set_##name##_callback(oriel_profiler_handle, oriel_##name##_cb callback) { \
    callback_##name = callback;                                                                  \
  }
#include "oriel/events.def"
#undef ORIEL_EVENT
}
