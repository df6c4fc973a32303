// A log with snapshots of a shop's heap.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "heap/maker/heap_maker.h"
#include "profile/profile.h"

namespace oriel::heap {

constexpr uint64_t kTicksPerMinute = 60'000'000'000;

// A log, and its folder, for as long as a test runs.
class HeapLog {
 public:
  HeapLog() {
    char folder[] = "/tmp/oriel-heap-report-XXXXXX";
    if (mkdtemp(folder) == nullptr) std::abort();
    folder_ = folder;
    writer_ = std::move(*log::Writer::create(path()));
    log::Intro intro;
    intro.clock = {1'000, 1'000'000};
    writer_->intro(intro);
    log::Mapping mapping;
    mapping.start = mapping.end = intro.clock;
    const char* names[] = {"System.Collections.Generic.Dictionary<int, Shop.Order>",
                           "System.Collections.Generic.Dictionary<int, Shop.Order>.Entry[]", "Shop.Order",
                           "Shop.Program", "string"};
    for (uint64_t i = 0; i < 5; ++i) mapping.classes.push_back({i + 1, 0, 0, names[i]});
    mapping.methods.push_back({10, 4, "Main()", ""});
    mapping.threads.push_back({1, 100, true, "main"});
    writer_->mapping(mapping);
  }
  ~HeapLog() { std::filesystem::remove_all(folder_); }
  HeapLog(const HeapLog&) = delete;

  std::string path() const { return folder_ + "/shop.oriel"; }

  // A dictionary in a static field with so many orders, each of 20 kB; one more in a local variable, and garbage.
  HeapLog& snapshot(uint64_t orders) {
    HeapMaker maker(++snapshots_);
    const uint64_t dictionary = maker.type(1, 80, {"_buckets", "_entries"});
    const uint64_t entries = maker.type(2, 16, {}, 24, {"value"}), order = maker.type(3, 20'000, {"next"});
    std::vector<uint64_t> references;
    for (uint64_t i = 0; i < orders; ++i) references.push_back(2 + i);
    maker.object(dictionary, {HeapMaker::kNull, 1});
    maker.object(entries, references, orders);
    for (uint64_t i = 0; i < orders + 5; ++i) maker.object(order);
    maker.root(log::HeapRootKind::kStatic, 0, "Shop.Cache.Orders");
    maker.root(log::HeapRootKind::kStack, 2 + orders, "", 1, 10);
    return add(maker);
  }

  // So many orders with equal texts of 10 kB.
  HeapLog& texts(uint64_t orders) {
    HeapMaker maker(++snapshots_);
    const uint64_t entries = maker.type(2, 24, {}, 24, {"value"}), order = maker.type(3, 24, {"_currency"}),
                   text = maker.type(5, 22, {}, 2);
    maker.details(text, log::HeapTypeKind::kOther, {log::HeapValueKind::kContents});
    std::vector<uint64_t> references;
    for (uint64_t i = 0; i < orders; ++i) references.push_back(1 + 2 * i);
    maker.object(entries, references, orders);
    for (uint64_t i = 0; i < orders; ++i) {
      maker.object(order, {2 + 2 * i});
      maker.values(maker.object(text, {}, 5'000), {12'345});
    }
    maker.text(2, "pounds");
    maker.root(log::HeapRootKind::kStatic, 0, "Shop.Cache.Orders");
    maker.write(*writer_);
    return *this;
  }

  // So many orders, each of which refers to the next one.
  HeapLog& chain(uint64_t orders) {
    HeapMaker maker(++snapshots_);
    const uint64_t order = maker.type(3, 24, {"next"});
    for (uint64_t i = 0; i < orders; ++i) maker.object(order, {i + 1 < orders ? i + 1 : HeapMaker::kNull});
    maker.root(log::HeapRootKind::kStatic, 0, "Shop.Cache.First");
    maker.write(*writer_);
    return *this;
  }

  // Likewise of 20 kB each; a longer chain has more behind those of a shorter one.
  HeapLog& large_chain(uint64_t orders) {
    HeapMaker maker(++snapshots_);
    const uint64_t order = maker.type(3, 20'000, {"next"});
    for (uint64_t i = 1; i <= orders; ++i) maker.object(order, {i < orders ? i : HeapMaker::kNull});
    maker.root(log::HeapRootKind::kStatic, 0, "Shop.Cache.First");
    return add(maker);
  }

  // The next snapshots are taken while the program is stopped.
  HeapLog& without_copies(const std::string& why) {
    not_copied_ = why;
    return *this;
  }

  profile::Profile load() {
    EXPECT_TRUE(writer_->flush({}).is_ok());
    writer_->close();
    Result<profile::Profile> profile = profile::load(path());
    EXPECT_TRUE(profile.is_ok());
    return std::move(*profile);
  }

 private:
  // One a minute.
  HeapLog& add(HeapMaker& maker) {
    const ClockPair clock{1'000 + snapshots_ * kTicksPerMinute, 1'000'000 + snapshots_ * 60'000'000};
    log::ProcessUsage usage;
    usage.clock = clock;
    writer_->process(usage);
    maker.snapshot().counter = clock.counter;
    maker.snapshot().cause = "interval";
    maker.snapshot().frozen_ns = 41'000'000;
    maker.snapshot().not_copied = not_copied_;
    maker.write(*writer_);
    return *this;
  }

  std::string folder_;
  std::unique_ptr<log::Writer> writer_;
  uint64_t snapshots_ = 0;
  std::string not_copied_;
};

}  // namespace oriel::heap
