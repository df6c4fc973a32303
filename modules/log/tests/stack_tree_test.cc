// The tree of stacks in the writer: what it remembers is bounded, what it wrote stays true.
#include "stack_tree.h"

#include <gtest/gtest.h>

#include <map>

#include "modules/fake_engine.h"
#include "node_table.h"

namespace oriel::log_module {
namespace {

TEST(NodeTable, FindsEachNodeAgain) {
  NodeTable table;
  constexpr uint32_t kNodes = 100'000;
  const auto node = [](uint32_t i) { return NodeTable::Node{i / 7, i % 3, uint64_t{i % 11} << 40 | i}; };
  for (uint32_t i = 0; i < kNodes; i++) {
    const NodeTable::Found found = table.find_or_add(node(i));
    ASSERT_TRUE(found.added);
    ASSERT_EQ(found.number, i + 1);
  }
  for (uint32_t i = 0; i < kNodes; i++) {
    const NodeTable::Found found = table.find_or_add(node(i));
    ASSERT_FALSE(found.added);
    ASSERT_EQ(found.number, i + 1);
  }
  EXPECT_EQ(table.size(), kNodes);
}

TEST(StackTree, ForgetsNodesButGivesNoNumberTwice) {
  fake::engine() = {};
  fake::engine().classes = {{1, "Shop.Cart"}};
  fake::engine().methods.resize(700);
  for (uint32_t i = 0; i < 700; i++) {
    fake::engine().methods[i] = {i + 1, "Method", &fake::engine().classes[0]};
    fake::engine().frames[uintptr_t{i} * 16 + 15] = fake::engine().frames[uintptr_t{i} * 16 + 16] = {
        ORIEL_FRAME_MANAGED, reinterpret_cast<oriel_method*>(&fake::engine().methods[i]), nullptr, nullptr, 0};
  }
  NameTable names;
  StackTree tree(names);
  std::map<uint64_t, log::StackNode> nodes;
  std::vector<uintptr_t> frames(1000);
  size_t written = 0;
  uint64_t last = 0;
  const auto take = [&](uint32_t outermost) {
    for (size_t i = 0; i < frames.size(); i++) frames[i] = (i % 100) * 16 + 16;
    frames.back() = uintptr_t{outermost} * 16 + 16;
    SampleView sample{};
    sample.frames = frames.data();
    sample.frame_count = frames.size();
    const uint64_t leaf = tree.node_of(sample);
    for (const log::StackNode& node : tree.take_new_nodes()) {
      EXPECT_EQ(node.id, last + 1);
      EXPECT_TRUE(node.parent == 0 || nodes.contains(node.parent));
      last = node.id;
      nodes[node.id] = node;
      written++;
    }
    size_t depth = 0;
    uint64_t outer = leaf;
    for (uint64_t node = leaf; node != 0; node = nodes.at(node).parent, depth++) outer = node;
    EXPECT_EQ(depth, frames.size());
    EXPECT_EQ(nodes.at(outer).frame, outermost + 1);
  };
  for (uint32_t i = 0; i < 600; i++) take(i);  // 600,000 nodes, of which a quarter of a million are remembered
  EXPECT_EQ(written, 600'000u);
  take(599);
  EXPECT_EQ(written, 600'000u);
  take(0);  // forgotten, and told anew
  EXPECT_EQ(written, 601'000u);
}

}  // namespace
}  // namespace oriel::log_module
