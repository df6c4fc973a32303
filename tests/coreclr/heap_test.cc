// The parts of a heap's walk that need no runtime: the map of objects, descriptors of references, memory, the copy.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
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

#include "runtimes/coreclr/heap/contents.h"
#include "runtimes/coreclr/heap/finalizer_queues.h"
#include "runtimes/coreclr/heap/forked_copy.h"
#include "runtimes/coreclr/heap/free_memory.h"
#include "runtimes/coreclr/heap/helper_thread.h"
#include "runtimes/coreclr/heap/memory_maps.h"
#include "runtimes/coreclr/heap/method_table.h"
#include "runtimes/coreclr/heap/native_memory.h"
#include "runtimes/coreclr/heap/object_map.h"
#include "runtimes/coreclr/heap/thread_statics.h"
#include "runtimes/coreclr/heap/walk_bounds.h"

namespace oriel::coreclr {
namespace {

TEST(ObjectMap, NumbersObjectsByAddress) {
  std::mt19937_64 random(1);
  std::map<uintptr_t, uint64_t> numbers;
  ObjectMap objects;
  ASSERT_TRUE(objects.prepare());
  // Several pieces of the heap, in no order, with gaps.
  for (const uintptr_t start : {0x7f00'1000'0000u, 0x7e00'0040'0000u, 0x7f00'3fff'f000u}) {
    uintptr_t at = start;
    for (int i = 0; i < 50'000; ++i, at += 24 + random() % 64 * 8) {
      ASSERT_TRUE(objects.add(at));
      numbers[at] = 0;
    }
  }
  ASSERT_TRUE(objects.add(numbers.begin()->first));  // again
  uint64_t next = 0;
  for (auto& [address, number] : numbers) number = next++;
  EXPECT_EQ(objects.number_all(), numbers.size());
  for (const auto& [address, number] : numbers) {
    ASSERT_EQ(objects.number_of(address), number);
    ASSERT_EQ(objects.number_of(address + 8), ObjectMap::kNone);
    ASSERT_EQ(objects.number_of(address + 4), ObjectMap::kNone);
    ASSERT_EQ(objects.last_at_or_before(address + 16, 1 << 20), address);
  }
  EXPECT_EQ(objects.number_of(0), ObjectMap::kNone);
  EXPECT_EQ(objects.number_of(UINTPTR_MAX & ~uintptr_t{7}), ObjectMap::kNone);
  EXPECT_EQ(objects.last_at_or_before(0x7d00'0000'0000u, 1 << 20), 0u);
  std::vector<uintptr_t> visited;
  objects.for_each([&](uintptr_t object) { visited.push_back(object); });
  ASSERT_EQ(visited.size(), numbers.size());
  EXPECT_TRUE(std::equal(visited.begin(), visited.end(), numbers.begin(),
                         [](uintptr_t a, const auto& entry) { return a == entry.first; }));
}

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

TEST(MemoryMaps, HaveThisProcess) {
  std::vector<MemoryArea> areas(10'000);
  const int64_t count = read_memory_areas(areas.data(), areas.size());
  ASSERT_GT(count, 5);
  areas.resize(static_cast<size_t>(count));
  const auto with = [&](const void* place) {
    const auto address = reinterpret_cast<uintptr_t>(place);
    return std::ranges::find_if(areas,
                                [&](const MemoryArea& area) { return area.start <= address && address < area.end; });
  };
  const auto code = with(reinterpret_cast<const void*>(&read_memory_areas)), stack = with(&count);
  ASSERT_NE(code, areas.end());
  ASSERT_NE(stack, areas.end());
  EXPECT_TRUE(code->is_executable && !code->is_writable);
  EXPECT_TRUE(stack->is_writable && !stack->is_executable && !stack->is_anonymous);
}

TEST(MemoryMaps, KnowWhichPagesWereTouched) {
  constexpr size_t kPages = 1'000, kPage = 4'096;
  const PageMemory memory(kPages * kPage);
  ASSERT_TRUE(memory);
  auto* const bytes = memory.as<volatile uint8_t>();
  for (const size_t page : {3, 4, 700}) bytes[page * kPage] = 1;
  const auto start = reinterpret_cast<uintptr_t>(bytes);
  MemoryArea area{};
  area.start = start;
  area.end = start + kPages * kPage;
  std::vector<std::pair<size_t, size_t>> runs;
  PresentPages().for_each(
      area, [&](uintptr_t from, uintptr_t to) { runs.emplace_back((from - start) / kPage, (to - start) / kPage); });
  EXPECT_EQ(runs, (std::vector<std::pair<size_t, size_t>>{{3, 5}, {700, 701}}));
}

// Native threads may unmap what is looked through, at any moment.
TEST(NativeMemory, ThatIsGoneReadsAsZeros) {
  constexpr size_t kPage = 4'096, kPages = 4;
  auto pages = std::make_unique<PageMemory>(kPages * kPage);
  ASSERT_TRUE(*pages);
  auto* const words = pages->as<uint64_t>();
  const auto start = reinterpret_cast<uintptr_t>(words), end = start + kPages * kPage;
  for (size_t i = 0; i < kPages * kPage / 8; ++i) words[i] = i + 1;
  NativeMemory memory(NativeMemory::Access::kCopied);
  ASSERT_TRUE(memory.prepare());
  EXPECT_EQ(memory.at<uint64_t>(start + 8), 2u);  // not taken
  ASSERT_TRUE(memory.take(start, end));
  EXPECT_EQ(memory.at<uint64_t>(end - 8), kPages * kPage / 8);
  // What is taken stays as it was.
  words[1] = 7;
  EXPECT_EQ(memory.at<uint64_t>(start + 8), 2u);
  ASSERT_EQ(munmap(words + kPage / 8, kPage), 0);
  EXPECT_EQ(memory.at<uint64_t>(start + kPage), kPage / 8 + 1);
  ASSERT_TRUE(memory.take(start, end));
  EXPECT_EQ(memory.at<uint64_t>(start + 8), 7u);
  EXPECT_EQ(memory.at<uint64_t>(start + kPage), 0u);
  EXPECT_EQ(memory.at<uint64_t>(start + 2 * kPage), 2 * kPage / 8 + 1);
  pages = nullptr;
  EXPECT_FALSE(memory.take(start, end));
  EXPECT_EQ(memory.at<uint64_t>(start), 0u);
  EXPECT_EQ(memory.at<uint64_t>(8), 0u);
  uint64_t word = 0;
  EXPECT_FALSE(memory.copy(start, &word, sizeof word));
}

TEST(NativeMemory, IsReadWhereItIsInACopy) {
  std::vector<uint64_t> words{1, 2, 3};
  const auto start = reinterpret_cast<uintptr_t>(words.data());
  NativeMemory memory(NativeMemory::Access::kInPlace);
  ASSERT_TRUE(memory.prepare());
  ASSERT_TRUE(memory.take(start, start + 24));
  words[1] = 7;
  EXPECT_EQ(memory.at<uint64_t>(start + 8), 7u);
  EXPECT_EQ(memory.at<uint32_t>(start + 12), 0u);
}

TEST(WalkBounds, EndAWalkInTheProcessOnly) {
  WalkBounds none;
  for (int i = 0; i < 10'000; ++i) ASSERT_FALSE(none.are_reached());
  EXPECT_FALSE(none.are_reached_now() || none.is_in_process());
  WalkBounds over(1);
  EXPECT_TRUE(over.is_in_process());
  int asked = 1;
  while (!over.are_reached()) ++asked;
  EXPECT_LE(asked, 4'096);
  EXPECT_TRUE(over.are_reached());
  EXPECT_EQ(over.reached(), CopyOutcome::kTooLong);
  WalkBounds far(UINT64_MAX);
  EXPECT_FALSE(far.are_reached_now());
  EXPECT_EQ(far.reached(), CopyOutcome::kDone);
}

TEST(WalkBounds, WhatTookTooLongIsNotTriedAgain) {
  EXPECT_EQ(obstacle_to_stopped_walk(1 << 20), "");
  EXPECT_EQ(obstacle_to_stopped_walk(uint64_t{1} << 50),
            "a walk over 1073741824 MB of objects would stop the program for too long");
  stopped_walk_took_too_long(2 << 20);
  stopped_walk_took_too_long(3 << 20);
  EXPECT_EQ(obstacle_to_stopped_walk(2 << 20), "a walk over 2 MB of objects would stop the program for too long");
  EXPECT_EQ(obstacle_to_stopped_walk(1 << 20), "");
  stopped_walk_took_too_long(0);
  EXPECT_NE(obstacle_to_stopped_walk(1 << 10), "");
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

TEST(Contents, EqualOnesHaveOneHash) {
  std::mt19937_64 random(1);
  std::map<uint64_t, std::string> known;
  for (size_t size = 0; size < 200; ++size) {
    for (int i = 0; i < 200; ++i) {
      std::string text(size, '\0');
      for (char& c : text) c = static_cast<char>(random() % 2);
      const Contents contents = contents_of(reinterpret_cast<uintptr_t>(text.data()), size, 7);
      EXPECT_EQ(contents.is_zero, text.find_first_not_of('\0') == text.npos);
      const auto [at, is_new] = known.try_emplace(contents.hash, text);
      ASSERT_EQ(at->second, text);
      const std::string copy = "x" + text;  // not aligned
      ASSERT_EQ(contents_of(reinterpret_cast<uintptr_t>(copy.data() + 1), size, 7).hash, contents.hash);
      ASSERT_NE(contents_of(reinterpret_cast<uintptr_t>(copy.data() + 1), size, 8).hash, contents.hash);
    }
  }
}

TEST(RepeatedContents, HasAllThatComeTwiceAndFewOthers) {
  RepeatedContents repeated;
  ASSERT_TRUE(repeated.prepare(64 << 20));
  std::mt19937_64 random(1);
  std::vector<uint64_t> once(100'000), twice(100'000);
  for (uint64_t& hash : once) repeated.add(hash = random());
  for (uint64_t& hash : twice) repeated.add(hash = random());
  for (const uint64_t hash : twice) repeated.add(hash);
  repeated.end();
  EXPECT_TRUE(std::ranges::all_of(twice, [&](uint64_t hash) { return repeated.contains(hash); }));
  EXPECT_LT(std::ranges::count_if(once, [&](uint64_t hash) { return repeated.contains(hash); }), 10'000);
}

TEST(LargestTexts, TellsThoseWithTheMostBytes) {
  // A string as the runtime has it: its type, its length, its characters.
  struct Text {
    uint64_t type;
    uint32_t length;
    char16_t units[300];
  };
  std::vector<Text> texts(3);
  for (uint32_t i = 0; i < 3; ++i) {
    texts[i].length = i == 2 ? 300 : 5;
    std::fill_n(texts[i].units, 300, static_cast<char16_t>(u'a' + i));
  }
  LargestTexts largest;
  ASSERT_TRUE(largest.prepare());
  std::mt19937_64 random(1);
  for (uint64_t i = 0; i < 200'000; ++i) {
    if (i % 100 == 0) largest.add(11, reinterpret_cast<uintptr_t>(&texts[0]), i, 32);
    if (i % 100 == 1) largest.add(22, reinterpret_cast<uintptr_t>(&texts[2]), i, 624);
    if (i < 9) largest.add(33, reinterpret_cast<uintptr_t>(&texts[1]), i, 1 << 20);  // too few to be worth it
    largest.add(random(), reinterpret_cast<uintptr_t>(&texts[1]), i, 32);
  }
  const PageMemory memory(sizeof(FoundHeap));
  auto& found = *memory.as<FoundHeap>();
  largest.tell(found);
  ASSERT_EQ(found.texts_count, 2u);
  EXPECT_EQ(found.texts[0].object, 1u);
  EXPECT_EQ(std::u16string(found.texts[0].text, found.texts[0].units), std::u16string(240, u'c'));
  EXPECT_EQ(found.texts[1].object, 0u);
  EXPECT_EQ(std::u16string(found.texts[1].text, found.texts[1].units), std::u16string(5, u'a'));
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

struct Shared {
  std::atomic<int> ran, faults, open_files;
  int file;
};

constexpr std::chrono::seconds kCpu{10};

std::atomic<int> signals_of_children{0};

TEST(ForkedCopy, RunsUnnoticed) {
  struct sigaction action {
  }, before{};
  action.sa_handler = [](int) { ++signals_of_children; };
  sigaction(SIGCHLD, &action, &before);
  const PageMemory memory(sizeof(Shared), PageMemory::Kind::kShared);
  auto& shared = *memory.as<Shared>();
  shared.file = open("/dev/null", O_WRONLY | O_CLOEXEC);
  ForkedCopy copy;
  const auto run = [](void* argument) {
    auto& its = *static_cast<Shared*>(argument);
    for (int i = 0; i < 256; ++i)
      if (fcntl(i, F_GETFD) >= 0) ++its.open_files;
    ++its.ran;
  };
  ASSERT_EQ(copy.start(
                run, [](void*) {}, &shared, shared.file, kCpu),
            0);
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);  // the program sees no child
  EXPECT_EQ(copy.wait(std::chrono::seconds(60)), "");
  EXPECT_EQ(shared.ran, 1);
  EXPECT_EQ(shared.open_files, 1);
  EXPECT_EQ(signals_of_children, 0);
  sigaction(SIGCHLD, &before, nullptr);
  close(shared.file);
}

TEST(ForkedCopy, FaultsAndEndlessWorkEndIt) {
  const PageMemory memory(sizeof(Shared), PageMemory::Kind::kShared);
  auto& shared = *memory.as<Shared>();
  const auto fault = [](void* argument) { ++static_cast<Shared*>(argument)->faults; };
  ForkedCopy faulting;
  ASSERT_EQ(faulting.start([](void*) { *reinterpret_cast<volatile int*>(8) = 1; }, fault, &shared, -1, kCpu), 0);
  EXPECT_EQ(faulting.wait(std::chrono::seconds(60)), "");
  EXPECT_EQ(shared.faults, 1);
  ForkedCopy endless;
  ASSERT_EQ(endless.start(
                [](void*) {
                  for (;;) pause();
                },
                fault, &shared, -1, kCpu),
            0);
  EXPECT_EQ(endless.wait(std::chrono::seconds(1)), "the walk over the heap took longer than 1 s");
  ForkedCopy helped;
  int left = 5;
  ASSERT_EQ(helped.start([](void*) { usleep(200'000); }, fault, &shared, -1, kCpu), 0);
  EXPECT_EQ(helped.wait(std::chrono::seconds(60), [&] { return left != 0 && left-- != 0; }), "");
  EXPECT_EQ(left, 0);
  ForkedCopy failing;
  ASSERT_EQ(failing.start([](void*) { pause(); }, fault, &shared, -1, kCpu), 0);
  EXPECT_EQ(failing.wait(std::chrono::seconds(60), []() -> bool { throw std::bad_alloc(); }), "out of memory");
  ForkedCopy busy;
  const auto spin = [](void*) {
    for (std::atomic<int> i = 0;; ++i) {
    }
  };
  ASSERT_EQ(busy.start(spin, fault, &shared, -1, std::chrono::seconds(1)), 0);
  EXPECT_EQ(busy.wait(std::chrono::seconds(600)), "the walk over the heap came to no end");
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG | __WALL), -1);
}

TEST(FreeMemory, IsKnown) {
  EXPECT_GT(free_memory(), uint64_t{1} << 20);
  EXPECT_EQ(obstacle_to_copy(0), "");
  EXPECT_NE(obstacle_to_copy(uint64_t{1} << 50), "");
}

}  // namespace
}  // namespace oriel::coreclr
