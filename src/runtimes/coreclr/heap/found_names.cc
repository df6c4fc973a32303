#include "runtimes/coreclr/heap/found_names.h"

#include <unordered_map>

#include "engine/engine.h"
#include "runtimes/coreclr/heap/field_names.h"
#include "runtimes/coreclr/names/things.h"

namespace oriel::coreclr {
namespace {

class Namer {
 public:
  Namer(const Names& names, Runtime& runtime, uint32_t unloads, OwnedHeap& heap)
      : names_(names), runtime_(runtime), unloads_(unloads), heap_(heap) {}

  oriel_heap_type type(const TypeOnHeap& found, const uint32_t* offsets) {
    const Held held;
    const bool may_ask = may_ask_about_all(held);
    oriel_class* const klass = may_ask ? class_of_id(names_.info, found.table) : find_class(found.table);
    std::map<uint32_t, std::string> fields, elements;
    if (may_ask && found.slots != 0) fields = instance_fields(names_, held, found.table);
    if (may_ask && found.element_slots != 0) elements = element_fields(names_, held, found.table);
    const size_t first = heap_.all_slots.size();
    for (uint32_t i = 0; i < found.slots; ++i) add_slot(fields, offsets[i]);
    for (uint32_t i = 0; i < found.element_slots; ++i) add_slot(elements, offsets[found.slots + i]);
    const oriel_heap_slot* const slots = heap_.all_slots.data() + first;
    return {klass, found.objects, found.bytes,         found.base_size,    found.element_size,
            slots, found.slots,   slots + found.slots, found.element_slots};
  }

  void root(const RootOnHeap& found) {
    oriel_heap_root root{found.kind, found.object, found.holder, nullptr, nullptr, ""};
    if (found.kind == ORIEL_HEAP_STACK) {
      root.thread = oriel_thread_by_os_id(found.thread);
      if (root.thread != nullptr && root.thread->tool.load()) return;  // Oriel's own
      root.method = method_at(found.place);
    }
    if (found.kind == ORIEL_HEAP_STATIC && found.table != 0) root.name = static_name(found);
    heap_.all_roots.push_back(root);
  }

  bool any_unknown() const { return any_unknown_; }

 private:
  // After an unload has begun, a type's address may be another's.
  bool may_ask_about_all(const Held& held) {
    const bool may = held.unloads_begun() == unloads_;
    any_unknown_ = any_unknown_ || !may;
    return may;
  }

  void add_slot(const std::map<uint32_t, std::string>& fields, uint32_t offset) {
    heap_.all_slots.push_back({offset, kept(field_at(fields, offset))});
  }

  const char* kept(const std::string& text) {
    if (text.empty()) return "";
    const auto [at, is_new] = texts_.try_emplace(text, nullptr);
    if (is_new) at->second = heap_.texts.emplace_back(text).c_str();
    return at->second;
  }

  oriel_method* method_at(uintptr_t address) {
    if (address == 0) return nullptr;
    const auto [at, is_new] = methods_.try_emplace(address, nullptr);
    uintptr_t start = 0;
    size_t size = 0;
    if (is_new) at->second = runtime_.method_at(address, &start, &size);
    return at->second;
  }

  // Fields of one class follow one another.
  const char* static_name(const RootOnHeap& found) {
    if (found.table != statics_of_) {
      const Held held;
      statics_of_ = found.table;
      statics_.clear();
      class_name_.clear();
      if (may_ask_about_all(held)) {
        statics_ = static_fields(names_, held, found.table);
        class_name_ = class_text(names_, found.table, metadata::Style::kFull);
      }
    }
    const auto field = statics_.find(found.place);
    return field == statics_.end() ? "" : kept(class_name_ + "." + field->second);
  }

  const Names& names_;
  Runtime& runtime_;
  const uint32_t unloads_;
  OwnedHeap& heap_;
  bool any_unknown_ = false;
  std::unordered_map<std::string, const char*> texts_;
  std::unordered_map<uintptr_t, oriel_method*> methods_;
  uintptr_t statics_of_ = 0;
  std::map<uintptr_t, std::string> statics_;
  std::string class_name_;
};

}  // namespace

void name_found(const Names& names, Runtime& runtime, const FoundHeap& found, uint32_t unloads, OwnedHeap& heap) {
  heap.objects = found.objects;
  heap.bytes = found.bytes;
  heap.slots = found.slots;
  heap.all_slots.reserve(found.offsets_count);  // types point into it
  Namer namer(names, runtime, unloads, heap);
  for (uint32_t i = 0; i < found.types_count; ++i)
    heap.all_types.push_back(namer.type(found.types[i], found.offsets + found.types[i].first_offset));
  for (uint32_t i = 0; i < found.roots_count; ++i) namer.root(found.roots[i]);
  if (found.roots_missing)
    heap.why_missing = "what keeps objects alive, as the process's memory could not be looked through";
  if (found.roots_cut) heap.why_missing = "some of what keeps objects alive, as there is too much of it";
  if (namer.any_unknown()) heap.why_missing = "names of some types, as an assembly was unloaded meanwhile";
}

}  // namespace oriel::coreclr
