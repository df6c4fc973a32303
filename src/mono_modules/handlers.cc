// What Oriel raises, in Mono's words.
#include <pthread.h>

#include <exception>
#include <map>
#include <mutex>

#include "base/static_tls.h"
#include "mono_modules/code_table.h"
#include "mono_modules/known_names.h"
#include "mono_modules/profiler.h"

namespace oriel::mono_modules {
namespace {

// Mono names a thread by its pthread_t. It is known on the thread itself, where a thread's start is told.
class Threads {
 public:
  uintptr_t started(oriel_thread* thread) {
    const uintptr_t number = thread == oriel_thread_current() ? pthread_self() : oriel_thread_os_id(thread);
    try {
      const std::lock_guard guard(lock_);
      numbers_[thread] = number;
    } catch (const std::exception&) {  // without memory its end comes under another number
    }
    return number;
  }
  uintptr_t number(oriel_thread* thread) {
    const std::lock_guard guard(lock_);
    const auto known = numbers_.find(thread);
    return known != numbers_.end() ? known->second : oriel_thread_os_id(thread);
  }

 private:
  std::mutex lock_;
  std::map<oriel_thread*, uintptr_t> numbers_;
};

Threads& threads() {
  static auto* const made = new Threads;
  return *made;
}

mono::GcEvent phase_of(oriel_gc_event phase) {
  switch (phase) {
    case ORIEL_GC_PRE_STOP_WORLD:
      return mono::kGcPreStopWorld;
    case ORIEL_GC_POST_STOP_WORLD:
      return mono::kGcPostStopWorld;
    case ORIEL_GC_START:
      return mono::kGcStart;
    case ORIEL_GC_END:
      return mono::kGcEnd;
    case ORIEL_GC_PRE_START_WORLD:
      return mono::kGcPreStartWorld;
    case ORIEL_GC_POST_START_WORLD:
      return mono::kGcPostStartWorld;
  }
  return mono::kGcStart;
}

mono::ClauseKind clause_of(oriel_clause_kind kind) {
  switch (kind) {
    case ORIEL_CLAUSE_CATCH:
      return mono::kClauseCatch;
    case ORIEL_CLAUSE_FILTER:
      return mono::kClauseFilter;
    case ORIEL_CLAUSE_FINALLY:
      return mono::kClauseFinally;
    case ORIEL_CLAUSE_FAULT:
      return mono::kClauseFault;
  }
  return mono::kClauseCatch;
}

bool any_method(oriel_profiler*, oriel_method*) { return true; }

// NOTHING(event), THING(event, type): events with the same arguments; OTHER(event, setter, parameters, arguments).
#define NOTHING(event) OTHER(event, event, (oriel_profiler * state), (state))
#define THING(event, type) OTHER(event, event, (oriel_profiler * state, type * thing), (state, thing))
#define HANDLERS                                                                                                    \
  NOTHING(runtime_initialized)                                                                                      \
  NOTHING(runtime_shutdown_begin)                                                                                   \
  NOTHING(runtime_shutdown_end)                                                                                     \
  THING(domain_loading, oriel_domain)                                                                               \
  THING(domain_loaded, oriel_domain)                                                                                \
  THING(domain_unloading, oriel_domain)                                                                             \
  THING(domain_unloaded, oriel_domain)                                                                              \
  THING(assembly_loading, oriel_assembly)                                                                           \
  THING(assembly_loaded, oriel_assembly)                                                                            \
  THING(assembly_unloading, oriel_assembly)                                                                         \
  THING(assembly_unloaded, oriel_assembly)                                                                          \
  THING(image_loading, oriel_image)                                                                                 \
  THING(image_failed, oriel_image)                                                                                  \
  THING(image_loaded, oriel_image)                                                                                  \
  THING(image_unloading, oriel_image)                                                                               \
  THING(image_unloaded, oriel_image)                                                                                \
  THING(class_loading, oriel_class)                                                                                 \
  THING(class_failed, oriel_class)                                                                                  \
  THING(class_loaded, oriel_class)                                                                                  \
  THING(jit_begin, oriel_method)                                                                                    \
  THING(jit_failed, oriel_method)                                                                                   \
  OTHER(jit_done, jit_done, (oriel_profiler * state, oriel_method * method, const void* code, uint64_t size),       \
        (state, method, code_table().add(method, code, size)))                                                      \
  THING(method_free, oriel_method)                                                                                  \
  OTHER(thread_started, thread_started, (oriel_profiler * state, oriel_thread * thread),                            \
        (state, threads().started(thread)))                                                                         \
  OTHER(thread_stopped, thread_stopped, (oriel_profiler * state, oriel_thread * thread),                            \
        (state, threads().number(thread)))                                                                          \
  OTHER(thread_name, thread_name, (oriel_profiler * state, oriel_thread * thread, const char* name),                \
        (state, threads().number(thread), name))                                                                    \
  OTHER(gc_event, gc_event, (oriel_profiler * state, oriel_gc_event phase, uint32_t generation, bool is_serial),    \
        (state, phase_of(phase), generation, Bool{is_serial}))                                                      \
  NOTHING(gc_finalizing)                                                                                            \
  OTHER(gc_finalized, gc_finalized, (oriel_profiler * state, uint32_t), (state))                                    \
  OTHER(gc_allocation, gc_allocation_full,                                                                          \
        (oriel_profiler * state, oriel_class*, uint64_t, oriel_object * object, oriel_method*), (state, object))    \
  THING(exception_throw, oriel_object)                                                                              \
  OTHER(exception_clause, exception_clause,                                                                         \
        (oriel_profiler * state, oriel_method * method, oriel_clause_kind clause, oriel_object * exception,         \
         uint32_t index),                                                                                           \
        (state, method, index, clause_of(clause), exception))                                                       \
  OTHER(method_enter, method_enter_full, (oriel_profiler * state, oriel_method * method, const void* context),      \
        (state, method, context))                                                                                   \
  OTHER(method_leave, method_leave_full, (oriel_profiler * state, oriel_method * method, const void* context),      \
        (state, method, context))                                                                                   \
  OTHER(method_tail_call, method_tail_call, (oriel_profiler * state, oriel_method * method, oriel_method * target), \
        (state, method, target))                                                                                    \
  OTHER(method_exception_leave, method_exception_leave,                                                             \
        (oriel_profiler * state, oriel_method * method, oriel_object * exception), (state, method, exception))      \
  OTHER(sample_hit, sample_hit, (oriel_profiler * state, const void* ip, const void* context), (state, ip, context))

#define OTHER(event, setter, parameters, arguments) \
  void on_##event parameters { raise<Event::event> arguments; }
HANDLERS
#undef OTHER

ORIEL_STATIC_TLS constinit thread_local int sample_handlers = 0;

}  // namespace

bool in_sample_handler() { return sample_handlers != 0; }
SampleHandler::SampleHandler() { ++sample_handlers; }
SampleHandler::~SampleHandler() { --sample_handlers; }

bool listen(Profiler& profiler, Event event, bool on) {
  switch (event) {
#define OTHER(event, setter, parameters, arguments)                                                   \
  case Event::event:                                                                                  \
    oriel_profiler_set_##setter##_callback(profiler.handle, on ? on_##event : nullptr);               \
    if (Event::event == Event::gc_allocation)                                                         \
      oriel_profiler_set_full_allocation_filter_callback(profiler.handle, on ? any_method : nullptr); \
    return true;
    HANDLERS
#undef OTHER
    default:
      return false;
  }
}

}  // namespace oriel::mono_modules
