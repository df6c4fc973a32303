// Objects that collections move and find, handles to them, and objects that wait for a finalizer. Managed threads may
// be stopped here, so nothing asks the runtime for names.
#include "engine/engine.h"
#include "runtimes/coreclr/callbacks/callback.h"
#include "runtimes/coreclr/names/objects.h"
#include "runtimes/coreclr/object_pins.h"

namespace oriel::coreclr {
namespace {

const void* address(uintptr_t value) { return reinterpret_cast<const void*>(value); }

// The object's class, which is described later. nullptr if there is no object, or if it is still being created.
oriel_class* class_of_live(ObjectID object) {
  const bool has_class = object != 0 && *reinterpret_cast<const uintptr_t*>(object) != 0;
  return has_class ? intern_class(object_facts(object).class_id) : nullptr;
}

// corprof.idl: COR_PRF_GC_ROOT_KIND.
oriel_gc_roots kind_of(uint32_t kind) {
  switch (kind) {
    case 1:
      return ORIEL_GC_ROOTS_STACKS;
    case 2:
      return ORIEL_GC_ROOTS_FINALIZER_QUEUE;
    case 3:
      return ORIEL_GC_ROOTS_HANDLES;
    default:
      return ORIEL_GC_ROOTS_OTHER;
  }
}

}  // namespace

HResult Callback::MovedReferences2(uint32_t count, ObjectID* from, ObjectID* to, size_t* sizes) {
  return guarded([&] {
    if (!is_wanted(oriel_event_gc_moves)) return;
    for (uint32_t i = 0; i < count; ++i)
      if (from[i] != to[i]) raise_gc_moves(address(from[i]), address(to[i]), sizes[i]);
  });
}

HResult Callback::RootReferences2(uint32_t count, ObjectID* objects, uint32_t* kinds, uint32_t* flags, uintptr_t* ids) {
  constexpr uint32_t kPinning = 1, kWeak = 2;  // corprof.idl: COR_PRF_GC_ROOT_FLAGS
  return guarded([&] {
    if (!is_wanted(oriel_event_gc_root)) return;
    for (uint32_t i = 0; i < count; ++i) {
      const oriel_gc_roots kind = kind_of(kinds[i]);
      oriel_method* const method = kind == ORIEL_GC_ROOTS_STACKS ? find_method(ids[i]) : nullptr;
      const uintptr_t handle = kind == ORIEL_GC_ROOTS_HANDLES ? ids[i] : 0;
      if (objects[i] != 0)
        raise_gc_root(address(objects[i]), kind, (flags[i] & kPinning) != 0, (flags[i] & kWeak) != 0, method,
                      address(handle));
    }
  });
}

HResult Callback::HandleCreated(uintptr_t handle, ObjectID object) {
  return guarded([&] {
    if (is_wanted(oriel_event_gc_handle_created) && !is_pinning())
      raise_gc_handle_created(address(handle), class_of_live(object));
  });
}

HResult Callback::HandleDestroyed(uintptr_t handle) {
  return guarded([&] {
    if (!is_pinning()) raise_gc_handle_deleted(address(handle));
  });
}

HResult Callback::FinalizeableObjectQueued(uint32_t flags, ObjectID object) {
  constexpr uint32_t kCritical = 1;  // corprof.idl: COR_PRF_FINALIZER_CRITICAL
  return guarded([&] {
    if (is_wanted(oriel_event_gc_finalize_queued))
      raise_gc_finalize_queued(class_of_live(object), (flags & kCritical) != 0);
  });
}

}  // namespace oriel::coreclr
