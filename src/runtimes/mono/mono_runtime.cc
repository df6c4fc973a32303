#include "runtimes/mono/mono_runtime.h"

#include <algorithm>
#include <iterator>

#include "engine/filters.h"
#include "engine/hits/covered.h"
#include "engine/modules.h"
#include "engine/things/code_map.h"
#include "runtimes/mono/code_counts.h"
#include "runtimes/mono/followed.h"
#include "runtimes/mono/heap/snapshot.h"
#include "runtimes/mono/il_points.h"
#include "runtimes/mono/method_code.h"
#include "runtimes/mono/names.h"
#include "runtimes/mono/objects.h"
#include "runtimes/mono/things.h"
#include "runtimes/mono/thread_state.h"
#include "runtimes/mono/unavailable_events.h"
#include "runtimes/mono/unload_gate.h"

namespace oriel::mono {
namespace {

constexpr uint32_t kOfCalls[] = {oriel_event_method_enter,      oriel_event_method_leave,
                                 oriel_event_method_tail_call,  oriel_event_method_exception_leave,
                                 oriel_event_method_enter_full, oriel_event_method_leave_full};
constexpr uint32_t kOfAllocations[] = {oriel_event_gc_allocation, oriel_event_gc_allocation_full,
                                       oriel_event_gc_allocation_sampled, oriel_event_gc_allocation_followed};

// "6.8.0.105 (Debian 6.8.0.105+dfsg-3.3 …)" without what is in parentheses.
std::string runtime_name() {
  const std::string build = taken(api.mono_get_runtime_build_info());
  return "Mono " + build.substr(0, build.find(' '));
}

MonoObject* mono_object(oriel_object* object) { return reinterpret_cast<MonoObject*>(object); }

// What Mono writes types with, which it loads one by one as it starts, these among the last.
bool has_basic_classes() {
  return api.mono_get_string_class() && api.mono_get_exception_class() && api.mono_get_thread_class();
}

// What Mono knows of the code there, nullptr for nothing, or while an image goes.
MonoJitInfo* code_at(const Asking& asking, uintptr_t address) {
  MonoDomain* const domain = asking.any_is_going() ? nullptr : api.mono_get_root_domain();
  return domain ? api.mono_jit_info_table_find(domain, reinterpret_cast<void*>(address)) : nullptr;
}

// Whether Mono may be asked about a class or method.
bool is_there(const Asking& asking, const Entity& thing) {
  return may_ask() && !asking.any_is_going() && !thing.unloaded.load() && thing.runtime_id != 0;
}

}  // namespace

MonoProfilerDesc* profiler_handle() {
  static MonoProfilerDesc* const made = api.mono_profiler_create(nullptr);
  return made;
}

MonoRuntime::MonoRuntime() : name_(runtime_name()) {}

// What Mono takes only before the program's code runs.
void MonoRuntime::enable_lasting(const RuntimeNeeds& needs) {
  if (started_.load()) return;
  if (std::ranges::any_of(kOfAllocations, [&](uint32_t event) { return needs.events.test(event); }))
    reports_allocations_.store(api.mono_profiler_enable_allocations() != 0);
  if (needs.events.test(oriel_event_exception_clause)) reports_clauses_.store(api.mono_profiler_enable_clauses() != 0);
  // Mono then reads debug information, which changes the stack traces that a program prints. Oriel's own modules never
  // ask for values.
  if (needs.filters && has_foreign_modules()) api.mono_profiler_enable_call_context_introspection();
  if (hits::is_enabled()) counts_code_.store(api.mono_profiler_enable_coverage() != 0);
}

void MonoRuntime::apply(const RuntimeNeeds& needs) {
  const std::lock_guard guard(setting_);
  if (ended_) return;
  enable_lasting(needs);
  const std::span<const Callback> all = all_callbacks();
  for (size_t i = 0; i < all.size(); ++i) {
    const bool needed = is_needed(all[i], needs);
    if (needed == are_set_.test(i)) continue;
    are_set_.set(i, needed);
    set_callback(profiler_handle(), all[i].name, needed ? all[i].handler : nullptr);
  }
  follow_objects(needs.events.test(oriel_event_gc_allocation_followed) ||
                 needs.events.test(oriel_event_gc_followed_gone));
  api.mono_profiler_set_call_instrumentation_filter_callback(profiler_handle(), needs.filters ? choose_calls : nullptr);
  const bool covers = needs.filters && counts_code_.load();
  api.mono_profiler_set_coverage_filter_callback(profiler_handle(), covers ? choose_coverage : nullptr);
}

void MonoRuntime::ended() {
  const std::lock_guard guard(setting_);
  ended_ = true;
}

bool MonoRuntime::has_ended() {
  const std::lock_guard guard(setting_);
  return ended_;
}

const char* MonoRuntime::coverage_obstacle() const {
  return started_.load(std::memory_order_relaxed) && !counts_code() ? kCoverageTooLate : nullptr;
}

const char* MonoRuntime::obstacle(uint32_t event) const {
  if (const char* const never = why_unavailable(event)) return never;
  if (!started_.load(std::memory_order_relaxed)) return nullptr;
  const bool of_allocations = std::ranges::find(kOfAllocations, event) != std::end(kOfAllocations);
  if (of_allocations && !reports_allocations_.load(std::memory_order_relaxed)) return kAllocationsTooLate;
  if (event == oriel_event_exception_clause && !reports_clauses_.load(std::memory_order_relaxed))
    return kClausesTooLate;
  return std::ranges::find(kOfCalls, event) != std::end(kOfCalls) ? kCallsTooLate : nullptr;
}

// Only of code in images that were compiled ahead of time. All other code is known by its compilation, of which Mono
// tells, and some of it is freed without a notice that would come in time (dynamic methods).
oriel_method* MonoRuntime::method_at(uintptr_t address, uintptr_t* start, size_t* size) {
  if (!started_.load() || !may_ask()) return nullptr;
  if (const ExecutableMapping mapping = executable_mapping(address); mapping.end == 0 || mapping.generated)
    return nullptr;
  unload::wait_for_unloads();
  const Asking asking;
  MonoJitInfo* const code = code_at(asking, address);
  MonoMethod* const method = code ? api.mono_jit_info_get_method(code) : nullptr;
  if (!method) return nullptr;
  *start = reinterpret_cast<uintptr_t>(api.mono_jit_info_get_code_start(code));
  *size = static_cast<size_t>(api.mono_jit_info_get_code_size(code));
  return record_of(method);
}

// Of code in the domain of the program, and in images that were compiled ahead of time.
std::vector<IlPoint> MonoRuntime::il_map(uintptr_t start) {
  if (!started_.load() || !may_ask()) return {};
  unload::wait_for_unloads();
  const Asking asking;
  MonoJitInfo* const code = code_at(asking, start);
  MonoMethod* const method = code ? api.mono_jit_info_get_method(code) : nullptr;
  return method ? il_points(method, api.mono_get_root_domain(), start) : std::vector<IlPoint>();
}

// No method is compiled again.
oriel_method* MonoRuntime::compiled_method(bool* again) const {
  const ThreadState* const own = thread_state_if_any();
  if (again) *again = false;
  if (!own || own->compilations.depth == 0 || own->compilations.depth > Compilations::kMost) return nullptr;
  return own->compilations.methods[own->compilations.depth - 1];
}

void MonoRuntime::describe(oriel_domain& domain) {
  const Asking asking;
  if (may_ask()) mono::describe(domain);
}
void MonoRuntime::describe(oriel_assembly& assembly) {
  const Asking asking;
  if (may_ask()) mono::describe(assembly);
}
void MonoRuntime::describe(oriel_image& image) {
  const Asking asking;
  if (may_ask()) mono::describe(image);
}
void MonoRuntime::describe(oriel_class& klass) {
  const Asking asking;
  const ThreadState* const own = thread_state_if_any();
  const bool plainly = !has_basic_classes() || (own && own->names_plainly);
  if (plainly || may_ask()) mono::describe(klass, plainly);
}
void MonoRuntime::describe(oriel_method& method) {
  const Asking asking;
  if (may_ask()) mono::describe(method);
}

std::string MonoRuntime::raw_name(oriel_class& klass) {
  const Asking asking;
  return is_there(asking, klass) ? mono::raw_name(id_of<MonoClass>(klass)) : std::string();
}

oriel_class* MonoRuntime::element_of(oriel_class& klass) {
  const Asking asking;
  if (!is_there(asking, klass) || api.mono_class_get_rank(id_of<MonoClass>(klass)) == 0) return nullptr;
  return record_of(api.mono_class_get_element_class(id_of<MonoClass>(klass)));
}

oriel_class* MonoRuntime::declaring_class(oriel_method& method) {
  const Asking asking;
  return is_there(asking, method) ? record_of(api.mono_method_get_class(id_of<MonoMethod>(method))) : nullptr;
}

uint32_t MonoRuntime::follow(oriel_object* object, uint64_t size) { return follow_chosen(mono_object(object), size); }

void MonoRuntime::collect_counts(const oriel_method* method) {
  if (started_.load() && may_ask()) mono::collect_counts(method);
}

std::string MonoRuntime::mvid(oriel_image& image) {
  const Asking asking;
  if (!may_ask() || asking.is_going(image.runtime_id) || image.unloaded.load()) return "";
  return mvid_of(id_of<MonoImage>(image));
}

bool MonoRuntime::is_trivial(oriel_image& image, uint32_t token) {
  const Asking asking;
  if (!may_ask() || asking.is_going(image.runtime_id) || image.unloaded.load()) return false;
  return is_trivial_method(id_of<MonoImage>(image), token);
}

Status MonoRuntime::snapshot(const oriel_heap_visitor& visitor, OwnedHeap& heap) {
  if (!started_.load()) return Status::error("the program's code does not run yet");
  if (!may_ask()) return Status::error("the calling thread is not one of Oriel's");
  return take_snapshot(*this, visitor, heap);
}

oriel_class* MonoRuntime::class_of(oriel_object* object) { return record_of(mono::class_of(mono_object(object))); }

bool MonoRuntime::field_of(oriel_object* object, const char* name, oriel_value* value) {
  return mono::field_of(mono_object(object), name, value);
}

size_t MonoRuntime::text_of(oriel_object* object, char* buffer, size_t size) {
  if (mono::class_of(mono_object(object)) != api.mono_get_string_class()) return 0;
  return mono::text_of(reinterpret_cast<MonoString*>(object), buffer, size);
}

void describe_plainly(oriel_class& klass) {
  ThreadState* const own = thread_state();
  if (!own) return;
  own->names_plainly = true;
  ensure_described(klass);
  own->names_plainly = false;
}

}  // namespace oriel::mono
