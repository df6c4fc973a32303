// Domains, assemblies, images and classes come and go.
#include <atomic>

#include "engine/things/code_map.h"
#include "runtimes/mono/call_values.h"
#include "runtimes/mono/callbacks.h"
#include "runtimes/mono/code_counts.h"
#include "runtimes/mono/followed.h"
#include "runtimes/mono/mono_runtime.h"
#include "runtimes/mono/things.h"
#include "runtimes/mono/unload_gate.h"

namespace oriel::mono {
namespace {

constinit std::atomic<uint32_t> frees{0};

void mark(const void*) {}
void mark(MonoImage* image) {
  unload::begins(reinterpret_cast<uintptr_t>(image));
  collect_last_counts(image);
  forget_calls(*record_of(image));
}
void mark(MonoDomain* domain) { domain_goes(domain); }
void unmark(const void*) {}
void unmark(MonoDomain* domain) { domain_is_gone(domain); }
void unmark(MonoImage* image) {
  unload::is_over(reinterpret_cast<uintptr_t>(image));
  forget_executable_mappings();
}

}  // namespace

// What comes and goes alike. Questions are about images, and what is in them.
#define MONO_LOADS(thing, Id)                                 \
  void on_##thing##_loading(MonoProfiler*, Id* id) {          \
    guarded([&] { raise_##thing##_loading(record_of(id)); }); \
  }                                                           \
  void on_##thing##_loaded(MonoProfiler*, Id* id) {           \
    guarded([&] { raise_##thing##_loaded(record_of(id)); });  \
  }                                                           \
  void on_##thing##_unloading(MonoProfiler*, Id* id) {        \
    guarded([&] {                                             \
      mark(id);                                               \
      before_unload(record_of(id));                           \
      unload::wait_for_questions();                           \
      raise_##thing##_unloading(record_of(id));               \
    });                                                       \
  }                                                           \
  void on_##thing##_unloaded(MonoProfiler*, Id* id) {         \
    guarded([&] {                                             \
      count_free();                                           \
      oriel_##thing* const record = record_of(id);            \
      after_unload(record);                                   \
      unmark(id);                                             \
      raise_##thing##_unloaded(record);                       \
    });                                                       \
  }
MONO_LOADS(domain, MonoDomain)
MONO_LOADS(assembly, MonoAssembly)
MONO_LOADS(image, MonoImage)
#undef MONO_LOADS

uint32_t frees_so_far() { return frees.load(std::memory_order_acquire); }
void count_free() { frees.fetch_add(1, std::memory_order_acq_rel); }

void on_image_failed(MonoProfiler*, MonoImage* image) {
  guarded([&] {
    oriel_image* const record = record_of(image);
    before_unload(record);
    unload::wait_for_questions();
    raise_image_failed(record);
    after_unload(record);
  });
}

void on_class_loaded(MonoProfiler*, MonoClass* klass) {
  guarded([&] { raise_class_loaded(record_of(klass)); });
}
// Mono may not be asked for the arguments of a class that it could not make.
void on_class_failed(MonoProfiler*, MonoClass* klass) {
  guarded([&] {
    oriel_class* const record = record_of(klass);
    describe_plainly(*record);
    raise_class_failed(record);
  });
}

}  // namespace oriel::mono
