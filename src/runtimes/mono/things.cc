#include "runtimes/mono/things.h"

#include <atomic>
#include <vector>

#include "runtimes/mono/generic_arguments.h"

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

// The engine forgets a record when its image is unloaded, or one that it is made of.
oriel_class* record_of(MonoClass* klass) {
  const auto id = reinterpret_cast<uintptr_t>(klass);
  if (id == 0) return nullptr;
  if (oriel_class* const known = find_class(id)) return known;
  MonoImage* const image = api.mono_class_get_image(klass);
  const std::vector<MonoImage*> behind = images_behind(klass);
  oriel_class* const made = intern_class(id, image ? record_of(image) : nullptr, api.mono_class_get_type_token(klass));
  for (MonoImage* const it : behind) made_of(*made, *record_of(it));
  return made;
}

oriel_method* record_of(MonoMethod* method) {
  const auto id = reinterpret_cast<uintptr_t>(method);
  if (id == 0) return nullptr;
  if (oriel_method* const known = find_method(id)) return known;
  MonoImage* const image = api.mono_class_get_image(api.mono_method_get_class(method));
  const std::vector<MonoImage*> behind = images_behind(method);
  oriel_method* const made = intern_method(id, image ? record_of(image) : nullptr, api.mono_method_get_token(method));
  for (MonoImage* const it : behind) made_of(*made, *record_of(it));
  return made;
}

}  // namespace oriel::mono
