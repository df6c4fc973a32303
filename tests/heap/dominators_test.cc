// Retained sizes of graphs whose dominators are known.
#include "heap/dominators.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "heap/holders.h"
#include "heap/maker/heap_maker.h"
#include "heap/paths.h"

namespace oriel::heap {
namespace {

using log::HeapRootKind;
using testing::ElementsAre;

Graph graph_of_maker(HeapMaker& maker) {
  auto graph = maker.graph();
  EXPECT_TRUE(graph.is_ok()) << graph.message();
  return std::move(*graph);
}

// A graph as rows of numbers of objects. Objects have 32 bytes and room for as many references as the longest row.
HeapMaker maker_of(const std::vector<std::vector<uint64_t>>& rows) {
  size_t most = 0;
  for (const auto& row : rows) most = std::max(most, row.size());
  std::vector<std::string> fields;
  for (size_t i = 0; i < most; ++i) fields.push_back("f" + std::to_string(i));
  HeapMaker maker;
  const uint64_t type = maker.type(1, 32, fields);
  for (const auto& row : rows) maker.object(type, row);
  return maker;
}

// The object that dominates another one; the number of objects if none but the roots does.
uint32_t dominator_of(const Dominators& tree, uint32_t object) {
  const uint32_t above = tree.dominators[tree.numbers[object]];
  return tree.is_object(above) ? tree.nodes[above] : tree.objects;
}

uint64_t retained_by(const Dominators& tree, uint32_t object) { return tree.retained[tree.numbers[object]]; }

TEST(Dominators, OfADiamond) {
  HeapMaker maker = maker_of({{1, 2}, {3}, {3}, {4}, {}});
  maker.root(HeapRootKind::kStatic, 0, "Shop.Cache.All");
  const Graph graph = graph_of_maker(maker);
  const Dominators tree = dominators_of(graph);
  EXPECT_EQ(dominator_of(tree, 3), 0u);
  EXPECT_EQ(dominator_of(tree, 4), 3u);
  EXPECT_EQ(retained_by(tree, 0), 160u);
  EXPECT_EQ(retained_by(tree, 1), 32u);
  EXPECT_EQ(retained_by(tree, 3), 64u);
  EXPECT_EQ(tree.retained[1], 160u);
  EXPECT_TRUE(tree.is_root(1));
  EXPECT_EQ(tree.roots[tree.root(1)].name, "Shop.Cache.All");
}

// The example in Lengauer and Tarjan's paper.
TEST(Dominators, OfTheKnownExample) {
  enum : uint32_t { R, A, B, C, D, E, F, G, H, I, J, K, L, kNodes };
  HeapMaker maker = maker_of({{A, B, C}, {D}, {A, D, E}, {F, G}, {L}, {H}, {I}, {I, J}, {E, K}, {K}, {I}, {I, R}, {H}});
  maker.root(HeapRootKind::kStrongHandle, R);
  const Graph graph = graph_of_maker(maker);
  const Dominators tree = dominators_of(graph);
  std::vector<uint32_t> found;
  for (uint32_t i = 1; i < kNodes; ++i) found.push_back(dominator_of(tree, i));
  EXPECT_THAT(found, ElementsAre(R, R, R, R, R, C, C, R, R, G, R, D));
}

std::vector<bool> reached_without(const Graph& graph, uint32_t left_out) {
  std::vector<bool> reached(graph.objects());
  std::vector<uint32_t> left;
  for (const log::HeapRoot& root : graph.snapshot.roots) left.push_back(static_cast<uint32_t>(root.object));
  while (!left.empty()) {
    const uint32_t object = left.back();
    left.pop_back();
    if (object == left_out || reached[object]) continue;
    reached[object] = true;
    for (const uint32_t target : graph.references(object)) left.push_back(target);
  }
  return reached;
}

// Of random graphs: what an object retains is what cannot be reached without it.
TEST(Dominators, RetainWhatCannotBeReachedWithoutThem) {
  std::mt19937 random(7);
  for (int run = 0; run < 300; ++run) {
    const uint32_t objects = 2 + random() % 40;
    std::vector<std::vector<uint64_t>> rows(objects);
    const uint32_t edges = random() % (3 * objects);
    for (uint32_t i = 0; i < edges; ++i) rows[random() % objects].push_back(random() % objects);
    HeapMaker maker = maker_of(rows);
    for (uint32_t i = 0; i < 1 + random() % 3; ++i)
      maker.root(HeapRootKind::kStatic, random() % objects, "field " + std::to_string(i));
    const Graph graph = graph_of_maker(maker);
    const Dominators tree = dominators_of(graph);
    const std::vector<bool> all = reached_without(graph, objects);
    for (uint32_t object = 0; object < objects; ++object) {
      ASSERT_EQ(tree.numbers[object] != 0, all[object]);
      if (!all[object]) continue;
      const std::vector<bool> rest = reached_without(graph, object);
      uint64_t bytes = 0;
      for (uint32_t other = 0; other < objects; ++other) bytes += all[other] && !rest[other] ? 32 : 0;
      ASSERT_EQ(retained_by(tree, object), bytes) << "run " << run << ", object " << object;
    }
  }
}

TEST(Dominators, CountWhatTheStrongestRootsHold) {
  HeapMaker maker = maker_of({{1}, {}, {1, 3}, {}, {}});
  maker.root(HeapRootKind::kStack, 2, "", 1, 10);
  maker.root(HeapRootKind::kStack, 2, "", 1, 11);  // its caller's
  maker.root(HeapRootKind::kStatic, 0, "Shop.Cache.All");
  maker.root(HeapRootKind::kWeakHandle, 4);
  const Graph graph = graph_of_maker(maker);
  const Dominators tree = dominators_of(graph);
  EXPECT_EQ(dominator_of(tree, 1), 0u);
  EXPECT_EQ(retained_by(tree, 0), 64u);
  EXPECT_EQ(retained_by(tree, 2), 64u);
  EXPECT_EQ(tree.roots[tree.root(tree.dominators[tree.numbers[2]])].method, 10u);
  EXPECT_EQ(tree.numbers[4], 0u);
  const TypeFigures figures = type_figures(graph, tree).at(0);
  EXPECT_EQ(figures.objects, 4u);
  EXPECT_EQ(figures.unreachable, 1u);
  EXPECT_EQ(figures.unreachable_bytes, 32u);
}

TEST(Dominators, KeepWhatDependsOnALiveObject) {
  HeapMaker maker = maker_of({{}, {}, {}, {}});
  maker.root(HeapRootKind::kStatic, 0, "A.b");
  maker.dependent(0, 1);
  maker.dependent(2, 3);
  const Graph graph = graph_of_maker(maker);
  const Dominators tree = dominators_of(graph);
  EXPECT_EQ(dominator_of(tree, 1), 0u);
  EXPECT_EQ(tree.numbers[3], 0u);
}

// The nodes of a list are within one another: together they retain what the first does.
TEST(TypeFigures, CountNestedObjectsOnce) {
  HeapMaker maker;
  const uint64_t node = maker.type(1, 24, {"next", "value"}), value = maker.type(2, 48, {});
  for (uint64_t i = 0; i < 10; ++i) {
    maker.object(node, {i < 9 ? 2 * i + 2 : HeapMaker::kNull, 2 * i + 1});
    maker.object(value);
  }
  maker.root(HeapRootKind::kStatic, 0, "List.head");
  const Graph graph = graph_of_maker(maker);
  const std::vector<TypeFigures> figures = type_figures(graph, dominators_of(graph));
  EXPECT_EQ(figures.at(0).bytes, 240u);
  EXPECT_EQ(figures.at(0).retained, 720u);
  EXPECT_EQ(figures.at(1).retained, 480u);
}

// A static dictionary with an array of entries, and one order that a local variable holds.
struct Cache {
  HeapMaker maker;
  Graph graph;
  enum : uint32_t { kDictionary = 0, kEntries = 1, kOrders = 2 };
  static constexpr uint64_t kCount = 50;
  Cache() {
    const uint64_t dictionary = maker.type(1, 80, {"_buckets", "_entries"});
    const uint64_t entries = maker.type(2, 16, {}, 24, {"key", "value"}), order = maker.type(3, 40, {"next"});
    std::vector<uint64_t> references;
    for (uint64_t i = 0; i < kCount; ++i) references.insert(references.end(), {HeapMaker::kNull, kOrders + i});
    maker.object(dictionary, {HeapMaker::kNull, kEntries});
    maker.object(entries, references, kCount);
    for (uint64_t i = 0; i < kCount; ++i) maker.object(order, {i % 2 == 1 ? kOrders + i - 1 : HeapMaker::kNull});
    maker.object(order);
    maker.root(HeapRootKind::kStatic, kDictionary, "Shop.Cache.All");
    maker.root(HeapRootKind::kStack, kOrders + kCount, "", 1, 10);
    graph = graph_of_maker(maker);
  }
};

TEST(Holders, AreTheLastObjectsAboveMostOfAType) {
  const Cache cache;
  const Dominators tree = dominators_of(cache.graph);
  const Holder holder = main_holder(cache.graph, tree, {false, false, true});
  ASSERT_EQ(holder.chain.size(), 3u);
  EXPECT_EQ(tree.roots[tree.root(holder.chain[0])].name, "Shop.Cache.All");
  EXPECT_EQ(tree.nodes[holder.chain[1]], Cache::kDictionary);
  EXPECT_EQ(tree.nodes[holder.chain[2]], Cache::kEntries);
  EXPECT_EQ(holder.all / 51 * 50, holder.bytes);
  uint8_t place = 0;
  ASSERT_TRUE(find_place(cache.graph, Cache::kDictionary, Cache::kEntries, place));
  EXPECT_EQ(place_name(cache.graph.type(0), place), "_entries");
  EXPECT_FALSE(find_place(cache.graph, Cache::kDictionary, Cache::kOrders, place));
}

TEST(Holders, AreSeveralWhereNoneHasMost) {
  HeapMaker maker;
  const uint64_t order = maker.type(1, 40, {"next"});
  for (const uint64_t count : {5, 4, 1})
    for (uint64_t i = 0; i < count; ++i)
      maker.root(HeapRootKind::kStatic, maker.object(order), "Shop.Of" + std::to_string(count));
  const Graph graph = graph_of_maker(maker);
  const Dominators tree = dominators_of(graph);
  const Holder holder = main_holder(graph, tree, {true});
  EXPECT_TRUE(holder.chain.empty());
  ASSERT_EQ(holder.shares.size(), 3u);
  EXPECT_EQ(tree.roots[tree.root(holder.shares[0].number)].name, "Shop.Of5");
  EXPECT_EQ(holder.shares[0].bytes, 5 * 40u);
  EXPECT_EQ(holder.shares[2].bytes, 40u);
}

TEST(Paths, GoThroughTheSameFieldsAsOne) {
  const Cache cache;
  const std::vector<PathStep> steps = merged_paths(cache.graph, {false, false, true});
  ASSERT_EQ(steps.size(), 7u);
  EXPECT_EQ(steps[0].objects, 51u);
  EXPECT_EQ(steps[0].bytes, 51u * 40);
  EXPECT_EQ(steps[1].type, PathStep::kNoType);
  EXPECT_EQ(steps[1].objects, 50u);
  EXPECT_EQ(steps[2].parent, 1u);
  EXPECT_EQ(steps[3].parent, 2u);
  EXPECT_EQ(place_name(cache.graph.snapshot.types[0], steps[3].place), "_entries");
}

TEST(Paths, OfAListAreOneStep) {
  HeapMaker maker;
  const uint64_t node = maker.type(1, 24, {"next"});
  for (uint64_t i = 0; i < 1000; ++i) maker.object(node, {i + 1 < 1000 ? i + 1 : HeapMaker::kNull});
  maker.root(HeapRootKind::kStatic, 0, "List.head");
  const std::vector<PathStep> steps = merged_paths(graph_of_maker(maker), {true});
  ASSERT_EQ(steps.size(), 3u);
  EXPECT_TRUE(steps[2].repeats);
  EXPECT_EQ(steps[2].objects, 1000u);
}

}  // namespace
}  // namespace oriel::heap
