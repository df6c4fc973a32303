#include "snapshot.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

namespace oriel::callgraph_module {
namespace {

struct Place {
  const Node* node;
  uint64_t parent;  // id
};

// The tree in preorder: a node's id is its position, from 1; the root is not included.
std::vector<Place> in_order(const Node& root) {
  std::vector<Place> places;
  std::vector<Place> to_do{{&root, 0}};
  while (!to_do.empty()) {
    const Place place = to_do.back();
    to_do.pop_back();
    const bool is_root = place.node == &root;
    if (!is_root) places.push_back(place);
    const uint64_t id = places.size();
    for (const Node* child = place.node->children.first(); child != nullptr; child = child->next)
      to_do.push_back({child, id});
  }
  return places;
}

constexpr unsigned kMostTries = 10'000;  // for a method so short that a call always seems to be ending
// For a thread that lost its processor while a call ended: this many tries at once, then with waits.
constexpr unsigned kClosingAtOnce = 100;
constexpr unsigned kMostClosing = 1'100;
constexpr std::chrono::milliseconds kBetweenTries{1};

struct Spent {
  uint64_t ticks = 0;
  bool running = false;
};

// Reads what close() in thread_tree.h writes.
Spent time_of(const Node& node) {
  unsigned closing = 0;
  for (unsigned tries = 0;; tries++) {
    const uint64_t before = node.entered.load(std::memory_order_acquire);
    const uint64_t ended = node.ticks.load(std::memory_order_acquire);
    const uint64_t after = node.entered.load(std::memory_order_acquire);
    if (before == 0 && after == 0) return {ended, false};
    if (before == after && after != kClosing) {
      const uint64_t now = ticks();
      return {ended + (now > after ? now - after : 0), true};
    }
    closing = before == kClosing && after == kClosing ? closing + 1 : 0;
    if (tries == kMostTries || closing == kMostClosing) return {ended, false};
    if (closing > kClosingAtOnce) std::this_thread::sleep_for(kBetweenTries);
  }
}

void read_allocations(const Node& node, log::CallNode& into) {
  const Family<Allocation>* family = node.allocations.load(std::memory_order_acquire);
  if (family == nullptr) return;
  for (const Allocation* it = family->first(); it != nullptr; it = it->next) {
    into.allocations.push_back(
        {oriel_class_id(static_cast<const oriel_class*>(it->key)), it->objects.read(), it->bytes.read()});
  }
}

void read_node(const Node& node, log::CallNode& into) {
  const Spent spent = time_of(node);
  into.ticks = spent.ticks;
  into.running = spent.running;
  into.calls = node.calls.read();
  into.exceptions = node.exceptions.read();
  into.folded = node.folded.read();
  read_allocations(node, into);
}

log::CallTiming timing_of(const Node& node) {
  log::CallTiming result;
  const Timing* timing = node.timing.load(std::memory_order_acquire);
  if (timing == nullptr) return result;
  result.timed = timing->timed.read();
  result.timed_ticks = timing->timed_ticks.read();
  result.longs = timing->longs.read();
  result.long_ticks = timing->long_ticks.read();
  result.waited_ns = timing->waited_ns.read();
  return result;
}

// The running segment is already part of its node's time. `running` is the innermost running call.
void add_running_segment(uint64_t last_event, const log::CallNode& running, log::CallGraph& graph) {
  const uint64_t now = ticks();
  const uint64_t spent = std::min(now > last_event ? now - last_event : 0, running.ticks);
  if (spent <= modules::kLongSegment) return;
  const auto behind = [](const log::CallTiming& timing, uint64_t node) { return timing.node < node; };
  auto at = std::lower_bound(graph.timings.begin(), graph.timings.end(), running.id, behind);
  if (at == graph.timings.end() || at->node != running.id)
    at = graph.timings.insert(at, log::CallTiming{.node = running.id});
  at->longs++;
  at->long_ticks += spent;
}

// Call after the nodes were read; `places` are theirs.
void add_timings(const ThreadTree& tree, const std::vector<Place>& places, log::CallGraph& graph) {
  const log::CallNode* running = nullptr;  // of the running calls, each of which calls the next
  for (size_t i = 0; i < places.size(); ++i) {
    log::CallTiming timing = timing_of(*places[i].node);
    timing.node = i + 1;
    if (timing.timed != 0 || timing.longs != 0) graph.timings.push_back(timing);
    if (graph.nodes[i].running) running = &graph.nodes[i];
  }
  if (running != nullptr) add_running_segment(tree.last_event(), *running, graph);
}

// Allocations and folded calls outside of any counted method belong to a node without a method.
void add_root(const Node& root, std::vector<log::CallNode>& nodes) {
  log::CallNode outside;
  read_allocations(root, outside);
  outside.folded = root.folded.read();
  if (outside.allocations.empty() && outside.folded == 0) return;
  outside.id = nodes.size() + 1;
  nodes.push_back(std::move(outside));
}

}  // namespace

log::CallGraph snapshot(const ThreadTree& tree, uint64_t dump) {
  log::CallGraph graph;
  graph.dump = dump;
  graph.thread = tree.thread_id();
  graph.threads = tree.absorbed() != 0 ? tree.absorbed() : 1;
  const std::vector<Place> places = in_order(tree.root());
  graph.nodes.resize(places.size());
  for (size_t i = places.size(); i-- > 0;) {
    log::CallNode& node = graph.nodes[i];
    node.id = i + 1;
    node.parent = places[i].parent;
    node.method = oriel_method_id(static_cast<const oriel_method*>(places[i].node->key));
    read_node(*places[i].node, node);
  }
  add_timings(tree, places, graph);
  add_root(tree.root(), graph.nodes);
  graph.frames_closed = tree.frames_closed();
  graph.leaves_ignored = tree.leaves_ignored();
  graph.allocations_lost = tree.allocations_lost();
  graph.counter = ticks();
  return graph;
}

}  // namespace oriel::callgraph_module
