#include "runtimes/coreclr/heap/found_names.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/text/utf16.h"
#include "engine/engine.h"
#include "runtimes/coreclr/heap/field_names.h"
#include "runtimes/coreclr/heap/known_types.h"
#include "runtimes/coreclr/names/things.h"

namespace oriel::coreclr {

class FoundNames::State {
 public:
  State(const Names& names, Runtime& runtime, FoundHeap& found, uint32_t unloads, OwnedHeap& heap)
      : names_(names), runtime_(runtime), found_(found), unloads_(unloads), heap_(heap), known_types_(names) {}

  bool all_types_named() const { return heap_.all_types.size() == found_.types_count; }

  void next_type() {
    constexpr size_t kMostValues = 4;
    if (heap_.all_types.empty()) {  // types point into these
      heap_.all_slots.reserve(found_.offsets_count);
      heap_.all_values.reserve(kMostValues * found_.types_count);
    }
    const size_t index = heap_.all_types.size();
    const TypeOnHeap& found = found_.types[index];
    const uint32_t* const offsets = found_.offsets + found.first_offset;
    const Held held;
    const bool may_ask = may_ask_about_all(held);
    oriel_heap_type type{};
    type.klass = may_ask ? class_of_id(names_.info, found.table) : find_class(found.table);
    type.objects = found.objects;
    type.bytes = found.bytes;
    type.base_size = found.base_size;
    type.element_size = found.element_size;
    std::map<uint32_t, std::string> fields, elements;
    if (may_ask && found.slots != 0) fields = instance_fields(names_, held, found.table);
    if (may_ask && found.element_slots != 0) elements = element_fields(names_, held, found.table);
    type.slots = heap_.all_slots.data() + heap_.all_slots.size();
    type.slot_count = found.slots;
    for (uint32_t i = 0; i < found.slots; ++i) add_slot(fields, offsets[i]);
    type.element_slots = heap_.all_slots.data() + heap_.all_slots.size();
    type.element_slot_count = found.element_slots;
    for (uint32_t i = 0; i < found.element_slots; ++i) add_slot(elements, offsets[found.slots + i]);
    KnownType known;
    if (may_ask && found.element_size == 0) known = known_types_.of(held, found.table, fields);
    type.kind = known.kind;
    type.storage = known.storage;
    type.made_of = kept(known.made_of);
    add_values(found, known, found_.places_of[index], type);
    heap_.all_types.push_back(type);
  }

  void name_roots_and_texts() {
    for (uint32_t i = 0; i < found_.roots_count; ++i) root(found_.roots[i]);
    for (uint32_t i = 0; i < found_.texts_count; ++i) {
      const TextOnHeap& text = found_.texts[i];
      heap_.all_texts.push_back({text.object, kept(utf8_of(std::u16string_view(text.text, text.units)))});
    }
  }

  // Without places there are only contents, which come first.
  void keep_values_that_were_read() {
    if (found_.has_places) return;
    for (size_t i = 0; i < heap_.all_types.size(); ++i)
      heap_.all_types[i].value_count = found_.has_values && has_contents(found_.types[i]) ? 1 : 0;
  }

  bool any_unknown() const { return any_unknown_; }

  FoundHeap& found() const { return found_; }
  OwnedHeap& heap() const { return heap_; }

 private:
  void root(const RootOnHeap& found) {
    oriel_heap_root root{found.kind, found.object, found.holder, nullptr, nullptr, ""};
    if (found.kind == ORIEL_HEAP_STACK) {
      root.thread = oriel_thread_by_os_id(found.thread);
      if (root.thread != nullptr && root.thread->tool.load()) return;  // Oriel's own
      root.method = method_at(found.place);
    }
    if (found.kind == ORIEL_HEAP_STATIC && found.table != 0) root.name = static_name(found);
    if (found.kind == ORIEL_HEAP_THREAD_STATIC) {
      if (found.thread != 0) root.thread = oriel_thread_by_os_id(found.thread);
      if (found.table != 0) root.name = thread_static_name(found);
    }
    heap_.all_roots.push_back(root);
  }

  // Contents come first, as the walk reads them by itself.
  void add_values(const TypeOnHeap& found, KnownType& known, PlacesOfType& places, oriel_heap_type& type) {
    constexpr uint32_t kFinalizerRun = 0x40000000;  // in an object's header (syncblk.h)
    constexpr int32_t kHeader = -4;
    type.values = heap_.all_values.data() + heap_.all_values.size();
    places.first = places_count_;
    const auto add = [&](oriel_heap_value what, int32_t offset, uint32_t mask) {
      if (places_count_ == FoundHeap::kMostPlaces) return;
      found_.places[places_count_++] = {offset, mask};
      heap_.all_values.push_back(what);
      ++places.count;
    };
    if (has_contents(found)) heap_.all_values.push_back(ORIEL_HEAP_CONTENTS);
    for (const KnownType::Value& value : known.values)
      if (value.offset + 2 * sizeof(uint32_t) + sizeof(uint32_t) <= found.base_size)
        add(value.what, static_cast<int32_t>(value.offset), value.mask);
    if (found.has_finalizer) add(ORIEL_HEAP_FINALIZED, kHeader, kFinalizerRun);
    type.value_count = static_cast<size_t>(heap_.all_values.data() + heap_.all_values.size() - type.values);
  }

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
    if (is_new) at->second = heap_.kept_texts.emplace_back(text).c_str();
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

  // Each thread has those of all classes, so they are kept by class.
  const char* thread_static_name(const RootOnHeap& found) {
    const auto [at, is_new] = thread_statics_.try_emplace(found.table);
    ThreadStaticsOfClass& its = at->second;
    if (is_new) {
      const Held held;
      if (may_ask_about_all(held)) {
        its.fields = thread_static_references(names_, held, found.table);
        its.name = class_text(names_, found.table, metadata::Style::kFull);
      }
    }
    if (found.place == 0 || found.place > its.fields.size()) return kept(its.name);
    return kept(its.name + "." + its.fields[its.fields.size() - found.place]);
  }

  const Names& names_;
  Runtime& runtime_;
  FoundHeap& found_;
  const uint32_t unloads_;
  OwnedHeap& heap_;
  KnownTypes known_types_;
  uint32_t places_count_ = 0;
  bool any_unknown_ = false;
  std::unordered_map<std::string, const char*> texts_;
  std::unordered_map<uintptr_t, oriel_method*> methods_;
  struct ThreadStaticsOfClass {
    std::string name;
    std::vector<std::string> fields;
  };
  std::unordered_map<uintptr_t, ThreadStaticsOfClass> thread_statics_;
  uintptr_t statics_of_ = 0;
  std::map<uintptr_t, std::string> statics_;
  std::string class_name_;
};

FoundNames::FoundNames(const Names& names, Runtime& runtime, FoundHeap& found, uint32_t unloads, OwnedHeap& heap)
    : state_(std::make_unique<State>(names, runtime, found, unloads, heap)) {}

FoundNames::~FoundNames() = default;

bool FoundNames::name_some_types() {
  constexpr int kSome = 16;
  FoundHeap& found = state_->found();
  if (!found.types_are_known.load(std::memory_order_acquire) || found.places_are_known.load()) return false;
  for (int i = 0; i < kSome && !state_->all_types_named(); ++i) state_->next_type();
  if (state_->all_types_named()) found.places_are_known.store(true, std::memory_order_release);
  return true;
}

void FoundNames::finish() {
  const FoundHeap& found = state_->found();
  OwnedHeap& heap = state_->heap();
  heap.objects = found.objects;
  heap.bytes = found.bytes;
  heap.slots = found.slots;
  while (!state_->all_types_named()) state_->next_type();
  state_->keep_values_that_were_read();
  state_->name_roots_and_texts();
  if (found.has_values && !found.has_places)
    heap.why_missing = "values of fields, as their types could not be named meanwhile";
  if (found.roots_missing)
    heap.why_missing = "what keeps objects alive, as the process's memory could not be looked through";
  if (found.roots_cut) heap.why_missing = "some of what keeps objects alive, as there is too much of it";
  if (state_->any_unknown()) heap.why_missing = "names of some types, as an assembly was unloaded meanwhile";
}

}  // namespace oriel::coreclr
