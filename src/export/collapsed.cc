// Collapsed stacks: "root;caller;leaf 12", a line a stack, in the order of the frames' names.
#include <algorithm>
#include <ostream>

#include "export/tree.h"
#include "export/writers.h"

namespace oriel::exporting {
namespace {

// The format has no escapes: ';' ends a frame, so one inside a name becomes ':'.
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

}  // namespace

void write_collapsed(const profile::Profile& profile, std::ostream& out, bool per_thread) {
  FrameTable frames = make_frames(profile);
  const Tree tree = make_tree(profile, frames, per_thread);
  const std::vector<uint64_t> self = self_over_threads(tree);
  std::string line;
  std::vector<size_t> ends(tree.nodes.size());  // length of the line up to and with each node
  for (size_t i = 1; i < tree.nodes.size(); ++i) {
    // Depth first: the line still begins with the parent's.
    line.resize(ends[tree.nodes[i].parent]);
    if (!line.empty()) line += ';';
    line += collapsed_name(frames.frames[tree.nodes[i].frame].name);
    ends[i] = line.size();
    if (self[i] != 0) out << line << ' ' << self[i] << '\n';
  }
}

}  // namespace oriel::exporting
