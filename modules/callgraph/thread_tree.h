// One thread's calls, aggregated: a tree in which each node is a method as called by the methods above it.
//
// The thread itself counts; another may read concurrently (snapshot.h). So each number is an atomic with one writer,
// and a node is complete before it is linked to its parent. Nothing here blocks, throws or recurses: it runs inside the
// program's own code, and the program's stack may be a million frames deep.
#pragma once

#include <atomic>
#include <cstdint>

#include "arena.h"
#include "base/ticks.h"
#include "family.h"
#include "modules/segments.h"
#include "oriel/oriel.h"

namespace oriel::callgraph_module {

// A number with one writer thread.
class Counter {
 public:
  void add(uint64_t count) { value_.store(read() + count, std::memory_order_relaxed); }
  void set(uint64_t value) { value_.store(value, std::memory_order_relaxed); }
  uint64_t read() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<uint64_t> value_{0};
};

// Objects of one class that a node's own code allocated.
struct Allocation {
  const void* key = nullptr;  // the oriel_class
  Allocation* next = nullptr;
  Counter objects;
  Counter bytes;
};

// The times of a node's own code (modules/segments.h).
struct Timing {
  Counter timed;  // segments that were timed separately, and
  Counter timed_ticks;
  Counter longs;  // long segments, and
  Counter long_ticks;
  Counter waited_ns;  // time in these without a processor
};

// The value of Node::entered while an ending call is added to its node's time. No clock has so small a value.
inline constexpr uint64_t kClosing = 1;

struct Node {
  const void* key = nullptr;  // the oriel_method; nullptr for a thread's root
  Node* next = nullptr;
  Node* parent = nullptr;
  Family<Node> children;
  Counter calls;
  std::atomic<uint64_t> ticks{0};    // of calls that have ended, including their callees
  std::atomic<uint64_t> entered{0};  // when the running call started; 0 if none runs; kClosing
  Counter exceptions;                // calls that ended by an exception
  Counter folded;                    // calls from here without memory for a node: their time is this node's
  std::atomic<Family<Allocation>*> allocations{nullptr};
  std::atomic<Timing*> timing{nullptr};
};

class ThreadTree {
 public:
  explicit ThreadTree(uint32_t thread_id) : timer(reinterpret_cast<uintptr_t>(this)), thread_id_(thread_id) {
    current_ = &root_;
  }

  // Only for the tree's thread, from here on.
  void enter(oriel_method* method);
  // Whether it is the running method, or was called by that before. May be false although it is.
  bool is_in(const oriel_method* method) const { return current_->key == method && folded_depth_ == 0; }
  bool has_callee(const oriel_method* method) {
    return folded_depth_ == 0 && current_->children.find(method) != nullptr;
  }
  void leave(oriel_method* method) { leave_at(method, ticks()); }
  void leave_by_exception(oriel_method* method);
  void allocate(oriel_class* klass, uint64_t bytes);
  // For a segment of the running method, timed separately: its ticks; 0: none.
  void add_timed(uint64_t spent);
  // The thread ends: calls that seem to run have ended.
  void finish();

  // Adds a finished tree's counts to this one, which the caller owns. May throw std::bad_alloc.
  void absorb(const ThreadTree& finished);

  // For any thread.
  uint32_t thread_id() const { return thread_id_; }
  uint64_t absorbed() const { return root_.calls.read(); }  // threads whose trees were absorbed
  const Node& root() const { return root_; }
  uint64_t last_event() const { return last_event_.read(); }  // when the running segment started, in ticks
  uint64_t frames_closed() const {
    return frames_closed_.read();
  }                                                                   // ended by their caller's end, without a leave of
                                                                      // their own
  uint64_t leaves_ignored() const { return leaves_ignored_.read(); }  // of methods without an observed enter
  uint64_t allocations_lost() const { return allocations_lost_.read(); }  // for lack of memory
  // The thread has ended, and no longer uses its tree.
  bool is_finished() const { return finished_.load(std::memory_order_acquire); }

  modules::SegmentTimer timer;        // the callbacks'
  ThreadTree* next_record = nullptr;  // the registry's

 private:
  void pass(uint64_t now);
  void pass_long(uint64_t spent);
  Timing* timing_of(Node& node);
  void leave_at(oriel_method* method, uint64_t now);
  static void close(Node& node, uint64_t now);
  void leave_out_of_order(oriel_method* method, uint64_t now);
  Node* new_child(Node& parent, const void* method);
  void fold();
  Allocation* allocation_of(Node& node, const void* klass);
  void absorb_node(Node& into, const Node& from);

  const uint32_t thread_id_;
  Node* current_;
  uint64_t folded_depth_ = 0;  // running calls below `current_` without a node
  Counter last_event_;
  modules::WaitClock waits_;
  Node root_;
  Arena arena_;
  Counter frames_closed_;
  Counter leaves_ignored_;
  Counter allocations_lost_;
  std::atomic<bool> finished_{false};

 public:  // behind what each event touches
  // The registry's: where the thread finds its tree, nullptr once it does not any more; and whether another call graph
  // counts by now, so that it is nobody's.
  std::atomic<ThreadTree*>* found_at = nullptr;
  bool is_retired = false;
};

// A segment ends.
inline void ThreadTree::pass(uint64_t now) {
  const uint64_t spent = now - last_event_.read();
  last_event_.set(now);
  if (spent > modules::kLongSegment) [[unlikely]] {
    pass_long(spent);
  }
}

inline void ThreadTree::enter(oriel_method* method) {
  // Below a folded call there is no node to attach it to.
  if (folded_depth_ != 0) [[unlikely]] {
    return fold();
  }
  Node* node = current_->children.find(method);
  if (node == nullptr) [[unlikely]] {
    node = new_child(*current_, method);
    if (node == nullptr) return fold();
  }
  const uint64_t now = ticks();
  pass(now);
  current_ = node;
  node->calls.add(1);
  node->entered.store(now, std::memory_order_release);
}

// Each store publishes the earlier ones. So a reader who finds the same call, or none, in `entered` before and after
// reading `ticks` has read a consistent state; kClosing means that there is none at present.
inline void ThreadTree::close(Node& node, uint64_t now) {
  const uint64_t spent = now - node.entered.load(std::memory_order_relaxed);
  node.entered.store(kClosing, std::memory_order_relaxed);
  node.ticks.store(node.ticks.load(std::memory_order_relaxed) + spent, std::memory_order_release);
  node.entered.store(0, std::memory_order_release);
}

inline void ThreadTree::leave_at(oriel_method* method, uint64_t now) {
  Node* node = current_;
  if (node->key != method || folded_depth_ != 0) [[unlikely]] {
    return leave_out_of_order(method, now);
  }
  pass(now);
  close(*node, now);
  current_ = node->parent;
}

}  // namespace oriel::callgraph_module
