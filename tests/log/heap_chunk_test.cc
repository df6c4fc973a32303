// Chunks of a heap snapshot, from the writer that a forked copy uses to what readers unpack.
#include "log/heap_chunk.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <memory>

#include "base/varint.h"
#include "log/decoder.h"
#include "log/heap_chunk_writer.h"
#include "log/sample_log.h"
#include "log/writer.h"

namespace oriel::log {
namespace {

struct ReadObject {
  uint64_t type = 0, address = 0, length = 0;
  bool operator==(const ReadObject&) const = default;
};

constexpr uint64_t kPlainType = 1, kArrayType = 2;

// Everything that the chunks of a log hold.
class Gathered : public EventSink {
 public:
  std::vector<ReadObject> objects;
  std::vector<uint64_t> slots;
  HeapSnapshot snapshot;

  void on_heap_objects(const HeapChunk& chunk) override {
    EXPECT_EQ(chunk.first, objects.size());
    std::vector<uint8_t> raw;
    ObjectStreams streams;
    ASSERT_TRUE(unpack(chunk, raw) && split(raw, streams));
    const uint8_t *type = streams.types.data(), *gap = streams.gaps.data(), *length = streams.lengths.data();
    const uint8_t* const end = raw.data() + raw.size();
    uint64_t expected = 0;
    for (uint64_t i = 0; i < chunk.count; ++i) {
      ReadObject object;
      uint64_t ahead = 0;
      type = read_varint(type, end, object.type);
      gap = read_varint(gap, end, ahead);
      object.address = expected + static_cast<uint64_t>(from_zigzag(ahead) * 8);
      if (object.type == kArrayType) length = read_varint(length, end, object.length);
      expected = object.address + 24 + (object.length * 8);
      objects.push_back(object);
    }
    EXPECT_EQ(length, end);
  }
  void on_heap_references(const HeapChunk& chunk) override {
    EXPECT_EQ(chunk.first, slots.size());
    std::vector<uint8_t> raw;
    ASSERT_TRUE(unpack(chunk, raw));
    const uint8_t* at = raw.data();
    for (uint64_t i = 0; i < chunk.count; ++i) at = read_varint(at, raw.data() + raw.size(), slots.emplace_back());
    EXPECT_EQ(at, raw.data() + raw.size());
  }
  void on_heap(const HeapSnapshot& heap) override { snapshot = heap; }
};

std::vector<uint8_t> bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(HeapChunks, AreReadAsTheyWereWritten) {
  constexpr uint64_t kObjects = 200'000;
  std::vector<ReadObject> objects;
  std::vector<uint64_t> targets;
  const TemporaryFile chunks, log;
  {
    const auto memory = std::make_unique<uint8_t[]>(HeapChunkWriter::memory_bytes());
    const int file = open(chunks.path().c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    HeapChunkWriter writer(memory.get(), file, 7);
    uint64_t address = 0x7f00'0000'0000;
    for (uint64_t i = 0; i < kObjects; ++i) {
      if (i == kObjects / 2) address -= 1 << 20;  // another piece of the heap, below
      const uint64_t length = i % 3 == 0 ? i % 7 : 0;
      const ReadObject object{i % 3 == 0 ? kArrayType : kPlainType, address, length};
      const uint64_t bytes = 24 + length * 8;
      writer.object(object.type, address, bytes, i % 3 == 0, length);
      objects.push_back(object);
      address += bytes + (i % 100 == 0 ? 64 : 0);
      for (const uint64_t target : {i * 7 % kObjects + 1, uint64_t{0}, i + 1}) {
        writer.slot(i, target);
        targets.push_back(target == 0 ? 0 : zigzag(static_cast<int64_t>(target - 1) - static_cast<int64_t>(i)) + 1);
      }
    }
    writer.finish();
    EXPECT_EQ(writer.error(), 0);
    close(file);
    EXPECT_EQ(writer.bytes_written(), bytes_of(chunks.path()).size());
  }
  const auto writer = Writer::create(log.path());
  ASSERT_TRUE(writer.is_ok()) << writer.message();
  (*writer)->intro({});
  (*writer)->whole_blocks(bytes_of(chunks.path()));
  HeapSnapshot snapshot;
  snapshot.number = 7;
  snapshot.objects = kObjects;
  snapshot.types = {{1, 5, 10, 240, 24, 0, {{9, "next"}}, {}}, {2, 0, 1, 24, 24, 8, {}, {{1, ""}}}};
  snapshot.roots = {{1, 3, 0, 0, 0, "Shop.Cache.Entries"}};
  (*writer)->heap(snapshot);
  ASSERT_TRUE((*writer)->flush({}).is_ok());
  (*writer)->close();

  Gathered read;
  const auto outcome = decode_file(log.path(), read);
  ASSERT_TRUE(outcome.is_ok());
  EXPECT_EQ(outcome->corrupt_blocks, 0u);
  EXPECT_EQ(read.objects, objects);
  EXPECT_EQ(read.slots, targets);
  EXPECT_EQ(read.snapshot.objects, kObjects);
  ASSERT_EQ(read.snapshot.types.size(), 2u);
  EXPECT_EQ(read.snapshot.types[0].slots.at(0).field, "next");
  EXPECT_EQ(read.snapshot.types[1].element_slots.at(0).place, 1u);
  EXPECT_EQ(read.snapshot.roots.at(0).name, "Shop.Cache.Entries");
}

TEST(HeapChunks, AreRefusedWhereTheirSizesAreWrong) {
  const std::vector<uint8_t> frame(100, 1);
  std::vector<uint8_t> raw;
  EXPECT_FALSE(unpack({1, 0, 10, kMaxChunkBytes + 1, frame}, raw));
  EXPECT_FALSE(unpack({1, 0, 10, 9, frame}, raw));
  EXPECT_FALSE(unpack({1, 0, 10, 100, frame}, raw));
  ObjectStreams streams;
  EXPECT_FALSE(split(std::vector<uint8_t>{0x85, 0x80, 1, 2}, streams));
  EXPECT_FALSE(split(std::vector<uint8_t>{0x85}, streams));
}

}  // namespace
}  // namespace oriel::log
