#include "runtimes/mono/things.h"

#include <atomic>

namespace oriel::mono {
namespace {

// Whether an object begins with the address of its method table, and that with the address of its class.
enum class Layout : uint8_t { kUnknown, kKnown, kOther };
constinit std::atomic<Layout> layout{Layout::kUnknown};

MonoClass* class_in(MonoObject* object) { return **reinterpret_cast<MonoClass***>(object); }

}  // namespace

// Mono takes longer to answer than to allocate an object, so it is asked once whether the layout is the usual one.
MonoClass* class_of(MonoObject* object) {
  if (!object) return nullptr;
  const Layout is = layout.load(std::memory_order_relaxed);
  if (is == Layout::kKnown) return class_in(object);
  MonoClass* const told = api.mono_object_get_class(object);
  if (is == Layout::kUnknown) layout.store(told == class_in(object) ? Layout::kKnown : Layout::kOther);
  return told;
}

// With its image and token the engine forgets a record when the image is unloaded.
oriel_class* record_of(MonoClass* klass) {
  const auto id = reinterpret_cast<uintptr_t>(klass);
  if (id == 0) return nullptr;
  if (oriel_class* const known = find_class(id)) return known;
  MonoImage* const image = api.mono_class_get_image(klass);
  return intern_class(id, image ? record_of(image) : nullptr, api.mono_class_get_type_token(klass));
}

oriel_method* record_of(MonoMethod* method) {
  const auto id = reinterpret_cast<uintptr_t>(method);
  if (id == 0) return nullptr;
  if (oriel_method* const known = find_method(id)) return known;
  MonoImage* const image = api.mono_class_get_image(api.mono_method_get_class(method));
  return intern_method(id, image ? record_of(image) : nullptr, api.mono_method_get_token(method));
}

}  // namespace oriel::mono
