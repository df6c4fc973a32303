// The callgraph module's callbacks for calls, returns and allocations. Each thread counts in its own tree; the registry
// has all trees.
#pragma once

#include <cstdint>

#include "module/method_set.h"
#include "module/probe_costs.h"
#include "oriel/oriel.h"
#include "thread_tree.h"

namespace oriel::callgraph {

// The methods that the module's filter selected. Calls of others, selected by other profilers, are not counted.
extern modules::MethodSet chosen_methods;

// Sets `profiler`'s callbacks for calls, and for allocations if requested.
void listen(oriel_profiler_handle profiler, bool allocations);
// Removes these callbacks.
void stop_listening(oriel_profiler_handle profiler);

// For the reader, one thread at a time. Calls visit(const ThreadTree&) for each tree. Trees of ended threads are kept
// up to a number, then merged: a program may start threads for ever. May throw std::bad_alloc.
template <typename Visit>
void for_each_tree(Visit visit);

// Measures the cost of the callbacks by calling them. Any thread; these calls are not counted.
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
  for (const ThreadTree* tree = internal::gathered_trees(); tree != nullptr; tree = tree->next_record) visit(*tree);
}

}  // namespace oriel::callgraph
