#include "heap_log_maker.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <random>
#include <vector>

#include "log/heap_chunk_writer.h"
#include "log/writer.h"

namespace oriel::bench {
namespace {

constexpr uint64_t kTicksPerSecond = 2'500'000'000;

enum Type : uint64_t { kDictionary = 1, kEntries, kOrder, kList, kLines, kLine, kText, kTypes = kText };
enum Part : uint64_t {
  kOrderPart,
  kListPart,
  kLinesPart,
  kLinePart,
  kTextPart = kLinePart + 3,
  kParts = kTextPart + 2
};
constexpr uint64_t kLinesAnOrder = 3;
constexpr uint64_t kFirstOrder = 2;  // after the dictionary and its entries

constexpr const char* kNames[] = {"System.Collections.Generic.Dictionary<int, Shop.Order>",
                                  "System.Collections.Generic.Dictionary<int, Shop.Order>.Entry[]",
                                  "Shop.Order",
                                  "System.Collections.Generic.List<Shop.Line>",
                                  "Shop.Line[]",
                                  "Shop.Line",
                                  "string"};

std::vector<log::HeapType> types() {
  return {{kDictionary, kDictionary, 0, 0, 80, 0, {{9, "_buckets"}, {17, "_entries"}}, {}},
          {kEntries, kEntries, 0, 0, 16, 24, {}, {{1, "value"}}},
          {kOrder, kOrder, 0, 0, 48, 0, {{9, "_customer"}, {17, "_lines"}, {25, "_related"}}, {}},
          {kList, kList, 0, 0, 32, 0, {{9, "_items"}}, {}},
          {kLines, kLines, 0, 0, 16, 8, {}, {{1, ""}}},
          {kLine, kLine, 0, 0, 40, 0, {{9, "_name"}, {17, "_order"}}, {}},
          {kText, kText, 0, 0, 22, 2, {}, {}}};
}

// Writes a snapshot's chunks, and counts.
class SnapshotMaker {
 public:
  SnapshotMaker(uint64_t number, uint64_t objects, int file)
      : orders_(objects / kParts),
        memory_(new uint8_t[log::HeapChunkWriter::memory_bytes()]),
        chunks_(memory_.get(), file, number) {
    snapshot_.number = number;
    snapshot_.types = types();
  }

  log::HeapSnapshot run() {
    object(kDictionary);
    slots({0, 2});
    object(kEntries, orders_);
    for (uint64_t order = 0; order < orders_; ++order) slots({1 + part(order, kOrderPart)});
    for (uint64_t order = 0; order < orders_; ++order) make_order(order);
    chunks_.finish();
    snapshot_.roots = {{static_cast<uint64_t>(log::HeapRootKind::kStatic), 0, 0, 0, 0, "Shop.Cache.Orders"}};
    return snapshot_;
  }
  int error() const { return chunks_.error(); }

 private:
  static uint64_t part(uint64_t order, uint64_t which) { return kFirstOrder + order * kParts + which; }

  void make_order(uint64_t order) {
    const uint64_t related = order == 0 ? 0 : 1 + part(random_() % order, kOrderPart);
    object(kOrder);
    slots({1 + part(random_() % (order + 1), kTextPart), 1 + part(order, kListPart), random_() % 4 == 0 ? related : 0});
    object(kList);
    slots({1 + part(order, kLinesPart)});
    object(kLines, kLinesAnOrder + 1);
    for (uint64_t i = 0; i < kLinesAnOrder; ++i) slots({1 + part(order, kLinePart + i)});
    slots({0});
    for (uint64_t i = 0; i < kLinesAnOrder; ++i) {
      object(kLine);
      slots({1 + part(order, kTextPart + i % 2), 1 + part(order, kOrderPart)});
    }
    for (int i = 0; i < 2; ++i) object(kText, 5 + random_() % 20);
  }

  void object(Type type, uint64_t length = 0) {
    log::HeapType& its = snapshot_.types[type - 1];
    const uint64_t bytes = log::heap_object_bytes(its, length);
    chunks_.object(type, address_, bytes, its.element_size != 0, length);
    current_ = snapshot_.objects++;
    address_ += bytes;
    snapshot_.bytes += bytes;
    ++its.objects;
    its.bytes += bytes;
  }
  void slots(std::initializer_list<uint64_t> targets) {
    for (const uint64_t target : targets) chunks_.slot(current_, target);
    snapshot_.slots += targets.size();
  }

  log::HeapSnapshot snapshot_;
  uint64_t orders_;
  std::unique_ptr<uint8_t[]> memory_;
  log::HeapChunkWriter chunks_;
  std::mt19937 random_{42};
  uint64_t address_ = 0x7f00'0000'0000;
  uint64_t current_ = 0;
};

Result<log::HeapSnapshot> add_snapshot(uint64_t number, uint64_t objects, log::Writer& writer) {
  const int file = memfd_create("heap", MFD_CLOEXEC);
  SnapshotMaker maker(number, objects, file);
  const log::HeapSnapshot snapshot = maker.run();
  std::vector<uint8_t> blocks(static_cast<size_t>(lseek(file, 0, SEEK_END)));
  const bool is_read = pread(file, blocks.data(), blocks.size(), 0) == static_cast<ssize_t>(blocks.size());
  close(file);
  if (maker.error() != 0 || !is_read) return Status::error("no memory for the snapshot");
  writer.whole_blocks(blocks);
  return snapshot;
}

}  // namespace

Result<uint64_t> make_heap_log(const std::string& path, const HeapLogShape& shape) {
  const auto writer = log::Writer::create(path);
  if (!writer) return writer.status();
  log::Intro intro;
  intro.runtime = ".NET 10.0.0";
  intro.clock = clock_pair();
  intro.properties = {{"command", "dotnet exec generated.dll"}, {"counter", "tsc"}};
  (*writer)->intro(intro);
  log::Mapping mapping;
  mapping.start = mapping.end = intro.clock;
  mapping.images.push_back({1, "Shop.dll", "/srv/Shop.dll", "Shop"});
  for (uint64_t i = 1; i <= kTypes; ++i) mapping.classes.push_back({i, 0, 1, kNames[i - 1]});
  (*writer)->mapping(mapping);
  ClockPair clock = intro.clock;
  uint64_t objects = 0;
  for (uint32_t i = 1; i <= shape.snapshots; ++i) {
    clock.counter += 60 * kTicksPerSecond;
    clock.unix_us += 60'000'000;
    Result<log::HeapSnapshot> snapshot = add_snapshot(i, shape.objects * i / shape.snapshots, **writer);
    if (!snapshot) return snapshot.status();
    snapshot->counter = clock.counter;
    snapshot->cause = "interval";
    objects = snapshot->objects;
    (*writer)->heap(*snapshot);
    if (Status status = (*writer)->flush({}); !status) return status;
  }
  (*writer)->end({log::kVersion2, clock.counter, clock.unix_us});
  if (Status status = (*writer)->flush({}); !status) return status;
  return objects;
}

}  // namespace oriel::bench
