// The callgraph module's callbacks for calls, returns and allocations. Each thread counts in its own tree; the registry
// has all trees.
#pragma once

#include <cstdint>

#include "modules/method_filter.h"
#include "modules/probe_costs.h"
#include "oriel/oriel.h"
#include "thread_tree.h"

namespace oriel::callgraph_module {

// What is never destroyed: callbacks may still run while the process exits.
template <typename Value>
union Lasting {
  constexpr Lasting() : value() {}
  ~Lasting() {}
  Value value;
};

// The methods that the module's filter chose. Calls of others, which other profilers chose, are not counted.
extern Lasting<modules::ChosenMethods> chosen;
inline modules::ChosenMethods& chosen_methods() { return chosen.value; }

// Sets `profiler`'s callbacks for calls, and for allocations if requested.
void listen(oriel_profiler_handle profiler, bool allocations);
// Removes these callbacks.
void stop_listening(oriel_profiler_handle profiler);

// For the reader, one thread at a time. Calls visit(const ThreadTree&) for each tree. Trees of ended threads are kept
// up to a number, then merged: a program may start threads for ever. May throw std::bad_alloc.
template <typename Visit>
void for_each_tree(Visit visit);

// What was counted is nobody's any more: each thread begins a new tree with its next event. The registry's side, while
// nobody listens; threads may still be in callbacks. May throw std::bad_alloc.
void retire_trees();

// What the callbacks cost, by calling them. Any thread; what it does with them is not counted.
modules::ProbeCosts measure_costs(bool allocations);

// Whether any call was counted.
bool has_calls();
// Calls, returns and allocations on threads without memory for a tree.
uint64_t events_without_tree();

namespace internal {
ThreadTree* gathered_trees();  // a list linked by next_record
}  // namespace internal

template <typename Visit>
void for_each_tree(Visit visit) {
  for (const ThreadTree* tree = internal::gathered_trees(); tree != nullptr; tree = tree->next_record)
    if (!tree->is_retired) visit(*tree);
}

}  // namespace oriel::callgraph_module
