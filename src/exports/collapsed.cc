// Collapsed stacks: "root;caller;leaf 12", one stack per line, in the order of frame names.
#include <algorithm>
#include <ostream>

#include "exports/export.h"
#include "exports/tree.h"

namespace oriel::exports {
namespace {

// The format has no escapes: ';' separates frames, so within a name it becomes ':'.
std::string collapsed_name(std::string name) {
  std::replace(name.begin(), name.end(), ';', ':');
  return name;
}

std::vector<uint64_t> self_over_threads(const Tree& tree) {
  std::vector<uint64_t> self(tree.nodes.size());
  for (const auto& thread : tree.threads)
    for (const Tree::Self& weight : thread) self[weight.node] += weight.periods;
  return self;
}

struct CollapsedOptions : Options {
  bool per_thread = false;  // the thread is the outermost frame, so that threads stay apart; other formats keep them
};

constexpr Option kCollapsedOptions[] = {
    own_flag<Options, &CollapsedOptions::per_thread>("--per-thread", "Make the thread the outermost frame")};

Status write_collapsed(const profile::Profile& profile, const CollapsedOptions& options, std::ostream& out) {
  FrameTable frames = make_frames(profile);
  const Tree tree = make_tree(profile, frames, options.per_thread);
  const std::vector<uint64_t> self = self_over_threads(tree);
  std::string line;
  std::vector<size_t> ends(tree.nodes.size());  // by node: length of the line up to and including it
  for (size_t i = 1; i < tree.nodes.size(); ++i) {
    // Depth first: the line still starts with the parent's text.
    line.resize(ends[tree.nodes[i].parent]);
    if (!line.empty()) line += ';';
    line += collapsed_name(frames.frames[tree.nodes[i].frame].name);
    ends[i] = line.size();
    if (self[i] != 0) out << line << ' ' << self[i] << '\n';
  }
  return Status::ok();
}

}  // namespace

extern const Export kCollapsedExport = {
    .name = "collapsed",
    .description = "one line per stack, root;…;leaf and its count, for flamegraph.pl and scripts",
    .extension = ".collapsed",
    .options = kCollapsedOptions,
    .own = own_options<CollapsedOptions>,
    .write = by_own<write_collapsed>,
};

}  // namespace oriel::exports
