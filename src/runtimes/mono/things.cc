#include "runtimes/mono/things.h"

namespace oriel::mono {

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
