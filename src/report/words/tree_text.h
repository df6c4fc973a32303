// A call tree as text: shares, guides, and a function a line; of a weighed profile also what the shares are of, and
// counts. Where one function only leads to one other, the chain shares a line, so that the indentation tells of
// choices, not of depth. A tree that is too deep for names to have room beside the guides has a column of levels, and
// of the guides only their ends.
#pragma once

#include <ostream>

#include "profile/trees/call_tree.h"
#include "profile/trees/weight.h"
#include "report/report.h"

namespace oriel::report {

struct TreeText {
  uint64_t whole = 0;           // what the shares are of
  uint64_t least = 0;           // what is hidden below, as the tree was cut
  size_t limit = 0;             // lines; 0: all
  const char* arrow = "→";      // between the functions of a chain
  const char* total = "total";  // titles
  const char* self = "self";
};

// Writes a line of titles, and all nodes but the root.
void write_tree_text(const profile::CallTree& tree, const TreeText& text, const profile::Profile& profile,
                     const Options& options, std::ostream& out);

// All nodes but the root as rows, callers before what they call: {"id", "parent", "depth", "self", "total", "name", …}.
// Ids count from 1; the parent of the root's children is 0, their depth 1. Not nested: a stack of a thousand frames is
// deeper than JSON parsers go. Own code with "file" and "line", where
// these are known. Of a weighed profile with "calls", "objects" or "bytes" too (see Profile::node_counts).
Json tree_rows_json(const profile::CallTree& tree, const profile::Profile& profile, const Options& options);

// The trees of a call graph show recursion folded up, as one method on one way; those of other logs each call where it
// was.
profile::Recursion shown_recursion(const profile::Profile& profile);

// A sentence about the scaffolding that was taken out of the tree, if any was.
void write_folded_note(const profile::Profile& profile, const Options& options, std::ostream& out);

// The --tree of calls and of allocations, below a title that stands already; notes what is hidden.
void write_weighed(profile::Profile weighed, const Options& options, std::ostream& out);

// Adds "unit", "total", "hidden_nodes" and "nodes" (tree_rows_json).
void add_weighed(profile::Profile weighed, const Options& options, Json& json);

}  // namespace oriel::report
