// A snapshot as a graph: objects, references, and files that are damaged.
#include "heap/graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "heap/dominators.h"
#include "heap/maker/heap_maker.h"
#include "heap/paths.h"
#include "log/format.h"

namespace oriel::heap {
namespace {

using log::HeapRootKind;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr uint64_t kMost = uint64_t{1} << 30;

Result<Graph> graph_of(HeapMaker& maker) {
  const std::vector<uint8_t> log = maker.log();
  return graph_of_bytes(log.data(), log.size(), 1, kMost);
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
  const auto graph = graph_of(maker);
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
  const auto graph = graph_of(maker);
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
  const std::vector<uint8_t> log = maker.log();
  const auto other = graph_of_bytes(log.data(), log.size(), 2, kMost);
  ASSERT_FALSE(other.is_ok());
  EXPECT_THAT(other.message(), HasSubstr("no snapshot 2"));
  const auto large = graph_of_bytes(log.data(), log.size(), 1, 1000);
  ASSERT_FALSE(large.is_ok());
  EXPECT_THAT(large.message(), HasSubstr("too large for this machine's memory"));
}

// Whatever bytes there are: a graph whose references lie within it, or a sentence.
TEST(HeapGraph, OfADamagedFileIsWhole) {
  HeapMaker maker;
  const uint64_t type = maker.type(1, 24, {"next"}), array = maker.type(2, 16, {}, 8, {""});
  for (uint64_t i = 0; i < 2000; ++i) i % 10 == 0 ? maker.object(array, {i, 1}, 3) : maker.object(type, {i * 7 % 2000});
  maker.root(HeapRootKind::kStatic, 5, "A.B");
  const std::vector<uint8_t> log = maker.log();
  std::mt19937 random(1);
  for (int run = 0; run < 3000; ++run) {
    std::vector<uint8_t> bytes = log;
    for (int i = 0; i < 3; ++i) bytes[random() % bytes.size()] = static_cast<uint8_t>(random());
    const auto graph = graph_of_bytes(bytes.data(), bytes.size(), 1, kMost);
    if (!graph.is_ok()) {
      EXPECT_NE(graph.message(), "");
      continue;
    }
    for (const uint32_t target : graph->targets) ASSERT_LT(target, graph->objects());
    ASSERT_EQ(graph->first_edge.size(), graph->objects() + 1);
    const Dominators dominators = dominators_of(*graph);
    type_figures(*graph, dominators);
    merged_paths(*graph, ChosenTypes(graph->snapshot.types.size(), true));
  }
}

}  // namespace
}  // namespace oriel::heap
