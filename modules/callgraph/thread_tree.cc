#include "thread_tree.h"

#include <new>
#include <utility>
#include <vector>

#include "base/process/kept_errno.h"

namespace oriel::callgraph_module {
namespace {

// How far up a leave is searched: a method that is not near was entered before counting started.
constexpr unsigned kMostUnwound = 4096;

}  // namespace

Node* ThreadTree::new_child(Node& parent, const void* method) {
  void* memory = arena_.allocate(sizeof(Node));
  if (memory == nullptr) return nullptr;
  auto* node = new (memory) Node;
  node->key = method;
  node->parent = &parent;
  return parent.children.add(node, arena_) ? node : nullptr;
}

Timing* ThreadTree::timing_of(Node& node) {
  if (Timing* known = node.timing.load(std::memory_order_relaxed)) return known;
  void* memory = arena_.allocate(sizeof(Timing));
  if (memory == nullptr) return nullptr;
  auto* timing = new (memory) Timing;
  node.timing.store(timing, std::memory_order_release);
  return timing;
}

void ThreadTree::add_timed(uint64_t spent) {
  if (spent == 0 || spent > modules::kLongSegment || current_ == &root_ || folded_depth_ != 0) return;
  Timing* timing = timing_of(*current_);
  if (timing == nullptr) return;
  timing->timed.add(1);
  timing->timed_ticks.add(spent);
}

// Waiting time outside of any counted method is dropped.
void ThreadTree::pass_long(uint64_t spent) {
  const KeptErrno kept;
  const uint64_t waited = spent > modules::kMayHaveWaited ? waits_.waited(spent) : 0;
  Timing* timing = current_ != &root_ ? timing_of(*current_) : nullptr;
  if (timing == nullptr) return;
  timing->longs.add(1);
  timing->long_ticks.add(spent);
  timing->waited_ns.add(waited);
}

void ThreadTree::fold() {
  folded_depth_++;
  current_->folded.add(1);
}

// A folded call ends, or frames between here and the leaving method were lost, or its enter was not observed.
void ThreadTree::leave_out_of_order(oriel_method* method, uint64_t now) {
  if (folded_depth_ != 0) {
    folded_depth_--;
    return;
  }
  const Node* found = current_;
  unsigned steps = 0;
  while (found != &root_ && found->key != method && steps < kMostUnwound) {
    found = found->parent;
    steps++;
  }
  if (found == &root_ || found->key != method) return leaves_ignored_.add(1);
  pass(now);
  for (; current_ != found; current_ = current_->parent) close(*current_, now);
  close(*current_, now);
  current_ = current_->parent;
  frames_closed_.add(steps);
}

void ThreadTree::leave_by_exception(oriel_method* method) {
  const uint64_t now = ticks();
  if (folded_depth_ == 0 && current_->key == method) current_->exceptions.add(1);
  leave_at(method, now);
}

Allocation* ThreadTree::allocation_of(Node& node, const void* klass) {
  Family<Allocation>* family = node.allocations.load(std::memory_order_relaxed);
  if (family == nullptr) {
    void* memory = arena_.allocate(sizeof(Family<Allocation>));
    if (memory == nullptr) return nullptr;
    family = new (memory) Family<Allocation>;
    node.allocations.store(family, std::memory_order_release);
  }
  if (Allocation* known = family->find(klass)) return known;
  void* memory = arena_.allocate(sizeof(Allocation));
  if (memory == nullptr) return nullptr;
  auto* allocation = new (memory) Allocation;
  allocation->key = klass;
  return family->add(allocation, arena_) ? allocation : nullptr;
}

void ThreadTree::allocate(oriel_class* klass, uint64_t bytes) {
  Allocation* allocation = allocation_of(*current_, klass);
  if (allocation == nullptr) return allocations_lost_.add(1);
  allocation->objects.add(1);
  allocation->bytes.add(bytes);
}

void ThreadTree::finish() {
  const uint64_t now = ticks();
  folded_depth_ = 0;
  if (current_ != &root_) pass(now);
  for (; current_ != &root_; current_ = current_->parent) {
    close(*current_, now);
    frames_closed_.add(1);
  }
  finished_.store(true, std::memory_order_release);
}

void ThreadTree::absorb_node(Node& into, const Node& from) {
  into.calls.add(from.calls.read());
  into.exceptions.add(from.exceptions.read());
  into.folded.add(from.folded.read());
  into.ticks.store(into.ticks.load(std::memory_order_relaxed) + from.ticks.load(std::memory_order_acquire),
                   std::memory_order_release);
  if (const Timing* timing = from.timing.load(std::memory_order_acquire)) {
    if (Timing* sum = timing_of(into)) {
      for (Counter Timing::*counter :
           {&Timing::timed, &Timing::timed_ticks, &Timing::longs, &Timing::long_ticks, &Timing::waited_ns})
        (sum->*counter).add((timing->*counter).read());
    }
  }
  const Family<Allocation>* family = from.allocations.load(std::memory_order_acquire);
  for (const Allocation* it = family != nullptr ? family->first() : nullptr; it != nullptr; it = it->next) {
    Allocation* allocation = allocation_of(into, it->key);
    if (allocation == nullptr) {
      allocations_lost_.add(it->objects.read());
      continue;
    }
    allocation->objects.add(it->objects.read());
    allocation->bytes.add(it->bytes.read());
  }
}

void ThreadTree::absorb(const ThreadTree& finished) {
  std::vector<std::pair<Node*, const Node*>> to_do{{&root_, &finished.root_}};
  while (!to_do.empty()) {
    const auto [into, from] = to_do.back();
    to_do.pop_back();
    absorb_node(*into, *from);
    for (const Node* child = from->children.first(); child != nullptr; child = child->next) {
      Node* same = into->children.find(child->key);
      if (same == nullptr) same = new_child(*into, child->key);
      if (same == nullptr) {
        into->folded.add(child->calls.read());
      } else {
        to_do.emplace_back(same, child);
      }
    }
  }
  if (finished.absorbed() == 0) root_.calls.add(1);
  frames_closed_.add(finished.frames_closed());
  leaves_ignored_.add(finished.leaves_ignored());
  allocations_lost_.add(finished.allocations_lost());
}

}  // namespace oriel::callgraph_module
