// Domains, assemblies, images and classes come and go.
#include <atomic>

#include "runtimes/mono/callbacks.h"
#include "runtimes/mono/mono_runtime.h"
#include "runtimes/mono/things.h"

namespace oriel::mono {
namespace {

constinit std::atomic<uint32_t> unloads{0};

}  // namespace

void on_domain_loading(MonoProfiler*, MonoDomain* domain) {
  guarded([&] { raise_domain_loading(record_of(domain)); });
}
void on_domain_loaded(MonoProfiler*, MonoDomain* domain) {
  guarded([&] { raise_domain_loaded(record_of(domain)); });
}
void on_domain_unloading(MonoProfiler*, MonoDomain* domain) {
  guarded([&] {
    before_unload(record_of(domain));
    raise_domain_unloading(record_of(domain));
  });
}
void on_domain_unloaded(MonoProfiler*, MonoDomain* domain) {
  guarded([&] {
    oriel_domain* const record = record_of(domain);
    after_unload(record);
    raise_domain_unloaded(record);
  });
}

void on_assembly_loading(MonoProfiler*, MonoAssembly* assembly) {
  guarded([&] { raise_assembly_loading(record_of(assembly)); });
}
void on_assembly_loaded(MonoProfiler*, MonoAssembly* assembly) {
  guarded([&] { raise_assembly_loaded(record_of(assembly)); });
}
void on_assembly_unloading(MonoProfiler*, MonoAssembly* assembly) {
  guarded([&] {
    before_unload(record_of(assembly));
    raise_assembly_unloading(record_of(assembly));
  });
}
void on_assembly_unloaded(MonoProfiler*, MonoAssembly* assembly) {
  guarded([&] {
    oriel_assembly* const record = record_of(assembly);
    after_unload(record);
    raise_assembly_unloaded(record);
  });
}

void on_image_loading(MonoProfiler*, MonoImage* image) {
  guarded([&] { raise_image_loading(record_of(image)); });
}
void on_image_loaded(MonoProfiler*, MonoImage* image) {
  guarded([&] { raise_image_loaded(record_of(image)); });
}
void on_image_failed(MonoProfiler*, MonoImage* image) {
  guarded([&] {
    oriel_image* const record = record_of(image);
    before_unload(record);
    raise_image_failed(record);
    after_unload(record);
  });
}
void on_image_unloading(MonoProfiler*, MonoImage* image) {
  guarded([&] {
    before_unload(record_of(image));
    raise_image_unloading(record_of(image));
  });
}
uint32_t unloads_so_far() { return unloads.load(std::memory_order_acquire); }

void on_image_unloaded(MonoProfiler*, MonoImage* image) {
  unloads.fetch_add(1, std::memory_order_acq_rel);
  guarded([&] {
    oriel_image* const record = record_of(image);
    after_unload(record);
    raise_image_unloaded(record);
  });
}

// Mono may not yet be asked for the arguments of a class that it is making.
void on_class_loading(MonoProfiler*, MonoClass* klass) {
  guarded([&] {
    oriel_class* const record = record_of(klass);
    describe_plainly(*record);
    raise_class_loading(record);
  });
}
void on_class_loaded(MonoProfiler*, MonoClass* klass) {
  guarded([&] { raise_class_loaded(record_of(klass)); });
}
void on_class_failed(MonoProfiler*, MonoClass* klass) {
  guarded([&] {
    oriel_class* const record = record_of(klass);
    describe_plainly(*record);
    raise_class_failed(record);
  });
}

}  // namespace oriel::mono
