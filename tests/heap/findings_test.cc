// What values of objects show: each question with a heap that has what is asked for, and what must not be taken for it.
#include "heap/findings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "heap/holders.h"
#include "heap/maker/heap_maker.h"

namespace oriel::heap {
namespace {

using log::HeapRootKind;
using log::HeapTypeKind;
using log::HeapValueKind;
using testing::ElementsAre;

struct Read {
  Graph graph;
  Dominators tree;
  std::vector<Finding> findings;

  explicit Read(HeapMaker& maker, Asked asked = Asked::kAll) {
    Result<Graph> read = maker.graph();
    EXPECT_TRUE(read.is_ok()) << read.message();
    graph = std::move(*read);
    EXPECT_EQ(graph.problem, "");
    tree = dominators_of(graph);
    findings = findings_of(graph, tree, asked);
  }
  // nullptr: there is no answer.
  const Finding* answer(Question question) const {
    const auto found = std::ranges::find(findings, question, &Finding::question);
    return found == findings.end() ? nullptr : &*found;
  }
};

constexpr uint64_t kNull = HeapMaker::kNull;

TEST(Findings, EqualContentsAreThoseOfOneType) {
  HeapMaker maker;
  const uint64_t holder = maker.type(1, 24, {}, 8, {""});
  const uint64_t text = maker.type(2, 22, {}, 2), bytes = maker.type(3, 24, {}, 1);
  maker.details(text, HeapTypeKind::kOther, {HeapValueKind::kContents});
  maker.details(bytes, HeapTypeKind::kOther, {HeapValueKind::kContents});
  const uint64_t all = maker.object(holder, {1, 2, 3, 4, 5, 6, 7, 8, 9}, 9);
  for (const int64_t contents : {500, 500, 500, 77, 0, 0}) maker.values(maker.object(text, {}, 5), {contents});
  for (const int64_t contents : {500, 1, 1}) maker.values(maker.object(bytes, {}, 100), {contents});
  maker.values(maker.object(text, {}, 5), {77});  // nothing refers to it
  maker.text(1, "hello");
  maker.root(HeapRootKind::kStatic, all, "Shop.Texts");
  const Read read(maker);
  const Finding* const strings = read.answer(Question::kStrings);
  ASSERT_NE(strings, nullptr);
  ASSERT_EQ(strings->rows.size(), 1u);
  EXPECT_EQ(strings->bytes, 64u);
  EXPECT_THAT(strings->members, ElementsAre(1u, 2u, 3u));
  EXPECT_EQ(text_of(read.graph, strings->members), "hello");
  EXPECT_EQ(read.answer(Question::kArrays), nullptr);
  const Finding* const zeros = read.answer(Question::kZeros);
  ASSERT_NE(zeros, nullptr);
  EXPECT_EQ(zeros->bytes, 2 * 128u);
  const MainPlace place = main_places(read.graph, read.tree, {{std::span<const uint32_t>(strings->members)}}).front();
  EXPECT_EQ(place.type, 0u);
  EXPECT_EQ(place.references, 3u);
  const Holder by = main_holder(read.graph, read.tree, strings->members);
  EXPECT_EQ(by.bytes, by.all);
  EXPECT_EQ(by.chain.size(), 2u);
}

TEST(Findings, CollectionsAreHalfEmptyIfMostPlacesAreFree) {
  HeapMaker maker;
  const uint64_t list = maker.type(1, 32, {"_items"}), items = maker.type(2, 24, {}, 8, {""});
  const uint64_t table = maker.type(3, 64, {"_buckets", "_entries"}), entries = maker.type(4, 24, {}, 24, {"value"});
  maker.details(list, HeapTypeKind::kOther, {HeapValueKind::kCount}, 9);
  maker.details(table, HeapTypeKind::kOther, {HeapValueKind::kCount, HeapValueKind::kFree}, 17);
  const auto add = [&](uint64_t type, uint64_t storage, uint64_t places, std::vector<int64_t> values) {
    const uint64_t array = maker.object(storage, {}, places);
    const uint64_t object = maker.object(type, type == list ? std::vector{array} : std::vector{kNull, array});
    maker.values(object, std::move(values));
    maker.root(HeapRootKind::kStatic, object, "Shop.Lists");
    return array;
  };
  add(list, items, 100, {50});
  add(list, items, 100, {51});
  add(list, items, 4, {0});
  add(table, entries, 10, {9, 7});
  add(table, entries, 10, {9, 2});
  const uint64_t shared = add(list, items, 100, {1});  // others hold its array too
  maker.root(HeapRootKind::kStatic, shared, "Shop.Pool");
  const Read read(maker);
  const Finding* const found = read.answer(Question::kCollections);
  ASSERT_NE(found, nullptr);
  ASSERT_EQ(found->rows.size(), 2u);
  EXPECT_EQ(found->rows[0].objects, 2u);
  EXPECT_EQ(found->rows[0].bytes, 50 * 8u + 4 * 8u);
  EXPECT_EQ(found->rows[1].objects, 1u);
  EXPECT_EQ(found->rows[1].bytes, 8 * 24u);
}

TEST(Findings, HandlersAreThoseThatOnlyTheEventHolds) {
  HeapMaker maker;
  const uint64_t handler = maker.type(1, 64, {"_target", "_methodBase", "_invocationList"});
  const uint64_t list = maker.type(2, 24, {}, 8, {""}), page = maker.type(3, 104, {});
  maker.details(handler, HeapTypeKind::kDelegate);
  const uint64_t event = maker.object(handler), handlers = maker.object(list, {}, 8);
  std::vector<uint64_t> all;
  for (int i = 0; i < 4; ++i) {
    const uint64_t target = maker.object(page);
    all.push_back(maker.object(handler, {target}));
    if (i == 3) maker.root(HeapRootKind::kStatic, target, "Shop.Main");
  }
  maker.refer(event, {event, kNull, handlers});
  maker.refer(handlers, all);
  maker.root(HeapRootKind::kStatic, event, "Shop.Changed");
  const Read read(maker, Asked::kWaste);
  const Finding* const found = read.answer(Question::kHandlers);
  ASSERT_NE(found, nullptr);
  ASSERT_EQ(found->rows.size(), 1u);
  EXPECT_EQ(found->rows[0].objects, 3u);
  EXPECT_EQ(found->bytes, 3 * 104u);
  const HandlerKey key = HandlerKey::of(found->rows[0].key);
  EXPECT_EQ(read.tree.roots.at(key.root).name, "Shop.Changed");
  EXPECT_EQ(key.packed(), found->rows[0].key);
}

TEST(Findings, WhatWaits) {
  HeapMaker maker;
  const uint64_t method = maker.type(1, 64, {"next"}), timer = maker.type(2, 64, {"_timerCallback", "_state"});
  const uint64_t callback = maker.type(3, 64, {"_target"}), closure = maker.type(4, 24, {"order"}),
                 box = maker.type(5, 24, {});
  const uint64_t stream = maker.type(6, 40, {});
  maker.details(method, HeapTypeKind::kAsync, {HeapValueKind::kTaskFlags, HeapValueKind::kAwait}, 0, "Shop.RunAsync");
  maker.details(timer, HeapTypeKind::kOther, {HeapValueKind::kDue, HeapValueKind::kPeriod});
  maker.details(callback, HeapTypeKind::kDelegate);
  maker.details(closure, HeapTypeKind::kClosure);
  maker.details(box, HeapTypeKind::kBox);
  maker.details(stream, HeapTypeKind::kOther, {HeapValueKind::kFinalized});
  const auto held = [&](uint64_t object, std::vector<int64_t> values = {}) {
    maker.values(object, std::move(values));
    maker.root(HeapRootKind::kStatic, object, "Shop.All");
    return object;
  };
  const uint64_t inner = held(maker.object(method), {0, 1});
  held(maker.object(method, {inner}), {0, 0});
  held(maker.object(method), {0x1000000, 0});  // has ended
  const uint64_t called = maker.object(closure, {inner}), calling = maker.object(callback, {called});
  held(maker.object(timer, {calling, kNull}), {1000, -1});
  held(maker.object(timer, {kNull, kNull}), {-1, -1});  // not set
  held(maker.object(box));
  held(maker.object(stream));
  const uint64_t dropped = maker.object(stream), disposed = maker.object(stream);
  maker.values(disposed, {0x40000000});
  maker.root(HeapRootKind::kNative, dropped);
  maker.root(HeapRootKind::kNative, disposed);
  maker.root(HeapRootKind::kPinnedHandle, dropped);
  maker.root(HeapRootKind::kWeakHandle, dropped);
  const Read read(maker);
  const auto members = [&](Question question) {
    const Finding* const found = read.answer(question);
    return found == nullptr ? std::vector<uint32_t>() : found->members;
  };
  EXPECT_EQ(members(Question::kAsync).size(), 2u);
  EXPECT_EQ(read.answer(Question::kAsync)->bytes, 2 * 64u);
  std::vector<uint32_t> awaits;
  for (const FindingRow& row : read.answer(Question::kAsync)->rows) awaits.push_back(AsyncKey::of(row.key).await);
  EXPECT_THAT(awaits, testing::UnorderedElementsAre(1u, 2u));
  EXPECT_EQ(members(Question::kTimers).size(), 1u);
  EXPECT_EQ(read.answer(Question::kTimers)->bytes, 64u + 64 + 24);
  EXPECT_EQ(TimerKey::of(read.answer(Question::kTimers)->rows[0].key).target, closure - 1);
  EXPECT_EQ(TimerKey::of(read.answer(Question::kTimers)->rows[0].key).state, TimerKey::kNone);
  EXPECT_THAT(members(Question::kClosures), ElementsAre(called));
  EXPECT_EQ(members(Question::kBoxes).size(), 1u);
  EXPECT_THAT(members(Question::kPinned), ElementsAre(dropped));
  EXPECT_TRUE(members(Question::kFinalizers).empty());  // the handle refers to it
}

TEST(Findings, FinalizersToRunAreOfWhatNothingElseRefersTo) {
  HeapMaker maker;
  const uint64_t stream = maker.type(1, 40, {}), holder = maker.type(2, 24, {"stream"});
  maker.details(stream, HeapTypeKind::kOther, {HeapValueKind::kFinalized});
  const uint64_t dropped = maker.object(stream), used = maker.object(stream), disposed = maker.object(stream);
  maker.values(disposed, {0x40000000});
  for (const uint64_t object : {dropped, used, disposed}) maker.root(HeapRootKind::kNative, object);
  maker.root(HeapRootKind::kWeakHandle, dropped);
  maker.root(HeapRootKind::kNative, maker.object(holder, {used}));
  const Read read(maker);
  const Finding* const found = read.answer(Question::kFinalizers);
  ASSERT_NE(found, nullptr);
  EXPECT_THAT(found->members, ElementsAre(dropped));
}

TEST(Findings, FreeSpaceIsBetweenObjectsOfAGeneration) {
  HeapMaker maker;
  const uint64_t type = maker.type(1, 1000, {});
  for (int i = 0; i < 10; ++i) maker.object(type);
  constexpr uint64_t kFirst = 0x7f00'0000'0000;
  maker.snapshot().spaces = {{4, kFirst + 5000, 8000}, {3, kFirst, 4000}, {6, kFirst + 4000, 0}};
  const Read read(maker);
  EXPECT_THAT(read.graph.generations, ElementsAre(3, 3, 3, 3, 0, 4, 4, 4, 4, 4));
  EXPECT_EQ(read.graph.free[3].free, 0u);
  EXPECT_EQ(read.graph.free[4].all, 8000u);
  EXPECT_EQ(read.graph.free[4].free, 3000u);
  EXPECT_EQ(read.graph.free[4].largest, 3000u);
  EXPECT_EQ(read.graph.free[4].places, 1u);
  EXPECT_TRUE(read.findings.empty());
}

TEST(Findings, DamagedValuesAccuseNobody) {
  HeapMaker maker;
  const uint64_t text = maker.type(2, 22, {}, 2), stream = maker.type(1, 40, {});
  maker.details(text, HeapTypeKind::kOther, {HeapValueKind::kContents});
  maker.details(stream, HeapTypeKind::kOther, {HeapValueKind::kFinalized});
  for (int i = 0; i < 10; ++i) maker.values(maker.object(text, {}, 5), {500});
  maker.object(stream);
  maker.root(HeapRootKind::kStatic, 0, "Shop.Text");
  maker.details(text, HeapTypeKind::kOther, {HeapValueKind::kContents, HeapValueKind::kCount});  // more than there are
  const auto graph = maker.graph();
  ASSERT_TRUE(graph.is_ok());
  EXPECT_THAT(graph->problem, testing::HasSubstr("Values of objects of snapshot 1 are damaged or missing"));
  EXPECT_TRUE(findings_of(*graph, dominators_of(*graph), Asked::kAll).empty());
}

}  // namespace
}  // namespace oriel::heap
