// The present state of a tree, read while its thread goes on counting.
#pragma once

#include "log/format.h"
#include "thread_tree.h"

namespace oriel::callgraph_module {

// The tree's nodes, callers first, with methods and classes as ids, without asking for their names. A running call's
// time so far is included. A caller is read after its callees, so that its time is never less. `dump` is the dump's
// number. May throw std::bad_alloc.
log::CallGraph snapshot(const ThreadTree& tree, uint64_t dump);

}  // namespace oriel::callgraph_module
