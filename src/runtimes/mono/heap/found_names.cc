#include "runtimes/mono/heap/found_names.h"

#include <string>
#include <string_view>
#include <unordered_map>

#include "base/text/utf16.h"
#include "engine/engine.h"
#include "engine/things/code_map.h"
#include "runtimes/mono/functions.h"
#include "runtimes/mono/heap/field_names.h"
#include "runtimes/mono/things.h"
#include "runtimes/mono/unload_gate.h"

namespace oriel::mono {
namespace {

class Naming {
 public:
  Naming(const FoundHeap& found, const RootRegister& roots, uint32_t unloads, Runtime& runtime, OwnedHeap& heap)
      : found_(found),
        roots_before_(roots),
        roots_now_(registered_roots()),
        unloads_(unloads),
        runtime_(runtime),
        heap_(heap) {}

  void name_all() {
    heap_.all_slots.reserve(found_.offsets_count);  // types point into these
    heap_.all_values.reserve(found_.types_count);
    for (uint32_t i = 0; i < found_.types_count; ++i) add_type(found_.types[i]);
    for (uint32_t i = 0; i < found_.roots_count; ++i) add_root(found_.roots[i]);
    for (uint32_t i = 0; i < found_.texts_count; ++i) {
      const TextOnHeap& text = found_.texts[i];
      heap_.all_texts.push_back({text.object, kept(utf8_of(std::u16string_view(text.text, text.units)))});
    }
  }

  bool any_unknown() const { return any_unknown_; }

 private:
  void add_type(const TypeOnHeap& found) {
    auto* const klass = reinterpret_cast<MonoClass*>(found.table);
    const Asking asking;
    const bool may = may_ask_about_all(asking);
    oriel_heap_type type{};
    type.klass = may ? record_of(klass) : find_class(found.table);
    type.objects = found.objects;
    type.bytes = found.bytes;
    type.base_size = found.base_size;
    type.element_size = found.element_size;
    type.made_of = "";
    FieldNames names;
    if (may && found.slots != 0) names = instance_fields(klass);
    if (may && found.element_slots != 0) names = element_fields(klass);
    const uint32_t* const offsets = found_.offsets + found.first_offset;
    type.slots = type.element_slots = heap_.all_slots.data() + heap_.all_slots.size();
    type.slot_count = found.slots;
    type.element_slot_count = found.element_slots;
    for (uint32_t i = 0; i < found.slots + found.element_slots; ++i)
      heap_.all_slots.push_back({offsets[i], kept(field_at(names, offsets[i]))});
    if (may && api.mono_class_is_valuetype(klass)) type.kind = ORIEL_HEAP_BOX;
    type.values = heap_.all_values.data() + heap_.all_values.size();
    type.value_count = found_.has_values && has_contents(found) ? 1 : 0;
    if (type.value_count != 0) heap_.all_values.push_back(ORIEL_HEAP_CONTENTS);
    heap_.all_types.push_back(type);
  }

  void add_root(const RootOnHeap& found) {
    oriel_heap_root root{found.kind, found.object, found.holder, nullptr, nullptr, ""};
    if (found.kind == ORIEL_HEAP_STACK) {
      root.thread = oriel_thread_by_os_id(found.thread);
      if (root.thread != nullptr && root.thread->tool.load()) return;  // Oriel's own
      root.method = method_at(found.place);
    }
    if (found.kind == ORIEL_HEAP_NATIVE && !describe_place(found.place, root)) return;
    heap_.all_roots.push_back(root);
  }

  // False if it is no root of its own.
  bool describe_place(uintptr_t place, oriel_heap_root& root) {
    const RegisteredRoot* its = root_at(roots_before_, place);
    if (its == nullptr) its = root_at(roots_now_, place);
    if (its == nullptr) return true;
    root.kind = kind_of(*its);
    switch (its->source) {
      case RootSource::kStack:      // the walk has looked at stacks itself
      case RootSource::kEphemeron:  // likewise, with their keys
        return false;
      case RootSource::kThreadStatic:
      case RootSource::kHandleStack:
        root.thread = find_thread(its->key);
        return true;
      case RootSource::kStatic:
        root.name = static_name(*its, place);
        return true;
      default:
        if (root.kind == ORIEL_HEAP_NATIVE) root.name = kept(its->name);
        return true;
    }
  }

  static oriel_heap_root_kind kind_of(const RegisteredRoot& root) {
    switch (root.source) {
      case RootSource::kStatic:
        return ORIEL_HEAP_STATIC;
      case RootSource::kThreadStatic:
        return ORIEL_HEAP_THREAD_STATIC;
      case RootSource::kHandleStack:
        return ORIEL_HEAP_STACK;
      case RootSource::kFinalizerQueue:
        return ORIEL_HEAP_FINALIZER;
      case RootSource::kHandle:
        return is_pinning(root) ? ORIEL_HEAP_PINNED_HANDLE : ORIEL_HEAP_STRONG_HANDLE;
      case RootSource::kToggleRef:
        return ORIEL_HEAP_STRONG_HANDLE;
      default:
        return ORIEL_HEAP_NATIVE;
    }
  }

  struct Statics {
    std::string klass;
    FieldNames fields;
  };

  const char* static_name(const RegisteredRoot& root, uintptr_t place) {
    const Statics& its = statics_of(root.key);
    const auto& all = root_at(roots_before_, place) == &root ? roots_before_ : roots_now_;
    const uintptr_t start = std::prev(all.upper_bound(place))->first;
    const std::string field = field_at(its.fields, place - start);
    return field.empty() ? kept(its.klass) : kept(its.klass + "." + field);
  }

  // By the class's method table in its domain.
  const Statics& statics_of(uintptr_t table) {
    const auto [at, is_new] = statics_.try_emplace(table);
    if (!is_new) return at->second;
    oriel_class* record = nullptr;
    {
      const Asking asking;
      if (!may_ask_about_all(asking)) return at->second;
      MonoClass* const klass = api.mono_vtable_class(reinterpret_cast<MonoVTable*>(table));
      if (!klass) return at->second;
      at->second.fields = static_fields(klass);
      record = record_of(klass);
    }
    ensure_described(*record);
    at->second.klass = record->name;
    return at->second;
  }

  oriel_method* method_at(uintptr_t address) {
    if (address == 0) return nullptr;
    const auto [at, is_new] = methods_.try_emplace(address, nullptr);
    if (!is_new) return at->second;
    CodeRange range;
    uintptr_t start = 0;
    size_t size = 0;
    const CodeMap::Answer answer = code_map().find(address, heap_.counter, range);
    if (answer == CodeMap::Answer::kFound) at->second = range.method;
    if (answer == CodeMap::Answer::kUnknown) at->second = runtime_.method_at(address, &start, &size);
    return at->second;
  }

  // After an unload, a class's address may be another's.
  bool may_ask_about_all(const Asking& asking) {
    const bool may = !asking.any_is_going() && unload::begun_so_far() == unloads_;
    any_unknown_ = any_unknown_ || !may;
    return may;
  }

  const char* kept(const std::string& text) {
    if (text.empty()) return "";
    const auto [at, is_new] = texts_.try_emplace(text, nullptr);
    if (is_new) at->second = heap_.kept_texts.emplace_back(text).c_str();
    return at->second;
  }

  const FoundHeap& found_;
  const RootRegister& roots_before_;
  const RootRegister roots_now_;
  const uint32_t unloads_;
  Runtime& runtime_;
  OwnedHeap& heap_;
  bool any_unknown_ = false;
  std::unordered_map<std::string, const char*> texts_;
  std::unordered_map<uintptr_t, oriel_method*> methods_;
  std::unordered_map<uintptr_t, Statics> statics_;
};

}  // namespace

void name_found(const FoundHeap& found, const RootRegister& roots, uint32_t unloads, Runtime& runtime,
                OwnedHeap& heap) {
  heap.objects = found.objects;
  heap.bytes = found.bytes;
  heap.slots = found.slots;
  Naming naming(found, roots, unloads, runtime, heap);
  naming.name_all();
  if (found.roots_missing)
    heap.why_missing = "what keeps objects alive on stacks, as the process's memory could not be looked through";
  if (found.roots_cut) heap.why_missing = "some of what keeps objects alive, as there is too much of it";
  if (naming.any_unknown()) heap.why_missing = "names of some types, as an assembly was unloaded meanwhile";
}

}  // namespace oriel::mono
