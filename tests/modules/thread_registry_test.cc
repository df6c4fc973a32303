#include "modules/thread_registry.h"

#include <gtest/gtest.h>

#include <set>
#include <thread>
#include <vector>

#include "modules/fake_engine.h"

namespace oriel::modules {
namespace {

struct Record {
  explicit Record(uint32_t id) : thread(id) {}
  uint32_t thread;
  std::atomic<bool> finished{false};
  unsigned left = 0;
  Record* next_record = nullptr;
};

void finish(void* record) { static_cast<Record*>(record)->finished.store(true, std::memory_order_release); }

std::vector<const Record*> list_of(ThreadRegistry<Record>& registry) {
  std::vector<const Record*> list;
  for (const Record* record = registry.all(); record; record = record->next_record) list.push_back(record);
  return list;
}

TEST(ThreadRegistry, HasTheRecordsOfAllThreadsNewestFirst) {
  static ThreadRegistry<Record> registry(finish);
  EXPECT_TRUE(list_of(registry).empty());
  std::vector<const Record*> made;
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 2; ++i) std::thread([&] { made.insert(made.begin(), registry.make()); }).join();
    EXPECT_EQ(list_of(registry), made);
  }
}

TEST(ThreadRegistry, LosesNoneOfThoseThatComeAtOnce) {
  static ThreadRegistry<Record> registry(finish);
  constexpr unsigned kThreads = 8, kEach = 200;
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < kThreads; ++i) {
    threads.emplace_back([] {
      for (unsigned j = 0; j < kEach; ++j) registry.make();
    });
  }
  while (list_of(registry).size() < kThreads * kEach) std::this_thread::yield();
  for (std::thread& thread : threads) thread.join();
  const auto list = list_of(registry);
  EXPECT_EQ(std::set<const Record*>(list.begin(), list.end()).size(), kThreads * kEach);
}

TEST(ThreadRegistry, DeletesARecordOnceItsThreadHasEndedAndItIsEmpty) {
  static ThreadRegistry<Record> registry(finish);
  fake::engine().threads = {{7, 1, "main"}};
  Record* own = registry.make();
  ASSERT_TRUE(own);
  EXPECT_EQ(own->thread, 7u);
  std::thread([] { registry.make()->left = 2; }).join();
  std::thread([] { registry.make(); }).join();
  const auto visited = [] {
    unsigned count = 0;
    registry.drain([&](Record& record) { return ++count, record.left == 0 || --record.left == 0; });
    return count;
  };
  EXPECT_EQ(visited(), 3u);  // the last one's is empty and goes
  EXPECT_EQ(visited(), 2u);
  EXPECT_EQ(visited(), 1u);
  EXPECT_EQ(list_of(registry), std::vector<const Record*>{own});
}

}  // namespace
}  // namespace oriel::modules
