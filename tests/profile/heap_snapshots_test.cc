// Rows of heap snapshots: types, and roots that are one to a reader.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "profile/build/builder.h"

namespace oriel::profile {
namespace {

using log::HeapRootKind;

log::HeapSnapshot snapshot_of(uint64_t number) {
  constexpr auto kStatic = static_cast<uint64_t>(HeapRootKind::kStatic);
  constexpr auto kStack = static_cast<uint64_t>(HeapRootKind::kStack);
  log::HeapSnapshot snapshot;
  snapshot.number = number;
  snapshot.cause = "request";
  snapshot.objects = 5;
  snapshot.bytes = UINT64_MAX;
  snapshot.types = {{1, 7, 3, 96, 32, 0, {}, {}}, {2, 0, 2, 48, 24, 0, {}, {}}, {3, 7, 0, 0, 24, 0, {}, {}}};
  snapshot.roots = {
      {kStack, 1, 0, 4, 9, ""}, {kStatic, 0, 0, 0, 0, "A.b"}, {kStack, 2, 0, 4, 9, ""}, {kStack, 2, 0, 4, 8, ""}};
  return snapshot;
}

TEST(HeapSnapshots, AreRowsOfTypesAndRoots) {
  Builder builder;
  builder.on_intro({});
  builder.on_class({7, 0, 0, "Shop.Order"});
  builder.on_method({9, 7, "Add()", ""});
  builder.on_heap(snapshot_of(1));
  builder.on_heap(snapshot_of(2));
  const Profile profile = builder.finish({});
  ASSERT_EQ(profile.heap_snapshots.size(), 2u);
  EXPECT_EQ(profile.heap_snapshots[1].number, 2u);
  EXPECT_LT(profile.heap_snapshots[1].bytes, UINT64_MAX) << "sums must not overflow";
  ASSERT_EQ(profile.heap_types.size(), 4u) << "without types that have no objects";
  EXPECT_EQ(profile.heap_types[2].snapshot, 1u);
  EXPECT_EQ(profile.functions[profile.heap_types[2].type].name, "Shop.Order");
  EXPECT_EQ(profile.heap_types[3].type, 0u);
  ASSERT_EQ(profile.heap_roots.size(), 6u);
  EXPECT_EQ(profile.heap_roots[0].roots, 2u);
  EXPECT_EQ(profile.functions[profile.heap_roots[0].function].name, "Shop.Order.Add()");
  EXPECT_EQ(profile.threads[profile.heap_roots[0].thread].id, 4u);
  EXPECT_EQ(profile.heap_roots[1].name, "A.b");
  EXPECT_EQ(profile.heap_roots[1].thread, table::kNone);
  EXPECT_EQ(profile.heap_roots[2].roots, 1u);
}

}  // namespace
}  // namespace oriel::profile
