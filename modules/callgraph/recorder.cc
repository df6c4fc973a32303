#include "recorder.h"

#include <memory>
#include <mutex>

#include "base/process/kept_errno.h"
#include "base/static_tls.h"
#include "modules/thread_registry.h"

namespace oriel::callgraph_module {

constinit Lasting<modules::ChosenMethods> chosen;

namespace {

constexpr unsigned kMostFinished = 64;

constinit ThreadTree* ended_threads = nullptr;  // one of all trees: the sum of many that have ended
constinit std::atomic<uint64_t> without_tree{0};

// Its thread reads it at each event. Another takes a tree away when the call graph that it is of has ended.
ORIEL_STATIC_TLS constinit thread_local std::atomic<ThreadTree*> current_tree{nullptr};

inline ThreadTree* current() { return current_tree.load(std::memory_order_relaxed); }

constinit std::atomic<bool> counts_allocations{false};
constinit std::mutex taking;  // trees away from their threads, and threads away from their trees

// pthread calls this for the thread's tree when the thread ends. The tree stays: what it counted is to be told, unless
// it is retired.
void finish_tree(void* tree) {
  auto& own = *static_cast<ThreadTree*>(tree);
  {
    const std::lock_guard guard(taking);
    own.found_at = nullptr;
  }
  current_tree.store(nullptr, std::memory_order_relaxed);
  own.finish();
}

modules::ThreadRegistry<ThreadTree> trees(finish_tree);

// The registry knows a tree once its thread finds it. One that the thread had before was taken away.
ThreadTree* make_tree() {
  const KeptErrno kept;
  const std::lock_guard guard(taking);
  ThreadTree* const before = trees.own();
  ThreadTree* const tree = trees.make();
  if (tree == nullptr) {
    without_tree.fetch_add(1, std::memory_order_relaxed);
    return nullptr;
  }
  if (before != nullptr) before->finish();
  tree->found_at = &current_tree;
  current_tree.store(tree, std::memory_order_relaxed);
  return tree;
}

// What the tree has is chosen; else the set is asked, as other profilers' methods are told too.
bool is_chosen(const oriel_method* method) { return chosen_methods().contains(oriel_method_id(method)); }

// The thread's tree if the method is chosen. Where there is none yet the method's call graph may just have ended, and
// the tree be the next one's: so it is asked once more.
ThreadTree* tree_if_chosen(const oriel_method* method) {
  if (!is_chosen(method)) return nullptr;
  if (ThreadTree* const tree = current()) return tree;
  ThreadTree* const made = make_tree();
  return is_chosen(method) ? made : nullptr;
}

inline ThreadTree* tree_to_enter(ThreadTree* tree, oriel_method* method) {
  if (tree != nullptr && tree->has_callee(method)) [[likely]] {
    return tree;
  }
  return tree_if_chosen(method);
}

inline ThreadTree* tree_to_leave(ThreadTree* tree, oriel_method* method) {
  if (tree != nullptr && tree->is_in(method)) [[likely]] {
    return tree;
  }
  return tree_if_chosen(method);
}

// The thread's tree is read once; nullptr: it has none yet.
void enter(ThreadTree* own, oriel_method* method) {
  if (ThreadTree* tree = tree_to_enter(own, method)) tree->enter(method);
}

void leave(ThreadTree* own, oriel_method* method) {
  if (ThreadTree* tree = tree_to_leave(own, method)) tree->leave(method);
}

void leave_by_exception(ThreadTree* own, oriel_method* method) {
  if (ThreadTree* tree = tree_to_leave(own, method)) tree->leave_by_exception(method);
}

// An event at which a segment that is timed apart begins or ends.
template <void (*event)(ThreadTree*, oriel_method*)>
__attribute__((noinline)) void timed(ThreadTree& tree, oriel_method* method) {
  const uint64_t spent = tree.timer.end();
  if (!tree.is_in(method) && !tree.has_callee(method) && !is_chosen(method)) return;
  tree.add_timed(spent);
  event(&tree, method);
  tree.timer.begin();
}

template <void (*event)(ThreadTree*, oriel_method*)>
inline void hear(oriel_method* method) {
  ThreadTree* tree = current();
  if (tree != nullptr && tree->timer.is_due()) [[unlikely]] {
    return timed<event>(*tree, method);
  }
  event(tree, method);
}

void on_enter(oriel_profiler*, oriel_method* method, const void*) { hear<enter>(method); }

void on_leave(oriel_profiler*, oriel_method* method, const void*) { hear<leave>(method); }

// The caller is left for good: the callee goes below the caller's caller, to which it will return.
void on_tail_call(oriel_profiler*, oriel_method* method, oriel_method*) { hear<leave>(method); }

void on_exception_leave(oriel_profiler*, oriel_method* method, oriel_object*) { hear<leave_by_exception>(method); }

void on_allocation(oriel_profiler*, oriel_class* klass, uint64_t size, oriel_object*, oriel_method*) {
  ThreadTree* tree = current();
  if (tree == nullptr && counts_allocations.load(std::memory_order_relaxed)) tree = make_tree();
  if (tree != nullptr) tree->allocate(klass, size);
}

// Makes the calling thread count into a tree that nobody reads.
class Scratch {
 public:
  Scratch() : before_(current()) {
    tree.enter(caller());
    tree.enter(callee());
    tree.leave(callee());
    current_tree.store(&tree, std::memory_order_relaxed);
  }
  ~Scratch() { current_tree.store(before_, std::memory_order_relaxed); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  // Fake methods: the tree contains them, so their ids are never read.
  static oriel_method* caller() { return reinterpret_cast<oriel_method*>(&places_[0]); }
  static oriel_method* callee() { return reinterpret_cast<oriel_method*>(&places_[1]); }
  static oriel_class* klass() { return reinterpret_cast<oriel_class*>(&places_[2]); }
  const Node& called() const { return *tree.root().children.first()->children.first(); }

  ThreadTree tree{0};

 private:
  inline static char places_[3];
  ThreadTree* const before_;
};

double measure_segment(bool timed, uint64_t (*code)(uint64_t)) {
  Scratch scratch;
  if (timed) scratch.tree.timer.time_all();
  const uint64_t before = scratch.called().ticks.load(std::memory_order_relaxed);
  modules::call_with_probes({on_enter, on_leave, nullptr, Scratch::callee()}, code);
  if (!timed) {
    const uint64_t passed = scratch.called().ticks.load(std::memory_order_relaxed) - before;
    return static_cast<double>(passed) / modules::kCallsToMeasure;
  }
  const Timing* timing = scratch.called().timing.load(std::memory_order_relaxed);
  return timing != nullptr && timing->timed.read() != 0
             ? static_cast<double>(timing->timed_ticks.read()) / static_cast<double>(timing->timed.read())
             : 0;
}

double measure_allocation() {
  Scratch scratch;
  on_allocation(nullptr, Scratch::klass(), 24, nullptr, nullptr);
  const uint64_t begin = serialized_ticks();
  for (int i = 0; i < modules::kCallsToMeasure; ++i) on_allocation(nullptr, Scratch::klass(), 24, nullptr, nullptr);
  return static_cast<double>(serialized_ticks() - begin) / modules::kCallsToMeasure;
}

}  // namespace

namespace internal {
namespace {

// The oldest finished trees are at the list's end; it matters little which ones are merged.
void unite_finished(ThreadTree*& first) {
  unsigned finished = 0;
  for (ThreadTree** link = &first; *link != nullptr;) {
    ThreadTree* tree = *link;
    if (tree->is_retired && tree->is_finished()) {
      *link = tree->next_record;
      delete tree;
      continue;
    }
    if (tree->is_retired || tree == ended_threads || !tree->is_finished() || ++finished <= kMostFinished) {
      link = &tree->next_record;
      continue;
    }
    if (ended_threads == nullptr) {
      ended_threads = new ThreadTree(0);
      ended_threads->next_record = first;
      first = ended_threads;
      if (link == &first) link = &ended_threads->next_record;
    }
    *link = tree->next_record;
    const std::unique_ptr<ThreadTree> gone(tree);
    ended_threads->absorb(*tree);
  }
}

}  // namespace

ThreadTree* gathered_trees() {
  ThreadTree*& first = trees.all();
  unite_finished(first);
  return first;
}

}  // namespace internal

// One that a thread is still in, or may come back to, goes once the thread has ended or has another.
void retire_trees() {
  const std::lock_guard guard(taking);
  for (ThreadTree* tree = trees.all(); tree != nullptr; tree = tree->next_record) {
    tree->is_retired = true;
    if (tree->found_at != nullptr) tree->found_at->store(nullptr, std::memory_order_relaxed);
    tree->found_at = nullptr;
  }
  if (ended_threads != nullptr) ended_threads->finish();  // no thread's
  ended_threads = nullptr;
  without_tree.store(0, std::memory_order_relaxed);
}

modules::ProbeCosts measure_costs(bool allocations) {
  modules::ProbesToMeasure probes{measure_segment, {}};
  if (allocations) probes.allocation = measure_allocation;
  return modules::measure(probes);
}

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
  counts_allocations = allocations;
  if (allocations) oriel_profiler_set_gc_allocation_callback(profiler, on_allocation);
}

void stop_listening(oriel_profiler_handle profiler) {
  counts_allocations = false;
  oriel_profiler_set_method_enter_callback(profiler, nullptr);
  oriel_profiler_set_method_leave_callback(profiler, nullptr);
  oriel_profiler_set_method_tail_call_callback(profiler, nullptr);
  oriel_profiler_set_method_exception_leave_callback(profiler, nullptr);
  oriel_profiler_set_gc_allocation_callback(profiler, nullptr);
}

}  // namespace oriel::callgraph_module
