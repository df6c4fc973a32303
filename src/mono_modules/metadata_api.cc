// The functions of Mono's metadata API that profiler modules call: names, owners, code.
#include <cstdlib>
#include <cstring>
#include <exception>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "mono_modules/code_table.h"
#include "mono_modules/mono_api.h"

namespace oriel::mono_modules {
namespace {

// "Add" of "Add<int>(string)", ".ctor" of ".ctor()".
std::string_view bare_name(std::string_view name) { return name.substr(0, name.find_first_of("(<", 1)); }

// Where the last part of "Namespace.Outer.Inner<System.Int32>" begins.
size_t last_part(std::string_view name) {
  const size_t dot = name.substr(0, name.find('<')).rfind('.');
  return dot == name.npos ? 0 : dot + 1;
}

// Parts of names by what they are of, kept as long as the process, as Mono's are.
class Parts {
 public:
  // "" without memory.
  const char* of(const void* thing, std::string_view part) {
    try {
      const std::lock_guard guard(lock_);
      return parts_.try_emplace(thing, part).first->second.c_str();
    } catch (const std::exception&) {
      return "";
    }
  }

 private:
  std::mutex lock_;
  std::unordered_map<const void*, std::string> parts_;
};

// Never destroyed: threads may ask while the process ends.
Parts& method_names() {
  static auto* const made = new Parts;
  return *made;
}
Parts& namespaces() {
  static auto* const made = new Parts;
  return *made;
}

// "(string, int)" of "Shop.Cart.Add(string, int)".
std::string_view parameters(std::string_view name) {
  const size_t open = name.find('(');
  return open == name.npos ? std::string_view("()") : name.substr(open);
}

}  // namespace

MONO_API void mono_free(void* text) { std::free(text); }

// "Shop.Cart:Add (string, int)", or without the parameters. To be freed by mono_free; NULL without memory.
MONO_API char* mono_method_full_name(MonoMethod* method, Bool with_parameters) try {
  MonoClass* const klass = oriel_method_class(method);
  const std::string_view name = oriel_method_short_name(method);
  std::string text = klass ? oriel_class_name(klass) : "";
  text.append(":").append(name.substr(0, name.find('(')));
  if (with_parameters) text.append(" ").append(parameters(name));
  return strdup(text.c_str());
} catch (const std::exception&) {
  return nullptr;
}
MONO_API const char* mono_method_get_name(MonoMethod* method) {
  return method_names().of(method, bare_name(oriel_method_short_name(method)));
}
MONO_API MonoClass* mono_method_get_class(MonoMethod* method) { return oriel_method_class(method); }
MONO_API uint32_t mono_method_get_token(MonoMethod* method) { return oriel_method_token(method); }

MONO_API const char* mono_class_get_name(MonoClass* klass) {
  const std::string_view name = oriel_class_name(klass);
  return name.data() + last_part(name);
}
// Of a nested class also the classes around it.
MONO_API const char* mono_class_get_namespace(MonoClass* klass) {
  const std::string_view name = oriel_class_name(klass);
  const size_t last = last_part(name);
  return last == 0 ? "" : namespaces().of(klass, name.substr(0, last - 1));
}
MONO_API MonoImage* mono_class_get_image(MonoClass* klass) { return oriel_class_image(klass); }

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
