// The functions of Mono's metadata API that profiler modules call: names, owners, code.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "mono_modules/code_table.h"
#include "mono_modules/known_names.h"
#include "mono_modules/mono_api.h"
#include "mono_modules/mono_names.h"
#include "mono_modules/undying_table.h"
#include "oriel/code.h"

namespace oriel::mono_modules {
namespace {

// What was found out about things, kept as long as the process, as what Mono gives is. Handlers of samples find what is
// known, and make nothing.
template <typename Value>
class Kept {
 public:
  // Made by `make`, without the lock, when it is first asked for. nullptr without memory, and in a handler if it is not
  // known yet.
  template <typename Make>
  const Value* of(const void* thing, Make make) {
    if (const Value* const known = find(thing)) return known;
    if (in_sample_handler()) return nullptr;
    try {
      auto made = std::make_unique<Entry>(Entry{thing, make(), nullptr});
      const std::lock_guard guard(adding_);
      if (const Value* const known = find(thing)) return known;
      entries_.add(reinterpret_cast<uintptr_t>(thing), made.get());
      return &made.release()->value;
    } catch (const std::exception&) {
      return nullptr;
    }
  }

 private:
  struct Entry {
    const void* thing;
    Value value;
    Entry* before;
  };
  const Value* find(const void* thing) const {
    const Entry* entry = entries_.of(reinterpret_cast<uintptr_t>(thing));
    while (entry && entry->thing != thing) entry = entry->before;
    return entry ? &entry->value : nullptr;
  }

  std::mutex adding_;
  UndyingTable<Entry, 12> entries_;
};

template <typename Value>
constinit Undying<Kept<Value>> undying;

template <typename Value>
Kept<Value>& kept() {
  return undying<Value>.value;
}

struct ClassNames {
  std::string raw;
  std::string own;
  std::string name_space;
};

// As in the metadata; of a class that is gone what is still known of it.
std::string raw_name(MonoClass* klass) {
  std::string name(oriel_class_raw_name(klass, nullptr, 0), '\0');
  if (name.empty()) return oriel_class_name(klass);
  name.resize(std::min(name.size(), oriel_class_raw_name(klass, name.data(), name.size() + 1)));
  return name;
}

const ClassNames* names_of(MonoClass* klass) {
  return kept<ClassNames>().of(klass, [&] {
    std::string raw = raw_name(klass);
    std::string own = own_class_name(raw), name_space(class_namespace(raw));
    return ClassNames{std::move(raw), std::move(own), std::move(name_space)};
  });
}

}  // namespace

MONO_API void mono_free(void* text) { std::free(text); }

// The class that declares it; NULL for a dynamic method.
MONO_API MonoClass* mono_method_get_class(MonoMethod* method) {
  MonoClass* const* const klass = kept<MonoClass*>().of(method, [&] { return oriel_method_declaring_class(method); });
  return klass && *klass ? *klass : oriel_method_class(method);
}

namespace {
const MethodNames* names_of(MonoMethod* method) {
  return kept<MethodNames>().of(method, [&] {
    MonoClass* const klass = mono_method_get_class(method);
    const ClassNames* const of_class = klass ? names_of(klass) : nullptr;
    return method_names(oriel_method_raw_name(method), of_class ? of_class->raw : "");
  });
}
}  // namespace

void learn_names(MonoMethod* method) { names_of(method); }

// "Shop.Cart:Add (string,int)", or without the parameters. To be freed by mono_free; NULL without memory, and in a
// handler of samples, which may not allocate.
MONO_API char* mono_method_full_name(MonoMethod* method, Bool with_parameters) {
  if (in_sample_handler()) return nullptr;
  const MethodNames* const names = names_of(method);
  if (!names) return nullptr;
  return strdup((with_parameters ? names->with_parameters : names->full).c_str());
}
MONO_API const char* mono_method_get_name(MonoMethod* method) {
  const MethodNames* const names = names_of(method);
  return names ? names->own.c_str() : "";
}
MONO_API uint32_t mono_method_get_token(MonoMethod* method) { return oriel_method_token(method); }

MONO_API const char* mono_class_get_name(MonoClass* klass) {
  const ClassNames* const names = names_of(klass);
  return names ? names->own.c_str() : "";
}
MONO_API const char* mono_class_get_namespace(MonoClass* klass) {
  const ClassNames* const names = names_of(klass);
  return names ? names->name_space.c_str() : "";
}
// Of an array that of its elements.
MONO_API MonoImage* mono_class_get_image(MonoClass* klass) {
  while (klass) {
    if (MonoImage* const image = oriel_class_image(klass)) return image;
    klass = oriel_class_element(klass);
  }
  return nullptr;
}

MONO_API const char* mono_image_get_name(MonoImage* image) { return oriel_assembly_name(oriel_image_assembly(image)); }
MONO_API const char* mono_image_get_filename(MonoImage* image) { return oriel_image_path(image); }
MONO_API MonoAssembly* mono_image_get_assembly(MonoImage* image) { return oriel_image_assembly(image); }

MONO_API MonoClass* mono_object_get_class(MonoObject* object) { return oriel_object_class(object); }

MONO_API MonoDomain* mono_get_root_domain() { return oriel_domain_by_id(1); }
MONO_API MonoDomain* mono_domain_get() { return oriel_domain_by_id(1); }
MONO_API const char* mono_domain_get_friendly_name(MonoDomain* domain) { return oriel_domain_name(domain); }

// Async-safe, as the three below, and as Mono's are where a profiler samples.
MONO_API Code* mono_jit_info_table_find(MonoDomain*, void* address) {
  return code_table().find(reinterpret_cast<uintptr_t>(address));
}
MONO_API MonoMethod* mono_jit_info_get_method(const Code* code) { return code->method; }
MONO_API void* mono_jit_info_get_code_start(const Code* code) { return reinterpret_cast<void*>(code->start); }
MONO_API int mono_jit_info_get_code_size(const Code* code) { return static_cast<int>(code->size); }

// Walks a sample's stack, whose context is that of sample_hit, until `take` returns true.
MONO_API void mono_stack_walk_async_safe(Bool (*take)(MonoMethod*, MonoDomain*, void* start, int offset, void* data),
                                         void* context, void* data) {
  constexpr size_t kMost = 512;
  uintptr_t frames[kMost];
  bool truncated = false;
  const size_t count = oriel_stack_walk_async_safe(context, frames, kMost, &truncated);
  for (size_t i = 0; i < count; ++i) {
    const Code* const code = code_table().find(frames[i]);
    if (!code) continue;
    const int offset = static_cast<int>(frames[i] - code->start);
    if (take(code->method, oriel_domain_by_id(1), reinterpret_cast<void*>(code->start), offset, data)) return;
  }
}

}  // namespace oriel::mono_modules
