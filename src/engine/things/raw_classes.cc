// Classes as in the metadata (oriel/code.h).
#include <cstdio>
#include <string>

#include "engine/engine.h"
#include "engine/lifecycle.h"
#include "engine/or_else.h"
#include "oriel/code.h"

namespace oriel {
namespace {

// The result of ask(runtime) about a thing that is loaded.
template <typename Value, typename Thing, typename Ask>
Value asked_about(const Thing* thing, Ask ask) {
  return or_else(Value{}, [&]() -> Value {
    Runtime* const runtime = runtime_to_ask();
    return runtime && thing && !thing->unloaded.load(std::memory_order_acquire) ? ask(*runtime) : Value{};
  });
}

}  // namespace
}  // namespace oriel

size_t oriel_class_raw_name(oriel_class* klass, char* text, size_t size) {
  if (text && size > 0) text[0] = '\0';
  return oriel::asked_about<size_t>(klass, [&](oriel::Runtime& runtime) {
    const std::string name = runtime.raw_name(*klass);
    if (text) std::snprintf(text, size, "%s", name.c_str());
    return name.size();
  });
}

oriel_class* oriel_class_element(oriel_class* klass) {
  return oriel::asked_about<oriel_class*>(klass, [&](oriel::Runtime& runtime) { return runtime.element_of(*klass); });
}

oriel_class* oriel_method_declaring_class(oriel_method* method) {
  return oriel::asked_about<oriel_class*>(method,
                                          [&](oriel::Runtime& runtime) { return runtime.declaring_class(*method); });
}
