// The parts of a walk over CoreCLR's heap that need no runtime: descriptors of references, roots.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstring>
#include <map>
#include <memory>
#include <random>
#include <tuple>
#include <vector>

#include "engine/heap/memory_maps.h"
#include "engine/heap/native_memory.h"
#include "engine/heap/object_map.h"
#include "runtimes/coreclr/heap/finalizer_queues.h"
#include "runtimes/coreclr/heap/helper_thread.h"
#include "runtimes/coreclr/heap/method_table.h"
#include "runtimes/coreclr/heap/thread_statics.h"

namespace oriel::coreclr {
namespace {

// A method table with its descriptor before it.
class Table {
 public:
  Table(uint32_t flags, uint32_t base_size, const std::vector<uint64_t>& before) : words_(before) {
    words_.push_back(uint64_t{base_size} << 32 | flags);
  }
  uintptr_t address() const { return reinterpret_cast<uintptr_t>(&words_.back()); }
  std::vector<uint32_t> slots() { return collect(true); }
  std::vector<uint32_t> element_slots() { return collect(false); }

 private:
  std::vector<uint32_t> collect(bool of_object) {
    std::vector<uint32_t> offsets;
    const auto add = [&](uint32_t offset) { offsets.push_back(offset); };
    const auto skip = [](uint32_t) {};
    const MethodTable facts(address());
    const bool ok = of_object ? for_each_slot(address(), facts, add, skip) : for_each_slot(address(), facts, skip, add);
    EXPECT_TRUE(ok);
    return offsets;
  }
  std::vector<uint64_t> words_;
};

constexpr uint32_t kReferences = 0x01000000, kElements = 0x80000000;
using Offsets = std::vector<uint32_t>;

TEST(MethodTable, SeriesAreRunsOfReferences) {
  // Two at 8, one at 40, in an object of 56 bytes: sizes are less the base size.
  Table table(kReferences, 56, {uint64_t(16) - 56, 8, uint64_t(8) - 56, 40, 2});
  EXPECT_EQ(table.slots(), (Offsets{8, 16, 40}));
  EXPECT_TRUE(table.element_slots().empty());
  EXPECT_TRUE(Table(0, 24, {}).slots().empty());
}

TEST(MethodTable, ElementsAreReferencesOrStructuresWithThem) {
  Table references(kReferences | kElements | 8, 24, {uint64_t(0) - 24, 16, 1});
  EXPECT_EQ(references.element_slots(), Offsets{0});
  Table pairs(kReferences | kElements | 16, 24, {uint64_t(0) - 24, 16, 1});
  EXPECT_EQ(pairs.element_slots(), (Offsets{0, 8}));
  // A structure of 24 bytes whose second and third word are references.
  Table structures(kReferences | kElements | 24, 24, {uint64_t{8} << 32 | 2, 24, uint64_t(-1)});
  EXPECT_EQ(structures.element_slots(), (Offsets{8, 16}));
  EXPECT_TRUE(structures.slots().empty());
}

TEST(MethodTable, NonsenseIsRefused) {
  const auto nothing = [](uint32_t) {};
  for (const std::vector<uint64_t>& before : std::vector<std::vector<uint64_t>>{{1u << 20}, {0}, {1000, 8, 1}}) {
    const Table table(kReferences, 56, before);
    EXPECT_FALSE(for_each_slot(table.address(), MethodTable(table.address()), nothing, nothing));
  }
}

TEST(MethodTable, SizesAreRoundedUp) {
  EXPECT_EQ(bytes_on_heap(24, 0, 0), 24u);
  EXPECT_EQ(bytes_on_heap(22, 2, 3), 32u);
  EXPECT_EQ(bytes_on_heap(24, 1, uint64_t{5} << 30), 24 + (uint64_t{5} << 30));
}

TEST(HelperThread, WorksUntilItIsToEnd) {
  std::atomic<int> done{0};
  {
    const HelperThread helper([&] { return ++done < 100; });
    EXPECT_NE(helper.stack(), 0u);
    while (done < 110) usleep(100);
  }
  const int then = done;
  usleep(5'000);
  EXPECT_EQ(done, then);
  const HelperThread failing([&]() -> bool { throw std::bad_alloc(); });
}

// Memory as the runtime's: method tables, objects, and what native code has.
class FakeHeap {
 public:
  FakeHeap() : areas_(4096) { EXPECT_TRUE(objects_.prepare()); }

  // Zeros; they stay where they are.
  uintptr_t words(size_t count) {
    return reinterpret_cast<uintptr_t>(memory_.emplace_back(std::make_unique<uint64_t[]>(count)).get());
  }
  uintptr_t words(const std::vector<uint64_t>& values) {
    const uintptr_t made = words(values.size());
    std::ranges::copy(values, reinterpret_cast<uint64_t*>(made));
    return made;
  }
  uintptr_t object(uintptr_t table, const std::vector<uint64_t>& rest = {0, 0}) {
    std::vector<uint64_t> all{table};
    all.insert(all.end(), rest.begin(), rest.end());
    const uintptr_t made = words(all);
    EXPECT_TRUE(objects_.add(made));
    return made;
  }
  const ObjectMap& objects() { return objects_.number_all(), objects_; }
  MemoryAreas areas() {
    const int64_t count = read_memory_areas(areas_.data(), areas_.size());
    EXPECT_GT(count, 0);
    return {areas_.data(), static_cast<size_t>(count)};
  }

 private:
  std::vector<std::unique_ptr<uint64_t[]>> memory_;
  std::vector<MemoryArea> areas_;
  ObjectMap objects_;
};

constexpr uint64_t kObjectSize = uint64_t{24} << 32, kFinalizer = 0x00100000,
                   kReferenceArray = kReferences | kElements | 8;

// In both ways to read native memory.
class Roots : public testing::TestWithParam<NativeMemory::Access> {};
INSTANTIATE_TEST_SUITE_P(Heap, Roots, testing::Values(NativeMemory::Access::kInPlace, NativeMemory::Access::kCopied));

TEST_P(Roots, FinalizerQueuesTellWhatIsToRun) {
  FakeHeap heap;
  for (const uint64_t flags : {kFinalizer, uint64_t{0}}) {
    const uintptr_t table = heap.words({kObjectSize | flags, 0, 0, 0, 0});
    std::vector<uint64_t> entries;
    for (int i = 0; i < 10; ++i) entries.push_back(heap.object(table));
    entries.resize(12);
    const uintptr_t list = heap.words(entries);
    const auto at = [list](uint64_t index) { return list + index * 8; };
    const uintptr_t described = heap.words({at(0), at(0), at(3), at(3), at(7), at(8), at(10), at(0), at(12)});
    const ObjectMap& objects = heap.objects();
    const MemoryAreas areas = heap.areas();
    NativeMemory memory(GetParam());
    ASSERT_TRUE(memory.prepare());
    FinalizerQueues queues(objects, areas, memory);
    ASSERT_TRUE(queues.prepare());
    ASSERT_TRUE(memory.take(described, described + FinalizerQueues::kDescribed));
    queues.look_through(described, described + FinalizerQueues::kDescribed);
    using Entry = FinalizerQueues::Entry;
    const bool is_one = flags != 0;
    EXPECT_EQ(queues.entry(at(6)), is_one ? Entry::kListed : Entry::kNone);
    EXPECT_EQ(queues.entry(at(7)), is_one ? Entry::kToRun : Entry::kNone);
    EXPECT_EQ(queues.entry(at(9)), is_one ? Entry::kToRun : Entry::kNone);
    EXPECT_EQ(queues.entry(at(10)), is_one ? Entry::kListed : Entry::kNone);
    EXPECT_EQ(queues.entry(at(12)), Entry::kNone);
  }
}

TEST_P(Roots, ThreadStaticsAreByClassAndPlace) {
  FakeHeap heap;
  const uintptr_t references = heap.words({kObjectSize | kReferenceArray, 0, 0, 0, 0});
  const uintptr_t info = heap.words({uint64_t{3} << 32, 0, 0, 0, 0, 0});  // before the auxiliary data
  const uintptr_t klass = heap.words({kObjectSize, 0, 0, 0, info + 40, 0});
  const uintptr_t first = heap.object(klass), second = heap.object(klass);
  const uintptr_t fields = heap.object(references, {3, first, 0, second});
  const uintptr_t array = heap.object(references, {2, 0, fields});
  const uintptr_t thread = heap.words(512), data = heap.words({4, array, 0, thread});
  reinterpret_cast<uint64_t*>(thread)[7] = data;
  reinterpret_cast<uint64_t*>(thread)[9] = 77;
  const uintptr_t entries = heap.words({0, 0, 0, klass | 1}), map = heap.words({entries, 4, 0});
  const ObjectMap& objects = heap.objects();
  const MemoryAreas areas = heap.areas();
  const PageMemory memory(sizeof(FoundHeap));
  auto& found = *memory.as<FoundHeap>();
  NativeMemory native(GetParam());
  ASSERT_TRUE(native.prepare());
  ThreadStatics statics(objects, areas, native, found);
  ASSERT_TRUE(statics.prepare());
  EXPECT_TRUE(statics.look_at(data + 8, array));
  EXPECT_FALSE(statics.look_at(data + 24, thread));
  EXPECT_FALSE(statics.look_at(map, entries));
  std::vector<uintptr_t> storages;
  const StoppedThread threads[] = {{77, 0}};
  statics.add(threads, [&](uintptr_t storage) { storages.push_back(storage); });
  EXPECT_EQ(storages, (std::vector<uintptr_t>{array, fields}));
  ASSERT_EQ(found.roots_count, 2u);
  for (const auto& [root, object, place] : {std::tuple{0, first, 3u}, std::tuple{1, second, 1u}}) {
    EXPECT_EQ(found.roots[root].kind, ORIEL_HEAP_THREAD_STATIC);
    EXPECT_EQ(found.roots[root].object, objects.number_of(object));
    EXPECT_EQ(found.roots[root].place, place);
    EXPECT_EQ(found.roots[root].table, klass);
    EXPECT_EQ(found.roots[root].thread, 77u);
  }
}

}  // namespace
}  // namespace oriel::coreclr
