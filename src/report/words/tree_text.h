// A call tree as text: shares, guides and one function per line; for a weighed profile also amounts and counts. A chain
// of functions with a single callee each shares a line, so that indentation shows branches, not depth. A tree too deep
// to leave room for names has a level column, and shows only the ends of guides.
#pragma once

#include <ostream>

#include "profile/trees/call_tree.h"
#include "profile/trees/weight.h"
#include "report/report.h"

namespace oriel::report {

struct TreeText {
  uint64_t whole = 0;           // 100 % of the shares
  uint64_t least = 0;           // the least total of nodes, as the tree was cut
  size_t limit = 0;             // lines; 0: no limit
  const char* arrow = "→";      // between the functions of a chain
  const char* total = "total";  // column titles
  const char* self = "self";
};

// Writes a line of titles, and all nodes except the root.
void write_tree_text(const profile::CallTree& tree, const TreeText& text, const profile::Profile& profile,
                     const Options& options, std::ostream& out);

// All nodes except the root as rows, callers before callees: {"id", "parent", "depth", "self", "total", "name", …}. Ids
// count from 1; children of the root have parent 0 and depth 1. Rows are not nested, because a stack of a thousand
// frames is too deep for JSON parsers. Own code has "file" and "line" if known. A weighed profile also has "calls",
// "objects" or "bytes" (see Profile::node_counts).
Json tree_rows_json(const profile::CallTree& tree, const profile::Profile& profile, const Options& options);

// Whether trees fold recursion: a call graph's do; other logs keep each call as it was.
profile::Recursion shown_recursion(const profile::Profile& profile);

// A note about scaffolding that was folded, if there is any.
void write_folded_note(const profile::Profile& profile, const Options& options, std::ostream& out);

// The --tree of calls and of allocations, below a title that the caller wrote; notes what is hidden.
void write_weighed(profile::Profile weighed, const Options& options, std::ostream& out);

// Of reports that show the same as a tree too.
struct TreeOptions : Options {
  bool tree = false;
};
inline constexpr Option kTree = own_flag<Options, &TreeOptions::tree>("--tree", "show a call tree instead of tables");

// Adds "unit", "total", "hidden_nodes" and "nodes" (tree_rows_json).
void add_weighed(profile::Profile weighed, const Options& options, Json& json);

}  // namespace oriel::report
