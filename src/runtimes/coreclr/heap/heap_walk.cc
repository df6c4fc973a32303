#include "runtimes/coreclr/heap/heap_walk.h"

#include <algorithm>
#include <ctime>
#include <iterator>

#include "base/clock.h"
#include "base/copy_memory.h"
#include "runtimes/coreclr/heap/method_table.h"

namespace oriel::coreclr {
namespace {

constexpr size_t kHashEntries = FoundHeap::kMostTypes * 2;

size_t hash_of(uintptr_t table) { return (table >> 3) * 0x9e3779b97f4a7c15u >> 20; }

// Unused memory between objects looks like an array of bytes of a type without a parent and a module (free space).
bool is_free_space(uintptr_t table) {
  constexpr uintptr_t kParent = 16, kModule = 24;
  return word_at<uintptr_t>(table + kParent) == 0 && word_at<uintptr_t>(table + kModule) == 0;
}

Contents contents_of_object(ObjectID object, const TypeOnHeap& type) {
  const uint64_t length = length_of(object, type.element_size);
  return contents_of(object + first_element_offset(type.base_size), length * type.element_size, type.table);
}

Bool count_reference(ObjectID, ObjectID*, void* count) {
  ++*static_cast<uint64_t*>(count);
  return 1;
}

}  // namespace

void HeapWalk::run() {
  const uint64_t begin = clock_monotonic_ns();
  const CopyOutcome outcome = walk();
  found_.walked_ns = clock_monotonic_ns() - begin;
  found_.outcome = outcome;
}

CopyOutcome HeapWalk::walk() {
  types_ = PageMemory(kHashEntries * sizeof(KnownType));
  if (!types_ || !objects_.prepare() || !repeated_.prepare(bytes_) || !texts_.prepare()) return CopyOutcome::kNoMemory;
  // The runtime gives the rest of each thread's allocation space the form of an object before it goes through them.
  const HResult result = info_.EnumerateGCHeapObjects(reinterpret_cast<void*>(&on_object), this);
  if (failure_ != CopyOutcome::kDone) return failure_;
  if (failed(result)) return CopyOutcome::kRefused;
  const HeapBounds collected{lowest_, highest_};
  for (const FrozenRange& range : frozen_)
    if (!add_frozen(range)) return failure_;
  found_.objects = objects_.number_all();
  repeated_.end();
  found_.types_are_known.store(true, std::memory_order_release);

  HeapRoots roots(objects_, found_, collected, bounds_);
  if (!roots.find(threads_, helper_)) found_.roots_missing = true;
  if (bounds_.are_reached_now()) return bounds_.reached();
  wait_for_places();

  visit_all(roots);
  if (bounds_.reached() != CopyOutcome::kDone) return bounds_.reached();
  texts_.tell(found_, {kLengthOffset, kCharactersOffset});
  found_.error = visitor_.done(visitor_.context);
  return found_.error == 0 ? CopyOutcome::kDone : CopyOutcome::kVisitorFailed;
}

bool HeapWalk::fail(CopyOutcome outcome) {
  failure_ = outcome;
  return false;
}

bool HeapWalk::add(ObjectID object) {
  if (bounds_.are_reached()) return fail(bounds_.reached());
  const uintptr_t table = method_table_of(object);
  if (table == 0) return true;
  const uint32_t index = type_of(table, object);
  if (index == kFreeSpace) return true;
  if (index == kFailed) return false;
  if (!objects_.add(object)) return fail(CopyOutcome::kNoMemory);
  TypeOnHeap& type = found_.types[index];
  const uint64_t bytes = bytes_of(object, type);
  ++type.objects;
  type.bytes += bytes;
  found_.bytes += bytes;
  if (has_contents(type)) repeated_.add(contents_of_object(object, type).hash);
  if (object < lowest_) lowest_ = object;
  if (object + bytes > highest_) highest_ = object + bytes;
  return true;
}

// Objects lie one behind the other, up to the first word that is no method table. The runtime has visited some already.
bool HeapWalk::add_frozen(const FrozenRange& range) {
  if (bounds_.is_in_process() && !is_readable(reinterpret_cast<const void*>(range.start + range.length - 1)))
    return true;
  for (uintptr_t at = range.start; at < range.start + range.length;) {
    const uintptr_t table = method_table_of(at);
    if (table == 0) break;
    if (!objects_.contains(at) && !add(at)) return false;
    at += bytes_of(at, MethodTable(table));
  }
  return true;
}

uint32_t HeapWalk::type_of(uintptr_t table, ObjectID object) {
  KnownType& recent = recent_[hash_of(table) % std::size(recent_)];
  if (recent.table == table) return recent.index;
  auto* const known = types_.as<KnownType>();
  size_t at = hash_of(table) % kHashEntries;
  while (known[at].table != 0 && known[at].table != table) at = (at + 1) % kHashEntries;
  if (known[at].table == 0) {
    const uint32_t index = is_free_space(table) ? kFreeSpace : new_type(table, object);
    if (index == kFailed) return kFailed;
    known[at] = {table, index};
  }
  recent = known[at];
  return recent.index;
}

uint32_t HeapWalk::new_type(uintptr_t table, ObjectID object) {
  if (found_.types_count == FoundHeap::kMostTypes) return fail(CopyOutcome::kNoMemory), kFailed;
  TypeOnHeap& type = found_.types[found_.types_count];
  const MethodTable facts(table);
  type = {};
  type.table = table;
  type.base_size = facts.base_size;
  type.element_size = facts.element_size;
  type.first_offset = found_.offsets_count;
  type.has_finalizer = facts.has_finalizer;
  if (!find_slots(table, type) || !is_as_the_runtime_says(type, object)) return kFailed;
  return found_.types_count++;
}

bool HeapWalk::find_slots(uintptr_t table, TypeOnHeap& type) {
  const auto add = [&](uint32_t offset) {
    if (found_.offsets_count < FoundHeap::kMostOffsets) found_.offsets[found_.offsets_count++] = offset;
  };
  const bool makes_sense = for_each_slot(
      table, MethodTable(table), [&](uint32_t offset) { ++type.slots, add(offset); },
      [&](uint32_t offset) { ++type.element_slots, add(offset); });
  if (found_.offsets_count == FoundHeap::kMostOffsets) return fail(CopyOutcome::kNoMemory);
  return makes_sense || fail(CopyOutcome::kUnknownLayout);
}

// Of its first object, the runtime is asked the same.
bool HeapWalk::is_as_the_runtime_says(const TypeOnHeap& type, ObjectID object) {
  size_t size = 0;
  if (failed(info_.GetObjectSize2(object, &size)) || ((size + 7) & ~size_t{7}) != bytes_of(object, type))
    return fail(CopyOutcome::kUnknownLayout);
  constexpr uint64_t kMostElements = 1000;
  if (length_of(object, type.element_size) > kMostElements) return true;
  uint64_t theirs = 0, ours = 0;
  if (failed(info_.EnumerateObjectReferences(object, reinterpret_cast<void*>(&count_reference), &theirs))) return true;
  for_each_reference(type, object, [&](uintptr_t target) { ours += target != 0 ? 1 : 0; });
  // Objects of collectible types refer to their loader, which no descriptor says.
  return ours == theirs || ours + 1 == theirs || fail(CopyOutcome::kUnknownLayout);
}

template <typename Visit>
void HeapWalk::for_each_reference(const TypeOnHeap& type, ObjectID object, Visit visit) const {
  const uint32_t* offset = found_.offsets + type.first_offset;
  for (uint32_t i = 0; i < type.slots; ++i) visit(word_at<uintptr_t>(object + *offset++));
  if (type.element_slots == 0) return;
  const uint64_t length = length_of(object, type.element_size);
  uintptr_t element = object + elements_offset(type.base_size);
  for (uint64_t i = 0; i < length; ++i, element += type.element_size)
    for (uint32_t k = 0; k < type.element_slots; ++k) visit(word_at<uintptr_t>(element + offset[k]));
}

// Types are named while roots are looked for, so there is little to wait for. In the process, the thread that names
// them may wait for one that is stopped: then the program must not wait for it.
void HeapWalk::wait_for_places() {
  if (visitor_.value == nullptr) return;
  found_.has_values = true;
  if (bounds_.is_in_process() && helper_ == 0) return;
  constexpr int kMostNaps = 20'000, kMostNapsInProcess = 1'000;
  constexpr timespec kNap{0, 1'000'000};
  const int most = bounds_.is_in_process() ? kMostNapsInProcess : kMostNaps;
  for (int i = 0; i < most && !found_.places_are_known.load(std::memory_order_acquire); ++i) nanosleep(&kNap, nullptr);
  found_.has_places = found_.places_are_known.load(std::memory_order_acquire);
}

void HeapWalk::visit_all(HeapRoots& roots) {
  constexpr uint64_t kAhead = 16;
  Ahead soon[kAhead];
  uint64_t seen = 0, visited = 0;
  const auto visit_next = [&] {
    const Ahead& its = soon[visited % kAhead];
    visit(its, visited, !roots.is_static_storage(its.object));
    ++visited;
  };
  objects_.for_each([&](uintptr_t object) {
    if (bounds_.are_reached()) return;
    if (seen - visited == kAhead) visit_next();
    soon[seen++ % kAhead] = ahead(object);
  });
  while (visited != seen) visit_next();
}

HeapWalk::Ahead HeapWalk::ahead(ObjectID object) {
  Ahead its{object, type_of(method_table_of(object), object), {}};
  if (found_.has_values && has_contents(found_.types[its.type])) {
    its.contents = contents_of_object(object, found_.types[its.type]);
    repeated_.ask_for(its.contents.hash);
  }
  return its;
}

void HeapWalk::visit(const Ahead& its, uint64_t number, bool shows_references) {
  const TypeOnHeap& type = found_.types[its.type];
  const oriel_heap_object shown{its.object, bytes_of(its.object, type), length_of(its.object, type.element_size),
                                its.type, type.element_size != 0};
  visitor_.object(visitor_.context, &shown);
  if (found_.has_values) visit_values(its, number);
  for_each_reference(type, its.object, [&](uintptr_t target) {
    const uint64_t to = target == 0 || !shows_references ? ObjectMap::kNone : objects_.number_of(target);
    visitor_.slot(visitor_.context, number, to == ObjectMap::kNone ? 0 : to + 1);
    ++found_.slots;
  });
}

void HeapWalk::visit_values(const Ahead& its, uint64_t number) {
  if (has_contents(found_.types[its.type])) visitor_.value(visitor_.context, contents(its, number));
  if (!found_.has_places) return;
  const PlacesOfType of_type = found_.places_of[its.type];
  for (const ValuePlace& place : std::span(found_.places + of_type.first, of_type.count))
    visitor_.value(visitor_.context, static_cast<int32_t>(word_at<uint32_t>(its.object + place.offset) & place.mask));
}

int64_t HeapWalk::contents(const Ahead& its, uint64_t number) {
  const TypeOnHeap& type = found_.types[its.type];
  if (is_string(type.base_size) && !its.contents.is_zero && repeated_.contains(its.contents.hash))
    texts_.add(its.contents.hash, its.object, number, bytes_of(its.object, type));
  return repeated_.value_of(its.contents);
}

}  // namespace oriel::coreclr
