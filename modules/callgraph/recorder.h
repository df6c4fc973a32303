// The callgraph module's callbacks: what the program's threads do at a call, a return, an allocation. Each counts in a
// tree of its own; the registry knows all the trees.
#pragma once

#include <cstdint>

#include "module/method_set.h"
#include "module/probe_costs.h"
#include "oriel/oriel.h"
#include "thread_tree.h"

namespace oriel::callgraph {

// The methods that the module's filter chose. Calls of others, which other profilers chose, are not counted.
extern modules::MethodSet chosen_methods;

// Makes `profiler` listen to calls, and to allocations if asked for.
void listen(oriel_profiler_handle profiler, bool allocations);
// Takes these callbacks away again.
void stop_listening(oriel_profiler_handle profiler);

// The registry's side, one thread at a time. Calls visit(const ThreadTree&) for each tree. Trees of threads that have
// ended are kept up to a number, then they become one: a program may start threads for ever. May throw std::bad_alloc.
template <typename Visit>
void for_each_tree(Visit visit);

// What the callbacks cost, by calling them. Any thread; what it does with them is not counted.
modules::ProbeCosts measure_costs(bool allocations);

// Whether any call was counted.
bool has_calls();
// Calls, returns and allocations of threads that found no memory for a tree.
uint64_t events_without_tree();

namespace internal {
ThreadTree* gathered_trees();  // a list along next_record
}  // namespace internal

template <typename Visit>
void for_each_tree(Visit visit) {
  for (const ThreadTree* tree = internal::gathered_trees(); tree != nullptr; tree = tree->next_record) visit(*tree);
}

}  // namespace oriel::callgraph
