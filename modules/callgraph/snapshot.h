// A tree as it stands now, read while its thread goes on counting.
#pragma once

#include "log/format.h"
#include "thread_tree.h"

namespace oriel::callgraph {

// A method's or class's node by node of the tree, callers first; `methods` and `classes` are not asked for their names.
// What a call that runs has spent so far is part of its time. A caller is read after what it calls, so that its time is
// never less. `dump` is the number to give. May throw std::bad_alloc.
log::CallGraph snapshot(const ThreadTree& tree, uint64_t dump);

}  // namespace oriel::callgraph
