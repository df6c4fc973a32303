#include "engine/things/tables.h"

#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

namespace oriel {
namespace {

struct Record {
  uint32_t id = 0;
  int value = 0;
};

TEST(IdTable, GivesDenseIdsAcrossSegments) {
  auto table = std::make_unique<IdTable<Record>>();
  std::vector<std::unique_ptr<Record>> records;
  for (int i = 0; i < 10'000; ++i) {
    records.push_back(std::make_unique<Record>());
    table->append(records.back().get());
    EXPECT_EQ(records.back()->id, static_cast<uint32_t>(i + 1));
  }
  EXPECT_EQ(table->count(), 10'000u);
  for (uint32_t id = 1; id <= 10'000; ++id) ASSERT_EQ(table->get(id), records[id - 1].get());
  EXPECT_EQ(table->get(0), nullptr);
  EXPECT_EQ(table->get(10'001), nullptr);
}

TEST(IdTable, ReadersSeeEveryIdUpToTheCount) {
  auto table = std::make_unique<IdTable<Record>>();
  std::vector<Record> records(20'000);
  std::atomic<bool> done{false};
  std::thread reader([&] {
    while (!done) {
      const uint32_t count = table->count();
      for (uint32_t id = count > 50 ? count - 50 : 1; id <= count; ++id) {
        const Record* record = table->get(id);
        ASSERT_NE(record, nullptr);
        ASSERT_EQ(record->id, id);
        ASSERT_EQ(record->value, 42);
      }
    }
  });
  for (Record& record : records) {
    record.value = 42;
    table->append(&record);
  }
  done = true;
  reader.join();
}

TEST(InternMap, MakesOneRecordAKeyWhoeverAsks) {
  InternMap<Record> map;
  std::atomic<int> made{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (uint64_t key = 1; key <= 5000; ++key) {
        map.find_or_make(key * 16, [&] {
          made.fetch_add(1);
          return new Record;
        });
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(made.load(), 5000);
  for (uint64_t key = 1; key <= 5000; ++key) delete map.find(key * 16);
}

TEST(InternMap, ForgetsOnlyTheRecordItIsAskedTo) {
  InternMap<Record> map;
  Record first, second;
  map.put(1, &first);
  map.forget(1, &second);
  EXPECT_EQ(map.find(1), &first);
  map.forget(1, &first);
  EXPECT_EQ(map.find(1), nullptr);
}

TEST(InternMap, FindsAllOfThemAfterManyWereForgotten) {
  InternMap<Record> map;
  std::vector<Record> records(50'000);
  for (uint64_t key = 0; key < records.size(); ++key) {
    map.put(key, &records[key]);
    if (key % 5 != 0) map.forget(key, &records[key]);
  }
  for (uint64_t key = 0; key < records.size(); ++key) {
    ASSERT_EQ(map.find(key), key % 5 == 0 ? &records[key] : nullptr) << key;
  }
}

// What always is there must always be found, whatever comes, goes and grows beside it; and what is found is of that
// key.
TEST(InternMap, IsReadWhileOthersChangeIt) {
  InternMap<Record> map;
  std::vector<Record> lasting(2000), passing(20'000);
  for (size_t i = 0; i < lasting.size(); ++i) lasting[i].value = static_cast<int>(i * 2);
  for (size_t i = 0; i < passing.size(); ++i) passing[i].value = static_cast<int>(i * 2 + 1);
  for (size_t i = 0; i < 10; ++i) map.put(i * 2, &lasting[i]);
  std::atomic<size_t> stays{10};
  std::atomic<int> writers{2};
  std::thread grower([&] {
    for (size_t i = 10; i < lasting.size(); ++i) {
      map.find_or_make(i * 2, [&] { return &lasting[i]; });
      stays.store(i + 1, std::memory_order_release);
    }
    --writers;
  });
  std::thread unloader([&] {
    for (size_t i = 0; i < passing.size(); ++i) {
      map.put(i * 2 + 1, &passing[i]);
      if (i >= 8) map.forget((i - 8) * 2 + 1, &passing[i - 8]);
    }
    --writers;
  });
  std::vector<std::thread> readers;
  for (int t = 0; t < 2; ++t) {
    readers.emplace_back([&] {
      while (writers.load() != 0) {
        const size_t there = stays.load(std::memory_order_acquire);
        for (size_t i = 0; i < there; ++i) ASSERT_EQ(map.find(i * 2), &lasting[i]);
        for (uint64_t key = 1; key < 2 * passing.size(); key += 2) {
          const Record* record = map.find(key);
          if (record) {
            ASSERT_EQ(record->value, static_cast<int>(key));
          }
        }
      }
    });
  }
  for (std::thread* thread : {&grower, &unloader}) thread->join();
  for (std::thread& thread : readers) thread.join();
}

}  // namespace
}  // namespace oriel
