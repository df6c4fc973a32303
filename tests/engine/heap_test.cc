// What walks over any heap need: the map of objects, memory, contents, bounds, the copy of the process.
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

#include "engine/heap/contents.h"
#include "engine/heap/forked_copy.h"
#include "engine/heap/free_memory.h"
#include "engine/heap/memory_maps.h"
#include "engine/heap/native_memory.h"
#include "engine/heap/object_map.h"
#include "engine/heap/walk_bounds.h"

namespace oriel {
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
  EXPECT_TRUE(WalkBounds::without_looks_at_memory(1).are_reached_now());
  EXPECT_FALSE(WalkBounds::without_looks_at_memory(UINT64_MAX).are_reached_now());
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
  largest.tell(found, {8, 12});
  ASSERT_EQ(found.texts_count, 2u);
  EXPECT_EQ(found.texts[0].object, 1u);
  EXPECT_EQ(std::u16string(found.texts[0].text, found.texts[0].units), std::u16string(240, u'c'));
  EXPECT_EQ(found.texts[1].object, 0u);
  EXPECT_EQ(std::u16string(found.texts[1].text, found.texts[1].units), std::u16string(5, u'a'));
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
  ForkedCopy stuck;
  ASSERT_EQ(stuck.start([](void*) { pause(); }, fault, &shared, -1, kCpu), 0);
  EXPECT_EQ(stuck.wait(std::chrono::seconds(60), [&] { return stuck.give_up(), false; }),
            "the walk over the heap came to no end");
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

TEST(ForkedCopy, TheProgramsEndEndsThoseThatRun) {
  const auto wait = [](void*) { pause(); };
  ForkedCopy copy, later;
  ASSERT_EQ(copy.start(
                wait, [](void*) {}, nullptr, -1, kCpu),
            0);
  EXPECT_EQ(copy.wait(std::chrono::seconds(60), [] { return ForkedCopy::end_all(), false; }), "the program ends");
  ASSERT_EQ(later.start([](void*) {}, [](void*) {}, nullptr, -1, kCpu), 0);  // the last snapshot of a log
  EXPECT_EQ(later.wait(std::chrono::seconds(60)), "");
}

TEST(FreeMemory, IsKnown) {
  EXPECT_GT(free_memory(), uint64_t{1} << 20);
  EXPECT_EQ(obstacle_to_copy(0), "");
  EXPECT_NE(obstacle_to_copy(uint64_t{1} << 50), "");
}

}  // namespace
}  // namespace oriel
