#include "runtimes/mono/heap/heap_walk.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>

#include "base/clock.h"
#include "engine/heap/stack_words.h"
#include "runtimes/mono/functions.h"
#include "runtimes/mono/things.h"

namespace oriel::mono {
namespace {

constexpr uintptr_t kWord = sizeof(uintptr_t);
constexpr size_t kHashEntries = FoundHeap::kMostTypes * 2, kMostAreas = 1 << 16;
constexpr uint32_t kBitsOfMark = 64;

size_t hash_of(uintptr_t id) { return (id >> 3) * 0x9e3779b97f4a7c15u >> 20; }

uintptr_t word_at(uintptr_t address) { return *reinterpret_cast<const uintptr_t*>(address); }

MonoObject* object_at(uintptr_t address) { return reinterpret_cast<MonoObject*>(address); }
MonoArray* array_at(uintptr_t address) { return reinterpret_cast<MonoArray*>(address); }
MonoString* string_at(uintptr_t address) { return reinterpret_cast<MonoString*>(address); }

uint64_t bytes_of(uintptr_t object) {
  return (api.mono_object_get_size(object_at(object)) + uint64_t{7}) & ~uint64_t{7};
}

// Arrays of these hold values as long as their keys live (ConditionalWeakTable). A key comes first, then its value.
bool is_ephemeron(MonoClass* klass) {
  return std::strcmp(api.mono_class_get_name(klass), "Ephemeron") == 0 &&
         std::strcmp(api.mono_class_get_namespace(klass), "System.Runtime.CompilerServices") == 0;
}
constexpr uint32_t kEphemeronBytes = 2 * kWord;

}  // namespace

void HeapWalk::run() {
  const uint64_t begin = clock_monotonic_ns();
  const CopyOutcome outcome = walk();
  found_.walked_ns = clock_monotonic_ns() - begin;
  found_.outcome = outcome;
}

bool HeapWalk::prepare() {
  known_types_ = PageMemory(kHashEntries * sizeof(KnownType));
  facts_ = PageMemory(FoundHeap::kMostTypes * sizeof(TypeFacts));
  marks_ = PageMemory(kMostMarks * sizeof(uint64_t));
  areas_ = PageMemory(kMostAreas * sizeof(MemoryArea));
  return known_types_ && facts_ && marks_ && areas_ && objects_.prepare() && repeated_.prepare(bytes_) &&
         texts_.prepare() && memory_.prepare();
}

CopyOutcome HeapWalk::walk() {
  if (!prepare()) return CopyOutcome::kNoMemory;
  found_.has_values = visitor_.value != nullptr;
  if (api.mono_gc_walk_heap(0, on_object, this) != 0) return CopyOutcome::kRefused;
  if (failure_ != CopyOutcome::kDone) return failure_;
  found_.objects = objects_.number_all();
  repeated_.end();
  if (!list_offsets()) return CopyOutcome::kNoMemory;
  found_.types_are_known.store(true, std::memory_order_release);
  find_roots();
  visit_all();
  if (bounds_.reached() != CopyOutcome::kDone) return bounds_.reached();
  texts_.tell(found_, strings_);
  found_.error = visitor_.done(visitor_.context);
  return found_.error == 0 ? CopyOutcome::kDone : CopyOutcome::kVisitorFailed;
}

int HeapWalk::on_object(MonoObject* object, MonoClass* klass, uintptr_t size, uintptr_t count, MonoObject**,
                        uintptr_t* offsets, void* self) {
  auto& its = *static_cast<HeapWalk*>(self);
  if (its.failure_ != CopyOutcome::kDone) return 0;  // Mono does not let itself be stopped
  if (its.bounds_.are_reached()) its.fail(its.bounds_.reached());
  if (size != 0) its.shown_ = its.add(object, klass);
  if (its.failure_ == CopyOutcome::kDone) its.mark(its.shown_, {offsets, count});
  return 0;
}

uint32_t HeapWalk::add(MonoObject* object, MonoClass* klass) {
  const auto address = reinterpret_cast<uintptr_t>(object);
  const uint32_t index = type_of(klass, object);
  if (index == kFailed) return kFailed;
  if (!objects_.add(address)) return fail(CopyOutcome::kNoMemory), kFailed;
  TypeOnHeap& type = found_.types[index];
  const uint64_t bytes = bytes_of(address);
  ++type.objects;
  found_.progress.store(++met_, std::memory_order_relaxed);
  type.bytes += bytes;
  found_.bytes += bytes;
  if (found_.has_values && facts_.as<TypeFacts>()[index].has_plain_elements)
    repeated_.add(contents_of_object(address, index, length_of(address, index)).hash);
  return index;
}

uint32_t HeapWalk::type_of(MonoClass* klass, MonoObject* object) {
  const auto id = reinterpret_cast<uintptr_t>(klass);
  KnownType& recent = recent_[hash_of(id) % std::size(recent_)];
  if (recent.id == id) return recent.index;
  auto* const known = known_types_.as<KnownType>();
  size_t at = hash_of(id) % kHashEntries;
  while (known[at].id != 0 && known[at].id != id) at = (at + 1) % kHashEntries;
  if (known[at].id == 0) {
    const uint32_t index = new_type(klass, object);
    if (index == kFailed) return kFailed;
    known[at] = {id, index};
  }
  recent = known[at];
  return recent.index;
}

uint32_t HeapWalk::new_type(MonoClass* klass, MonoObject* object) {
  const auto address = reinterpret_cast<uintptr_t>(object);
  if (found_.types_count == FoundHeap::kMostTypes) return fail(CopyOutcome::kNoMemory), kFailed;
  const uint32_t index = found_.types_count;
  TypeOnHeap& type = found_.types[index];
  TypeFacts& facts = facts_.as<TypeFacts>()[index];
  type = {};
  facts = {};
  type.table = reinterpret_cast<uintptr_t>(klass);
  const auto size = static_cast<uint32_t>(api.mono_object_get_size(object));
  uint64_t elements = 0;
  if (klass == api.mono_get_string_class()) {
    facts.is_string = facts.has_plain_elements = true;
    type.element_size = sizeof(char16_t);
    strings_.characters_offset = reinterpret_cast<uintptr_t>(api.mono_string_chars(string_at(address))) - address;
    strings_.length_offset = strings_.characters_offset - sizeof(uint32_t);
  } else if (api.mono_class_get_rank(klass) != 0) {
    MonoClass* const element = api.mono_class_get_element_class(klass);
    type.element_size = static_cast<uint32_t>(api.mono_array_element_size(klass));
    elements_offset_ = reinterpret_cast<uintptr_t>(api.mono_array_addr_with_size(array_at(address), 1, 0)) - address;
    facts.is_ephemerons = type.element_size == kEphemeronBytes && is_ephemeron(element);
    facts.has_plain_elements = api.mono_class_is_valuetype(element) != 0;
  }
  if (type.element_size != 0) elements = length_of(address, index);
  type.base_size = size - static_cast<uint32_t>(elements * type.element_size);
  const uint32_t places = (type.element_size != 0 ? type.element_size : type.base_size) / kWord + 1;
  facts.first_mark = static_cast<uint32_t>(marks_count_);
  facts.marks = places / kBitsOfMark + 1;
  marks_count_ += facts.marks;
  if (marks_count_ > kMostMarks) return fail(CopyOutcome::kNoMemory), kFailed;
  ++found_.types_count;
  return index;
}

void HeapWalk::mark(uint32_t type, std::span<const uintptr_t> offsets) {
  const TypeFacts& facts = facts_.as<TypeFacts>()[type];
  if (facts.is_ephemerons) return;
  const uint32_t element_size = found_.types[type].element_size;
  uint64_t* const marks = marks_.as<uint64_t>() + facts.first_mark;
  for (const uintptr_t offset : offsets) {
    const uintptr_t within = element_size == 0 ? offset : (offset - elements_offset_) % element_size;
    const uintptr_t word = within / kWord;
    if (word / kBitsOfMark >= facts.marks) return fail(CopyOutcome::kUnknownLayout);
    marks[word / kBitsOfMark] |= uint64_t{1} << word % kBitsOfMark;
    if (element_size == kWord) return;  // they all have the same
  }
}

bool HeapWalk::list_offsets() {
  for (uint32_t i = 0; i < found_.types_count; ++i) {
    TypeOnHeap& type = found_.types[i];
    const TypeFacts& facts = facts_.as<TypeFacts>()[i];
    uint32_t& count = type.element_size != 0 ? type.element_slots : type.slots;
    type.first_offset = found_.offsets_count;
    for (uint32_t word = 0; word < facts.marks; ++word) {
      for (uint64_t bits = marks_.as<uint64_t>()[facts.first_mark + word]; bits != 0; bits &= bits - 1) {
        if (found_.offsets_count == FoundHeap::kMostOffsets) return false;
        const auto bit = static_cast<uint32_t>(std::countr_zero(bits));
        found_.offsets[found_.offsets_count++] = (word * kBitsOfMark + bit) * static_cast<uint32_t>(kWord);
        ++count;
      }
    }
  }
  return true;
}

uintptr_t HeapWalk::object_around(uintptr_t address) const {
  constexpr uintptr_t kLongest = uintptr_t{1} << 31;
  const uintptr_t object = objects_.is_near(address) ? objects_.last_at_or_before(address, kLongest) : 0;
  return object != 0 && address < object + bytes_of(object) ? object : 0;
}

// Pinned handles and what Mono looks through conservatively may point into an object.
void HeapWalk::find_roots() {
  for (const PlacedReference& its : references_)
    if (const uintptr_t object = object_around(its.object); object != 0)
      found_.add_root({objects_.number_of(object), 0, its.place, 0, 0, ORIEL_HEAP_NATIVE});
  const int64_t count = read_memory_areas(areas_.as<MemoryArea>(), kMostAreas);
  if (count <= 0) {
    found_.roots_missing = true;
    return;
  }
  const MemoryAreas areas{areas_.as<MemoryArea>(), static_cast<size_t>(count)};
  for (const StoppedThread& thread : threads_) {
    const MemoryArea* const stack = areas.around(thread.in_stack);
    if (stack == nullptr || !stack->is_writable || std::ranges::find(collector_, thread.os_id) != collector_.end())
      continue;
    for_each_stack_word(thread, *stack, areas, memory_, bounds_, [&](uintptr_t, uintptr_t value, uintptr_t code) {
      const uintptr_t object = object_around(value);
      if (object != 0) found_.add_root({objects_.number_of(object), 0, code, 0, thread.os_id, ORIEL_HEAP_STACK});
      return object != 0;
    });
  }
}

void HeapWalk::visit_all() {
  uint64_t number = 0;
  objects_.for_each([&](uintptr_t object) {
    if (!bounds_.are_reached()) visit(object, number++);
  });
}

uint64_t HeapWalk::length_of(uintptr_t object, uint32_t type) const {
  if (found_.types[type].element_size == 0) return 0;
  if (facts_.as<TypeFacts>()[type].is_string) return static_cast<uint64_t>(api.mono_string_length(string_at(object)));
  return api.mono_array_length(array_at(object));
}

void HeapWalk::visit(uintptr_t object, uint64_t number) {
  const uint32_t index = type_of(class_of(object_at(object)), object_at(object));
  if (index == kFailed) return;
  const TypeOnHeap& type = found_.types[index];
  const uint64_t length = length_of(object, index);
  const oriel_heap_object shown{object, bytes_of(object), length, index, type.element_size != 0};
  visitor_.object(visitor_.context, &shown);
  if (found_.has_values && has_contents(type))
    visitor_.value(visitor_.context, contents(object, number, index, length));
  if (facts_.as<TypeFacts>()[index].is_ephemerons) add_ephemerons(object, length);
  visit_slots(object, number, type);
}

void HeapWalk::visit_slots(uintptr_t object, uint64_t number, const TypeOnHeap& type) {
  const std::span offsets(found_.offsets + type.first_offset, type.slots + type.element_slots);
  const auto show = [&](uintptr_t target) {
    const uint64_t to = target == 0 ? ObjectMap::kNone : objects_.number_of(target);
    visitor_.slot(visitor_.context, number, to == ObjectMap::kNone ? 0 : to + 1);
    ++found_.slots;
  };
  if (type.element_size == 0) {
    for (const uint32_t offset : offsets) show(word_at(object + offset));
    return;
  }
  if (type.element_slots == 0) return;
  uintptr_t element = object + elements_offset_;
  for (uint64_t left = api.mono_array_length(array_at(object)); left > 0; --left, element += type.element_size)
    for (const uint32_t offset : offsets) show(word_at(element + offset));
}

void HeapWalk::add_ephemerons(uintptr_t object, uint64_t length) {
  for (uintptr_t at = object + elements_offset_; length > 0; --length, at += kEphemeronBytes) {
    const uint64_t key = objects_.number_of(word_at(at)), value = objects_.number_of(word_at(at + kWord));
    if (key != ObjectMap::kNone && value != ObjectMap::kNone)
      found_.add_root({value, key + 1, 0, 0, 0, ORIEL_HEAP_DEPENDENT});
  }
}

Contents HeapWalk::contents_of_object(uintptr_t object, uint32_t type, uint64_t length) const {
  const TypeOnHeap& its = found_.types[type];
  const uintptr_t start = facts_.as<TypeFacts>()[type].is_string ? strings_.characters_offset : elements_offset_;
  return contents_of(object + start, length * its.element_size, its.table);
}

int64_t HeapWalk::contents(uintptr_t object, uint64_t number, uint32_t type, uint64_t length) {
  const Contents its = contents_of_object(object, type, length);
  if (facts_.as<TypeFacts>()[type].is_string && repeated_.contains(its.hash) && !its.is_zero)
    texts_.add(its.hash, object, number, bytes_of(object));
  return repeated_.value_of(its);
}

}  // namespace oriel::mono
