// Methods compiled, loaded from ahead-of-time images, and freed.
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

}  // namespace

void on_jit_begin(MonoProfiler*, MonoMethod* method) {
  guarded([&] {
    collect_before_compilation(method);
    oriel_method* const record = record_of(method);
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
    oriel_method* const record = record_of(method);
    if (!is_new) return code_found(record, address, size);
    code_added(record, address, size);
    raise_jit_done(record, static_cast<const void*>(start), uint64_t{size});
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
