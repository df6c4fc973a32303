// The blocks of sampled stacks and of samples, both ways: how the writer packs nodes and samples, how they stand in the
// file, and how a reader takes them out of it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "log/codec.h"
#include "log/format.h"
#include "log/sink.h"

namespace oriel::log {

// A node: the distance up to its caller's id, and its frame's id with kind and mark in the two lowest bits.
struct WireNode {
  uint64_t up = 0;
  uint64_t frame = 0;
};
// Where a node is in its method: the node by its distance from the one before that has a place (the first: from the
// node before the block).
struct WireOffset {
  uint64_t ahead = 0;
  uint64_t il = 0;
};
struct StacksBlock {
  uint64_t first = 0;
  std::vector<WireNode> nodes;
  std::vector<WireOffset> offsets;
};

// A sample: (node + 1) * 2, plus 1 if it stands for more than one period; never 0.
struct WireSample {
  uint64_t node = 0;
  uint64_t delta = 0;
  uint64_t periods = 1;
};
// A sample that met a compilation: (method * 2) + 1 if the method had code before.
struct WireCompiling {
  uint64_t method = 0;
  uint64_t delta = 0;
  uint64_t periods = 1;
};
struct SamplesBlock {
  uint64_t thread = 0;
  uint64_t base = 0;
  std::vector<WireSample> samples;
  std::vector<WireCompiling> compiling;
};

template <typename C, Like<WireNode> R>
void fields(C& c, R& r) {
  c.integer("up", r.up, "its id less its caller's id; never 0");
  c.integer("frame", r.frame, "method or native function id * 4, + 1 if native, + 2 if the walk broke here");
}

template <typename C, Like<WireOffset> R>
void fields(C& c, R& r) {
  c.integer("ahead", r.ahead, "node id, less that of the item before (the first: less first - 1); never 0");
  c.integer("il", r.il, "offset of the instruction in the method's IL");
}

template <typename C, Like<StacksBlock> R>
void fields(C& c, R& r) {
  c.integer("first", r.first, "id of the first node; each further one has the next");
  c.list("nodes", r.nodes, Ending::kInt0, "nodes");
  c.added([&] { c.list("offsets", r.offsets, Ending::kInt0, "where in their methods nodes are, as far as known"); });
}

template <typename C, Like<WireSample> R>
void fields(C& c, R& r) {
  c.integer("node", r.node, "(leaf node + 1) * 2, + 1 if periods follow; never 0");
  c.integer("delta", r.delta, "counter, less that of the sample before (the first: less base)");
  c.when((r.node & 1) != 0, "if node is odd",
         [&] { c.integer("periods", r.periods, "sampling periods that it stands for; else 1"); });
}

template <typename C, Like<WireCompiling> R>
void fields(C& c, R& r) {
  c.integer("method", r.method, "id of the method * 2, + 1 if it had code before; never 0");
  c.integer("delta", r.delta, "counter of the sample, less base");
  c.integer("periods", r.periods, "sampling periods that the sample stands for");
}

template <typename C, Like<SamplesBlock> R>
void fields(C& c, R& r) {
  c.integer("thread", r.thread, "thread id", FieldKind::kThread);
  c.integer("base", r.base, "counter to which the first sample's difference is");
  c.list("samples", r.samples, Ending::kInt0, "samples");
  c.added([&] { c.list("compiling", r.compiling, Ending::kInt0, "of samples in the JIT compiler, what it compiled"); });
}

// The writer's: replaces a block's contents, and keeps its memory. Nodes have consecutive ids, samples are in order of
// time; there is at least one.
inline void pack(std::span<const StackNode> nodes, StacksBlock& block) {
  block.first = nodes.front().id;
  block.nodes.clear();
  block.offsets.clear();
  uint64_t placed = block.first - 1;
  for (const StackNode& node : nodes) {
    const uint64_t bits = static_cast<uint64_t>(node.kind) | (node.truncated ? 2u : 0u);
    // A node whose caller is none of those before it goes below the root.
    block.nodes.push_back({node.parent < node.id ? node.id - node.parent : node.id, node.frame << 2 | bits});
    if (node.il == kNoIl) continue;
    block.offsets.push_back({node.id - placed, node.il});
    placed = node.id;
  }
}

// Counters go by their differences; one that goes back wraps around and comes out right.
inline void pack(uint64_t thread, std::span<const Sample> samples, std::span<const Compiling> compiling,
                 SamplesBlock& block) {
  block.thread = thread;
  block.base = samples.front().counter;
  block.samples.clear();
  uint64_t before = block.base;
  for (const Sample& sample : samples) {
    const uint64_t node = (sample.node + 1) << 1 | (sample.periods != 1 ? 1u : 0u);
    block.samples.push_back({node, sample.counter - before, sample.periods});
    before = sample.counter;
  }
  block.compiling.clear();
  for (const Compiling& one : compiling)
    block.compiling.push_back({one.method << 1 | (one.again ? 1u : 0u), one.counter - block.base, one.periods});
}

// The reader's: passes a block's nodes to the sink as they are read, then the IL offsets of those that have one.
// Returns false for an item that is not valid.
struct UnpackStacks {
  EventSink& sink;
  const StacksBlock& head;
  uint64_t largest_id;
  uint64_t nodes = 0;
  uint64_t placed = 0;  // of the nodes, by their number in the block from 1

  bool operator()(const WireNode& wire) {
    const uint64_t id = head.first + nodes++;
    if (wire.up == 0 || wire.up > id || id > largest_id) return false;  // its caller must be one of the nodes before
    sink.on_stack_node(
        {id, id - wire.up, static_cast<FrameKind>(wire.frame & 1), wire.frame >> 2, (wire.frame & 2) != 0});
    return true;
  }
  bool operator()(const WireOffset& wire) {
    if (wire.ahead == 0 || wire.ahead > nodes - placed) return false;
    placed += wire.ahead;
    if (wire.il < kNoIl) sink.on_node_il(head.first + placed - 1, static_cast<uint32_t>(wire.il));
    return true;
  }
};

// Likewise its samples, some at a time, then those taken during a compilation. tell() passes on the last ones.
struct UnpackSamples {
  EventSink& sink;
  const SamplesBlock& head;
  uint64_t before = 0;  // counter of the last one
  bool first = true;
  size_t read = 0;
  std::array<Sample, 256> samples = {};

  bool operator()(const WireSample& wire) {
    if (wire.node < 2) return false;
    if (std::exchange(first, false)) before = head.base;
    before += wire.delta;
    // A sample without periods may be read into where one with them was.
    samples[read++] = {before, (wire.node >> 1) - 1, (wire.node & 1) != 0 ? wire.periods : 1};
    if (read == samples.size()) tell();
    return true;
  }
  bool operator()(const WireCompiling& wire) {
    tell();
    sink.on_compiling(head.thread, {head.base + wire.delta, wire.method >> 1, (wire.method & 1) != 0, wire.periods});
    return true;
  }
  void tell() {
    if (read != 0) sink.on_samples(head.thread, std::span(samples).first(std::exchange(read, 0)));
  }
};

}  // namespace oriel::log
