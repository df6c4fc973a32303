#include "profile/work/throwing.h"

#include "profile/work/purpose.h"

namespace oriel::profile {
namespace {

bool handles_exceptions(const Function& function) {
  return function.managed && function.name.starts_with("System.Runtime.EH.");
}

}  // namespace

std::vector<uint32_t> throwing_nodes(const Profile& profile) {
  // Managed handling is less than half of a throw; the rest is native: stack traces, registers.
  constexpr uint64_t kPart = 4;
  const std::vector<Node>& nodes = profile.nodes;
  std::vector<uint32_t> handled_by(nodes.size());
  std::vector<uint64_t> all = profile.samples.by_node(), handling(nodes.size());
  all.resize(nodes.size());
  for (size_t i = nodes.size(); i-- > 1;) {  // callees have greater indexes than callers
    const uint32_t caller = nodes[i].parent;
    const Function& function = profile.functions[nodes[i].function];
    const bool handles = handles_exceptions(function);
    if (handles || (handled_by[i] != 0 && is_runtime(function))) {
      handled_by[caller] = handles ? nodes[i].function : handled_by[i];
      handling[caller] += handles ? all[i] : handling[i];
    }
    all[caller] += all[i];
  }
  for (size_t i = 0; i < nodes.size(); ++i)
    if (!is_runtime(profile.functions[nodes[i].function]) || handling[i] * kPart < all[i]) handled_by[i] = 0;
  return handled_by;
}

}  // namespace oriel::profile
