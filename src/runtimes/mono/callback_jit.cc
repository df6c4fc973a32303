// Methods compiled, loaded from ahead-of-time images, and freed.
#include <atomic>
#include <string>

#include "engine/filters.h"
#include "engine/lifecycle.h"
#include "engine/things/code_map.h"
#include "runtimes/mono/callbacks.h"
#include "runtimes/mono/code_counts.h"
#include "runtimes/mono/things.h"
#include "runtimes/mono/thread_state.h"
#include "runtimes/mono/unload_gate.h"

namespace oriel::mono {
namespace {

// Whether this thread was compiling the method, which is over now. Mono tells of code from an image, of a wrapper under
// the name of what it wraps, and of shared code once more, without a beginning.
bool ends_compilation(MonoMethod* method) {
  ThreadState* const own = thread_state_if_any();
  return own && end_compilation(own->compilations, method);
}

// Code may serve several instantiations of a generic method; it has the name of what they share, as it has for calls.
oriel_method* record_of_code(MonoMethod* requested, MonoJitInfo* code) {
  MonoMethod* const its = api.mono_jit_info_get_method(code);
  return record_of(its ? its : requested);
}

// Nothing can be added to code of an image that was compiled ahead of time. Said once, as soon as some was chosen.
void say_what_is_precompiled(oriel_method* record, uintptr_t address) {
  static constinit std::atomic<bool> said{false};
  if (said.load(std::memory_order_relaxed) || !has_filters() || !record->image) return;
  const ExecutableMapping mapping = executable_mapping(address);
  if (mapping.end == 0 || mapping.generated) return;
  const WantedChanges wanted = ask_filters(record, record->image);
  if ((wanted.calls == ORIEL_CALLS_NONE && wanted.coverage == 0) || said.exchange(true)) return;
  warn((std::string("methods that were compiled ahead of time (mono --aot) are left out of calls and coverage, such "
                    "as ") +
        oriel_method_name(record) + "; start the program with mono -O=-aot to have them")
           .c_str());
}

}  // namespace

void on_jit_begin(MonoProfiler*, MonoMethod* method) {
  guarded([&] {
    oriel_method* const record = record_of(method);
    collect_before_compilation(*record);
    if (ThreadState* const own = thread_state()) begin_compilation(own->compilations, method, record);
    raise_jit_begin(record);
  });
}

void on_jit_done(MonoProfiler*, MonoMethod* method, MonoJitInfo* code) {
  guarded([&] {
    const bool is_new = ends_compilation(method);
    if (!code) return;
    void* const start = api.mono_jit_info_get_code_start(code);
    const auto address = reinterpret_cast<uintptr_t>(start);
    const auto size = static_cast<size_t>(api.mono_jit_info_get_code_size(code));
    oriel_method* const record = record_of_code(method, code);
    say_what_is_precompiled(record, address);
    if (!is_new) return code_found(record, address, size);
    counts_begin(method);
    if (MonoMethod* const shared = api.mono_jit_info_get_method(code); shared != method) counts_begin(shared);
    code_added(record, address, size);
    raise_jit_done(record_of(method), static_cast<const void*>(start), uint64_t{size});
  });
}

void on_jit_failed(MonoProfiler*, MonoMethod* method) {
  guarded([&] {
    ends_compilation(method);
    raise_jit_failed(record_of(method));
  });
}

// Of methods that nobody has heard of there is nothing to forget.
void on_method_free(MonoProfiler*, MonoMethod* method) {
  guarded([&] {
    oriel_method* const record = find_method(reinterpret_cast<uintptr_t>(method));
    if (!record) return;
    before_unload(record);
    unload::wait_for_questions();
    raise_method_free(record);
    after_unload(record);
    count_free();
  });
}

}  // namespace oriel::mono
