#include "runtimes/coreclr/heap/heap_roots.h"

#include <algorithm>

#include "engine/heap/stack_words.h"
#include "runtimes/coreclr/heap/method_table.h"

namespace oriel::coreclr {
namespace {

// A segment of the handle table: a header of a page, and blocks of 64 handles. What the header says is by block.
constexpr uintptr_t kSegment = 0x10000, kSegmentHeader = 0x1000;
constexpr uint32_t kHandlesInBlock = 64, kBlocks = (kSegment - kSegmentHeader) / kWord / kHandlesInBlock;
constexpr uintptr_t kAllocationChain = kBlocks * 4, kFreeMasks = kAllocationChain + kBlocks,
                    kBlockTypes = kFreeMasks + kBlocks * 8, kUserData = kBlockTypes + kBlocks;
static_assert(kSegment == NativeMemory::kPiece && FinalizerQueues::kDescribed <= NativeMemory::kBehind);
// Behind these, without padding, by type of handle: the chain's tail and hint, a byte each, and the count of free
// handles, 4 bytes; then the next segment, and the table that the segment belongs to.
constexpr uint32_t kInternalTypes = 13;
constexpr uintptr_t kTable = kUserData + 2 * kBlocks + kInternalTypes * 6 + kWord;
constexpr uint8_t kNoBlock = 0xff;

// Types of handles (gcinterface.h: HandleType).
enum HandleType : uint8_t {
  kWeakShort,
  kWeakLong,
  kStrong,
  kPinned,
  kVariable,
  kRefCounted,
  kDependent,
  kAsyncPinned,
  kSizedRef,
  kWeakNative,
  kWeakInterior,
  kCrossReference,
  kHandleTypes
};

oriel_heap_root_kind kind_of(uint8_t handle) {
  switch (handle) {
    case kStrong:
    case kVariable:
    case kSizedRef:
    case kCrossReference:
      return ORIEL_HEAP_STRONG_HANDLE;
    case kPinned:
    case kAsyncPinned:
      return ORIEL_HEAP_PINNED_HANDLE;
    case kRefCounted:
      return ORIEL_HEAP_COUNTED_HANDLE;
    default:
      return ORIEL_HEAP_WEAK_HANDLE;
  }
}

bool is_block_or_none(uint8_t block) { return block < kBlocks || block == kNoBlock; }

}  // namespace

// Runs of pages that are there and may have been written, but for stacks: those are looked at by thread.
template <typename Visit>
void HeapRoots::for_each_native_run(std::span<const StoppedThread> threads, Visit visit) const {
  PresentPages pages;
  for (const MemoryArea& area : std::span(areas_.first, areas_.count)) {
    if (!area.is_readable || !area.is_writable || (area.is_shared && !area.is_runtimes) || is_walks_own(area)) continue;
    const bool is_stack = std::ranges::any_of(threads, [&](const StoppedThread& thread) {
      return thread.in_stack >= area.start && thread.in_stack < area.end;
    });
    if (!is_stack) pages.for_each(area, visit);
  }
}

// The stacks of the walk's threads have addresses of objects that nothing else may hold.
bool HeapRoots::is_walks_own(const MemoryArea& area) const {
  const auto is_in = [&](uintptr_t address) { return area.start <= address && address < area.end; };
  return is_in(reinterpret_cast<uintptr_t>(__builtin_frame_address(0))) || is_in(helper_);
}

bool HeapRoots::find(std::span<const StoppedThread> threads, uintptr_t helper) {
  helper_ = helper;
  area_memory_ = PageMemory(kMostAreas * sizeof(MemoryArea));
  statics_memory_ = PageMemory(kMostStatics * sizeof(Statics));
  storage_memory_ = PageMemory(kMostStatics * sizeof(uintptr_t));
  seen_memory_ = PageMemory(found_.objects / 8 + 1);
  if (!area_memory_ || !statics_memory_ || !storage_memory_ || !seen_memory_ || !thread_statics_.prepare() ||
      !finalizers_.prepare() || !memory_.prepare())
    return false;
  const int64_t count = read_memory_areas(area_memory_.as<MemoryArea>(), kMostAreas);
  if (count <= 0) return false;
  areas_ = {area_memory_.as<MemoryArea>(), static_cast<size_t>(count)};
  find_end_of_heap();
  for (const StoppedThread& thread : threads) look_at_stack(thread);
  // First, as these lists are native memory whose words refer to objects.
  for_each_native_run(threads, [&](uintptr_t start, uintptr_t end) {
    for_each_piece(start, end, bounds_, [&](uintptr_t at, uintptr_t next) {
      const uintptr_t last = std::min(end, next + FinalizerQueues::kDescribed - kWord);
      if (!is_of_heap(at) && memory_.take(at, last)) finalizers_.look_through(at, last);
    });
  });
  for_each_native_run(threads, [&](uintptr_t start, uintptr_t end) {
    for_each_piece(start, end, bounds_, [&](uintptr_t at, uintptr_t next) { look_through(at, next); });
  });
  add_statics();
  thread_statics_.add(threads, [&](uintptr_t object) { add_storage(object); });
  std::sort(storages(), storages() + storages_count_);
  return true;
}

void HeapRoots::add_storage(uintptr_t object) {
  if (storages_count_ < kMostStatics) storages()[storages_count_++] = object;
}

// The collector has reserved more address space than there are objects, and memory in it from which objects have gone.
// The reserve goes on up to its part without access, at most.
void HeapRoots::find_end_of_heap() {
  constexpr uintptr_t kLargeReserve = uintptr_t{1} << 30;
  end_of_heap_ = heap_.end;
  const MemoryArea* area = area_of(heap_.end - 1);
  if (area == nullptr) return;
  for (; area != areas_.end() && area->is_anonymous; ++area) {
    if (!area->is_writable && area->end - area->start >= kLargeReserve) {
      end_of_heap_ = area->end;
      return;
    }
    if (area + 1 == areas_.end() || area[1].start != area->end) return;
  }
}

uintptr_t HeapRoots::object_around(uintptr_t address) const {
  constexpr uintptr_t kLongest = uintptr_t{1} << 31;
  const uintptr_t object = objects_.is_near(address) ? objects_.last_at_or_before(address, kLongest) : 0;
  if (object == 0) return 0;
  return address < object + bytes_of(object, MethodTable(method_table_of(object))) ? object : 0;
}

void HeapRoots::look_at_stack(const StoppedThread& thread) {
  const MemoryArea* const stack = area_of(thread.in_stack);
  if (stack == nullptr || !stack->is_writable || is_walks_own(*stack)) return;
  for_each_stack_word(thread, *stack, areas_, memory_, bounds_, [&](uintptr_t place, uintptr_t value, uintptr_t code) {
    if (value != 0 && thread_statics_.look_at(place, value)) return true;  // thread-local memory is above the stack
    const uintptr_t object = object_around(value);
    if (object != 0) found_.add_root({objects_.number_of(object), 0, code, 0, thread.os_id, ORIEL_HEAP_STACK});
    return object != 0;
  });
}

bool HeapRoots::is_of_heap(uintptr_t address) const {
  return (address >= heap_.lowest && address < end_of_heap_) || objects_.is_near(address);
}

// A piece. Of the heap, only what could be the header of handles is read.
void HeapRoots::look_through(uintptr_t start, uintptr_t end) {
  const bool is_heap = is_of_heap(start), has_header = start % kSegment == 0 && end - start >= kSegmentHeader;
  if ((is_heap && !has_header) || !memory_.take(start, is_heap ? start + kSegmentHeader : end)) return;
  if ((has_header && look_at_handles(start)) || is_heap) return;
  const uintptr_t shift = memory_.shift();
  for (uintptr_t place = start; place < end; place += kWord)
    if (const auto value = word_at<uintptr_t>(place + shift)) look_at_word(place, value);
}

void HeapRoots::look_at_word(uintptr_t place, uintptr_t value) {
  if (const uintptr_t table = table_of_statics(place, value & ~uintptr_t{1})) {
    if (statics_count_ < kMostStatics) statics_memory_.as<Statics>()[statics_count_++] = {value & ~uintptr_t{1}, table};
    return;
  }
  if (thread_statics_.look_at(place, value)) return;
  const uint64_t number = objects_.number_of(value);
  if (number == ObjectMap::kNone) return;
  if (const auto entry = finalizers_.entry(place); entry != FinalizerQueues::Entry::kNone) {
    if (entry == FinalizerQueues::Entry::kToRun) found_.add_root({number, 0, 0, 0, 0, ORIEL_HEAP_FINALIZER});
    return;
  }
  uint8_t& seen = seen_memory_.as<uint8_t>()[number >> 3];
  const auto bit = static_cast<uint8_t>(1u << (number & 7));
  if ((seen & bit) != 0) return;
  seen = static_cast<uint8_t>(seen | bit);
  found_.add_root({number, 0, 0, 0, 0, ORIEL_HEAP_NATIVE});
}

// DynamicStaticsInfo: the place of the references, whose lowest bit says that the class is not initialized; the place
// of the other fields; the method table. The table's auxiliary data lie right behind it. 0: it is something else.
uintptr_t HeapRoots::table_of_statics(uintptr_t place, uintptr_t references) const {
  if (references % kWord != 0 || !objects_.is_near(references)) return 0;
  if ((place & 0xfff) > 0x1000 - 4 * kWord) {  // the next page may not be there
    const MemoryArea* const area = area_of(place);
    if (area == nullptr || place + 4 * kWord > area->end) return 0;
  }
  const auto table = memory_.at<uintptr_t>(place + 2 * kWord);
  if (table % kWord != 0) return 0;
  const MemoryArea* const area = area_of(table);
  const bool is_it = area != nullptr && area->is_readable && table + kAuxiliaryData + kWord <= area->end &&
                     !objects_.is_near(table) && memory_.at<uintptr_t>(table + kAuxiliaryData) == place + 3 * kWord;
  return is_it ? table : 0;
}

// Each class's fields go on to those of the next in the same array. What else is in there belongs to the runtime.
void HeapRoots::add_statics() {
  Statics* const statics = statics_memory_.as<Statics>();
  std::sort(statics, statics + statics_count_, [](const Statics& a, const Statics& b) { return a.place < b.place; });
  for (size_t i = 0; i < statics_count_;) {
    const uintptr_t storage = object_around(statics[i].place);
    const MethodTable facts(method_table_of(storage != 0 ? storage : heap_.lowest));
    if (storage == 0 || facts.element_size != kWord || !facts.has_references) {
      ++i;
      continue;
    }
    add_storage(storage);
    const uintptr_t begin = storage + elements_offset(facts.base_size), end = begin + length_of(storage, kWord) * kWord;
    uintptr_t table = 0;
    for (uintptr_t place = begin; place < end; place += kWord) {
      for (; i < statics_count_ && statics[i].place <= place; ++i) table = statics[i].table;
      const auto value = word_at<uintptr_t>(place);
      const uint64_t number = value == 0 ? ObjectMap::kNone : objects_.number_of(value);
      if (number != ObjectMap::kNone) found_.add_root({number, 0, place, table, 0, ORIEL_HEAP_STATIC});
    }
    while (i < statics_count_ && statics[i].place < end) ++i;
  }
}

// Whether it is a segment of handles, whose header is ready to be read; its handles are added then.
bool HeapRoots::look_at_handles(uintptr_t segment) {
  const auto byte = [&](uintptr_t offset, uint32_t block) { return memory_.at<uint8_t>(segment + offset + block); };
  const MemoryArea* const area = area_of(segment);
  if (area == nullptr || area->end - segment <= kSegmentHeader || !area->is_anonymous) return false;
  bool any = false;
  for (uint32_t block = 0; block < kBlocks; ++block) {
    const uint8_t type = byte(kBlockTypes, block);
    if (type >= kInternalTypes && type != kNoBlock) return false;
    if (!is_block_or_none(byte(kUserData, block)) || !is_block_or_none(byte(kAllocationChain, block))) return false;
    any = any || (type != kNoBlock && byte(kAllocationChain, block) != 0);
  }
  if (!any || !is_handle_table(memory_.at<uintptr_t>(segment + kTable))) return false;
  memory_.take(segment, std::min(area->end, segment + kSegment));
  for (uint32_t block = 0; block < kBlocks; ++block)
    if (byte(kBlockTypes, block) < kHandleTypes)
      add_handles(segment, block, byte(kBlockTypes, block), byte(kUserData, block));
  return true;
}

bool HeapRoots::is_handle_table(uintptr_t address) const {
  const MemoryArea* const area = address % kWord == 0 ? area_of(address) : nullptr;
  return area != nullptr && area->is_writable;
}

// The second object of a dependent handle is the handle's user data.
void HeapRoots::add_handles(uintptr_t segment, uint32_t block, uint8_t type, uint8_t user_data) {
  const uintptr_t end = area_of(segment)->end;  // the rest is not in use yet
  const auto handle = [&](uint32_t of_block, uint32_t index) {
    const uintptr_t place = segment + kSegmentHeader + (of_block * kHandlesInBlock + index) * kWord;
    const auto value = place < end ? memory_.at<uintptr_t>(place) : 0;
    return value == 0 ? ObjectMap::kNone : objects_.number_of(value);
  };
  for (uint32_t i = 0; i < kHandlesInBlock; ++i) {
    const uint64_t number = handle(block, i);
    if (number == ObjectMap::kNone) continue;
    if (type != kDependent) {
      found_.add_root({number, 0, 0, 0, 0, kind_of(type)});
      continue;
    }
    const uint64_t dependent = user_data == kNoBlock ? ObjectMap::kNone : handle(user_data, i);
    if (dependent != ObjectMap::kNone) found_.add_root({dependent, number + 1, 0, 0, 0, ORIEL_HEAP_DEPENDENT});
  }
}

}  // namespace oriel::coreclr
