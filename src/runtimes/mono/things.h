// The engine's records of Mono's things.
#pragma once

#include <atomic>
#include <cstdint>

#include "engine/engine.h"
#include "runtimes/mono/functions.h"

namespace oriel::mono {

template <typename Id>
Id* id_of(const Entity& thing) {
  return reinterpret_cast<Id*>(thing.runtime_id);
}

inline oriel_domain* record_of(MonoDomain* domain) { return intern_domain(reinterpret_cast<uintptr_t>(domain)); }
inline oriel_assembly* record_of(MonoAssembly* assembly) {
  return intern_assembly(reinterpret_cast<uintptr_t>(assembly));
}
inline oriel_image* record_of(MonoImage* image) { return intern_image(reinterpret_cast<uintptr_t>(image)); }

// nullptr for nullptr. Not while the world is stopped.
oriel_class* record_of(MonoClass* klass);
oriel_method* record_of(MonoMethod* method);

// Whether an object begins with the address of its method table, and that with the address of its class. Mono takes
// longer to answer than to allocate an object, so it is asked once.
enum class Layout : uint8_t { kUnknown, kKnown, kOther };
inline constinit std::atomic<Layout> object_layout{Layout::kUnknown};
MonoClass* class_by_question(MonoObject* object);

// nullptr for nullptr. Not of an object that a collection is at.
inline MonoClass* class_of(MonoObject* object) {
  if (object && object_layout.load(std::memory_order_relaxed) == Layout::kKnown)
    return **reinterpret_cast<MonoClass***>(object);
  return class_by_question(object);
}
inline oriel_object* object_of(MonoObject* object) { return reinterpret_cast<oriel_object*>(object); }

}  // namespace oriel::mono
