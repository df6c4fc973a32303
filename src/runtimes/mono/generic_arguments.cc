#include "runtimes/mono/generic_arguments.h"

#include <algorithm>
#include <utility>

#include "base/text/element.h"
#include "runtimes/mono/functions.h"

// As in Mono 6, which exports functions that return these, but none that reads them.
struct MonoGenericContext {
  struct Arguments {
    int32_t id;
    uint32_t count : 22;
    uint32_t is_open : 1;
    MonoType* types[1];  // `count`
  };
  Arguments* of_class;
  Arguments* of_method;
};

namespace oriel::mono {
namespace {

constexpr int kMostDepth = 32;

class Images {
 public:
  void add(MonoClass* klass, int depth) {
    if (!klass || depth > kMostDepth) return;
    if (MonoImage* const image = api.mono_class_get_image(klass);
        image && std::ranges::find(found_, image) == found_.end())
      found_.push_back(image);
    switch (static_cast<Element>(api.mono_type_get_type(api.mono_class_get_type(klass)))) {
      case Element::kGenericInst:
        return add(api.mono_class_get_context(klass), depth);
      case Element::kSzArray:
      case Element::kArray:
      case Element::kPointer:
        return add(api.mono_class_get_element_class(klass), depth + 1);
      default:
        return;
    }
  }

  void add(const MonoGenericContext* context, int depth) {
    if (!context) return;
    for (const MonoGenericContext::Arguments* const given : {context->of_class, context->of_method})
      for (uint32_t i = 0; given && i < given->count; ++i)
        add(api.mono_class_from_mono_type(given->types[i]), depth + 1);
  }

  std::vector<MonoImage*> take() { return std::move(found_); }

 private:
  std::vector<MonoImage*> found_;
};

}  // namespace

std::vector<MonoImage*> images_behind(MonoClass* klass) {
  Images images;
  images.add(klass, 0);
  return images.take();
}

std::vector<MonoImage*> images_behind(MonoMethod* method) {
  Images images;
  images.add(api.mono_method_get_class(method), 0);
  images.add(api.mono_method_get_context(method), 0);
  return images.take();
}

}  // namespace oriel::mono
