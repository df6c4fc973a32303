#include "runtimes/coreclr/instrument/allocation_probe.h"

#include "base/kept_errno.h"
#include "engine/engine.h"
#include "engine/probes.h"
#include "runtimes/coreclr/names/objects.h"

namespace oriel::coreclr {

// No exception may leave into managed code: interning a class allocates the first time it is met.
extern "C" __attribute__((visibility("hidden"))) void report_allocation(uintptr_t object, oriel_method* site) {
  const ProbeTarget* target = probe_cell(oriel_event_gc_allocation).load(std::memory_order_acquire);
  if (object == 0 || target == nullptr) return;
  const ObjectFacts facts = object_facts(object);
  oriel_class* klass = find_class(facts.class_id);
  if (__builtin_expect(klass == nullptr, 0)) {
    const KeptErrno kept;
    try {
      klass = intern_class(facts.class_id);
    } catch (...) {
      return;
    }
  }
  const auto callback =
      reinterpret_cast<oriel_gc_allocation_cb>(const_cast<void*>(target->code.load(std::memory_order_acquire)));
  callback(target->profiler, klass, facts.size, reinterpret_cast<oriel_object*>(object), site);
}

}  // namespace oriel::coreclr
