#include "recorder.h"

#include <memory>
#include <new>

#include "base/kept_errno.h"
#include "base/thread_key.h"

namespace oriel::callgraph {

constinit modules::MethodSet chosen_methods;

namespace {

constexpr unsigned kMostFinished = 64;

constinit std::atomic<ThreadTree*> new_trees{nullptr};  // pushed by threads
constinit ThreadTree* known_trees = nullptr;            // the registry's
constinit ThreadTree* ended_threads = nullptr;          // one of them: what many that have ended became
constinit std::atomic<uint64_t> without_tree{0};

__attribute__((tls_model("initial-exec"))) __thread ThreadTree* current_tree = nullptr;

// pthread calls this for the thread's tree when the thread ends. The tree stays: what it counted is to be told.
void finish_tree(void* tree) {
  current_tree = nullptr;
  static_cast<ThreadTree*>(tree)->finish();
}

const ThreadKey tree_key(finish_tree);

ThreadTree* make_tree() {
  const KeptErrno kept;
  oriel_thread* thread = oriel_thread_current();
  auto* tree = new (std::nothrow) ThreadTree(thread != nullptr ? oriel_thread_id(thread) : 0);
  if (tree == nullptr) {
    without_tree.fetch_add(1, std::memory_order_relaxed);
    return nullptr;
  }
  tree_key.set(tree);
  tree->next_tree = new_trees.load(std::memory_order_relaxed);
  while (
      !new_trees.compare_exchange_weak(tree->next_tree, tree, std::memory_order_release, std::memory_order_relaxed)) {
  }
  current_tree = tree;
  return tree;
}

inline ThreadTree* own_tree() {
  ThreadTree* tree = current_tree;
  return tree != nullptr ? tree : make_tree();
}

// What the tree has is chosen; else the set is asked, as other profilers' methods are told too.
bool is_chosen(const oriel_method* method) { return chosen_methods.contains(oriel_method_id(method)); }

inline ThreadTree* tree_to_enter(oriel_method* method) {
  ThreadTree* tree = current_tree;
  if (tree != nullptr && tree->has_callee(method)) [[likely]] {
    return tree;
  }
  return is_chosen(method) ? own_tree() : nullptr;
}

inline ThreadTree* tree_to_leave(oriel_method* method) {
  ThreadTree* tree = current_tree;
  if (tree != nullptr && tree->is_in(method)) [[likely]] {
    return tree;
  }
  return is_chosen(method) ? own_tree() : nullptr;
}

void on_enter(oriel_profiler*, oriel_method* method, const void*) {
  if (ThreadTree* tree = tree_to_enter(method)) tree->enter(method);
}

void on_leave(oriel_profiler*, oriel_method* method, const void*) {
  if (ThreadTree* tree = tree_to_leave(method)) tree->leave(method);
}

// The caller is left for good: what is called goes below its caller's caller, as it will return there.
void on_tail_call(oriel_profiler*, oriel_method* method, oriel_method*) {
  if (ThreadTree* tree = tree_to_leave(method)) tree->leave(method);
}

void on_exception_leave(oriel_profiler*, oriel_method* method, oriel_object*) {
  if (ThreadTree* tree = tree_to_leave(method)) tree->leave_by_exception(method);
}

void on_allocation(oriel_profiler*, oriel_class* klass, uint64_t size, oriel_object*, oriel_method*) {
  if (ThreadTree* tree = own_tree()) tree->allocate(klass, size);
}

}  // namespace

namespace internal {
namespace {

// Newest first, as the list of the new ones is.
void adopt_new_trees() {
  ThreadTree* fresh = new_trees.exchange(nullptr, std::memory_order_acquire);
  if (fresh == nullptr) return;
  ThreadTree* oldest = fresh;
  while (oldest->next_tree != nullptr) oldest = oldest->next_tree;
  oldest->next_tree = known_trees;
  known_trees = fresh;
}

// The oldest of the finished trees are at the list's end; which of them become one matters little.
void unite_finished_trees() {
  unsigned finished = 0;
  for (ThreadTree** link = &known_trees; *link != nullptr;) {
    ThreadTree* tree = *link;
    if (tree == ended_threads || !tree->is_finished() || ++finished <= kMostFinished) {
      link = &tree->next_tree;
      continue;
    }
    if (ended_threads == nullptr) {
      ended_threads = new ThreadTree(0);
      ended_threads->next_tree = known_trees;
      known_trees = ended_threads;
      if (link == &known_trees) link = &ended_threads->next_tree;
    }
    *link = tree->next_tree;
    const std::unique_ptr<ThreadTree> gone(tree);
    ended_threads->absorb(*tree);
  }
}

}  // namespace

ThreadTree* gathered_trees() {
  adopt_new_trees();
  unite_finished_trees();
  return known_trees;
}

}  // namespace internal

bool has_calls() {
  bool any = false;
  for_each_tree([&any](const ThreadTree& tree) { any = any || tree.root().children.first() != nullptr; });
  return any;
}

uint64_t events_without_tree() { return without_tree.load(std::memory_order_relaxed); }

void listen(oriel_profiler_handle profiler, bool allocations) {
  oriel_profiler_set_method_enter_callback(profiler, on_enter);
  oriel_profiler_set_method_leave_callback(profiler, on_leave);
  oriel_profiler_set_method_tail_call_callback(profiler, on_tail_call);
  oriel_profiler_set_method_exception_leave_callback(profiler, on_exception_leave);
  if (allocations) oriel_profiler_set_gc_allocation_callback(profiler, on_allocation);
}

void stop_listening(oriel_profiler_handle profiler) {
  oriel_profiler_set_method_enter_callback(profiler, nullptr);
  oriel_profiler_set_method_leave_callback(profiler, nullptr);
  oriel_profiler_set_method_tail_call_callback(profiler, nullptr);
  oriel_profiler_set_method_exception_leave_callback(profiler, nullptr);
  oriel_profiler_set_gc_allocation_callback(profiler, nullptr);
}

}  // namespace oriel::callgraph
