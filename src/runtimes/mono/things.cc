#include "runtimes/mono/things.h"

#include <vector>

#include "runtimes/mono/generic_arguments.h"

namespace oriel::mono {

MonoClass* class_by_question(MonoObject* object) {
  if (!object) return nullptr;
  MonoClass* const told = api.mono_object_get_class(object);
  const bool is_usual = told == **reinterpret_cast<MonoClass***>(object);
  if (object_layout.load(std::memory_order_relaxed) == Layout::kUnknown)
    object_layout.store(is_usual ? Layout::kKnown : Layout::kOther);
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
