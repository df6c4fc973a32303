#include "profile/trees/sample_tree.h"

namespace oriel::profile {

SampleTree weigh(const Profile& profile) {
  SampleTree tree;
  tree.self = profile.samples.by_node();
  tree.self.resize(profile.nodes.size());
  tree.total = tree.self;
  for (size_t i = tree.total.size(); i-- > 1;) tree.total[profile.nodes[i].parent] += tree.total[i];
  return tree;
}

Children children_of(const std::vector<Node>& nodes) {
  Children children;
  children.starts.resize(nodes.size() + 1);
  children.ids.resize(nodes.size());
  for (size_t i = 1; i < nodes.size(); ++i) ++children.starts[nodes[i].parent + 1];
  for (size_t i = 1; i <= nodes.size(); ++i) children.starts[i] += children.starts[i - 1];
  std::vector<uint32_t> next(children.starts.begin(), children.starts.end() - 1);
  for (size_t i = 1; i < nodes.size(); ++i) children.ids[next[nodes[i].parent]++] = static_cast<uint32_t>(i);
  return children;
}

std::vector<bool> outermost_nodes(const std::vector<Node>& nodes, size_t functions) {
  std::vector<bool> outermost(nodes.size());
  if (nodes.empty()) return outermost;
  const Children children = children_of(nodes);
  std::vector<uint32_t> active(functions);  // by function: how often it is on the path
  struct Step {
    uint32_t node;
    uint32_t next;  // next child to visit, as an index into children.ids
  };
  ++active[nodes[0].function];
  std::vector<Step> path = {{0, children.starts[0]}};
  while (!path.empty()) {
    Step& top = path.back();
    if (top.next < children.starts[top.node + 1]) {
      const uint32_t child = children.ids[top.next++];
      outermost[child] = active[nodes[child].function]++ == 0;
      path.push_back({child, children.starts[child]});
    } else {
      --active[nodes[top.node].function];
      path.pop_back();
    }
  }
  return outermost;
}

}  // namespace oriel::profile
