// A snapshot as a graph: objects, references, and files that are damaged.
#include "heap/graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zstd.h>

#include <random>

#include "base/varint.h"
#include "heap/dominators.h"
#include "heap/maker/heap_maker.h"
#include "heap/paths.h"

namespace oriel::heap {
namespace {

using log::HeapRootKind;
using testing::ElementsAre;
using testing::HasSubstr;

void write_int(uint64_t value, std::vector<uint8_t>& bytes) {
  uint8_t room[kMaxVarintBytes];
  bytes.insert(bytes.end(), room, write_varint(room, value));
}

std::vector<uint8_t> frame_of(const std::vector<uint8_t>& bytes) {
  std::vector<uint8_t> frame(ZSTD_compressBound(bytes.size()));
  frame.resize(ZSTD_compress(frame.data(), frame.size(), bytes.data(), bytes.size(), 1));
  return frame;
}

std::vector<uint32_t> targets_of(const Graph& graph, uint32_t object) {
  const auto references = graph.references(object);
  return {references.begin(), references.end()};
}

TEST(HeapGraph, HasObjectsAndTheirReferences) {
  HeapMaker maker;
  const uint64_t order = maker.type(5, 32, {"next", "customer"});
  const uint64_t table = maker.type(6, 24, {}, 16, {"key", "value"});
  const uint64_t text = maker.type(7, 22, {}, 2);
  maker.object(order, {HeapMaker::kNull, 2});
  maker.object(table, {2, 0, HeapMaker::kNull, 0}, 2);
  maker.object(text, {}, 10);
  maker.dependent(2, 0);
  const auto graph = maker.graph();
  ASSERT_TRUE(graph.is_ok()) << graph.message();
  EXPECT_EQ(graph->problem, "");
  ASSERT_EQ(graph->objects(), 3u);
  EXPECT_EQ(graph->bytes(0), 32u);
  EXPECT_EQ(graph->bytes(1), 56u);
  EXPECT_EQ(graph->bytes(2), 48u);
  EXPECT_THAT(targets_of(*graph, 0), ElementsAre(2u));
  EXPECT_THAT(targets_of(*graph, 1), ElementsAre(2u, 0u, 0u));
  EXPECT_THAT(targets_of(*graph, 2), ElementsAre(0u));
  const auto name_of = [&](uint32_t object, uint32_t edge) {
    return place_name(graph->type(object), graph->places[graph->first_edge[object] + edge]);
  };
  EXPECT_EQ(name_of(0, 0), "customer");
  EXPECT_EQ(name_of(1, 0), "[].key");
  EXPECT_EQ(name_of(1, 2), "[].value");
  EXPECT_EQ(name_of(2, 0), "a dependent handle");
}

TEST(HeapGraph, SpansManyChunks) {
  constexpr uint64_t kObjects = 300'000;
  HeapMaker maker;
  const uint64_t all = maker.type(1, 24, {}, 8, {""}), one = maker.type(2, 24, {"array"});
  std::vector<uint64_t> elements;
  for (uint64_t i = 1; i < kObjects; ++i) elements.push_back(i);
  maker.object(all, elements, kObjects - 1);
  for (uint64_t i = 1; i < kObjects; ++i) maker.object(one, {0});
  const auto graph = maker.graph();
  ASSERT_TRUE(graph.is_ok()) << graph.message();
  ASSERT_EQ(graph->objects(), kObjects);
  EXPECT_EQ(graph->targets.size(), 2 * (kObjects - 1));
  EXPECT_EQ(graph->references(0).back(), kObjects - 1);
  EXPECT_THAT(targets_of(*graph, kObjects - 1), ElementsAre(0u));
}

TEST(HeapGraph, IsRefusedWithASentence) {
  HeapMaker maker;
  const uint64_t type = maker.type(1, 24, {"next"});
  for (uint64_t i = 0; i < 1000; ++i) maker.object(type, {(i + 1) % 1000});
  const auto other = maker.graph(2);
  ASSERT_FALSE(other.is_ok());
  EXPECT_THAT(other.message(), HasSubstr("no snapshot 2"));
  const auto large = maker.graph(1, 1000);
  ASSERT_FALSE(large.is_ok());
  EXPECT_THAT(large.message(), HasSubstr("too large for this machine's memory"));
}

// A snapshot whose chunks have these bytes, of 100 objects and 200 slots.
Result<Graph> graph_of_streams(const std::vector<uint8_t>& objects, const std::vector<uint8_t>& slots) {
  return graph_told(1, uint64_t{1} << 30, [&](log::EventSink& sink) {
    const std::vector<uint8_t> object_frame = frame_of(objects), slot_frame = frame_of(slots);
    log::HeapSnapshot snapshot;
    snapshot.number = 1;
    snapshot.objects = 100;
    snapshot.types = {{1, 0, 0, 0, 24, 0, {{9, "next"}, {17, "other"}}, {}}, {2, 0, 0, 0, 16, 8, {}, {{1, ""}}}};
    snapshot.roots = {{1, 0, 0, 0, 0, "A.b"}};
    sink.on_heap_objects({1, 0, 100, objects.size(), object_frame});
    sink.on_heap_references({1, 0, 200, slots.size(), slot_frame});
    sink.on_heap(snapshot);
    return Status::ok();
  });
}

// Whatever bytes there are: a graph whose references lie within it, or a sentence.
TEST(HeapGraph, OfDamagedChunksIsWhole) {
  std::vector<uint8_t> objects, slots;
  for (const uint64_t length : {100, 100}) write_int(length, objects);
  for (int i = 0; i < 100; ++i) write_int(i % 10 == 0 ? 2 : 1, objects);
  for (int i = 0; i < 100; ++i) write_int(0, objects);
  for (int i = 0; i < 10; ++i) write_int(2, objects);
  for (int i = 0; i < 200; ++i) write_int(i % 4 == 0 ? 0 : 1 + static_cast<uint64_t>(i) % 3, slots);
  ASSERT_TRUE(graph_of_streams(objects, slots).is_ok()) << graph_of_streams(objects, slots).message();
  std::mt19937 random(1);
  int refused = 0, incomplete = 0;
  for (int run = 0; run < 3000; ++run) {
    std::vector<uint8_t> bad_objects = objects, bad_slots = slots;
    for (uint32_t i = random() % 3; i > 0; --i) bad_objects[random() % objects.size()] = static_cast<uint8_t>(random());
    for (uint32_t i = random() % 3; i > 0; --i) bad_slots[random() % slots.size()] = static_cast<uint8_t>(random());
    const auto graph = graph_of_streams(bad_objects, bad_slots);
    if (!graph.is_ok()) {
      EXPECT_NE(graph.message(), "");
      ++refused;
      continue;
    }
    incomplete += !graph->problem.empty();
    for (const uint32_t target : graph->targets) ASSERT_LT(target, graph->objects());
    ASSERT_EQ(graph->first_edge.size(), graph->objects() + 1);
    const Dominators dominators = dominators_of(*graph);
    type_figures(*graph, dominators);
    merged_paths(*graph, ChosenTypes(graph->snapshot.types.size(), true));
  }
  EXPECT_GT(refused, 100);
  EXPECT_GT(incomplete, 100);
}

}  // namespace
}  // namespace oriel::heap
