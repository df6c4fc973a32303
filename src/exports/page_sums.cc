#include "exports/page_sums.h"

#include <algorithm>
#include <set>

#include "exports/page_zoom.h"

namespace oriel::exports {
namespace {

std::vector<std::pair<uint32_t, uint64_t>> heaviest_first(const std::map<uint32_t, uint64_t>& sums) {
  std::vector<std::pair<uint32_t, uint64_t>> sorted;
  for (const auto& [frame, sum] : sums)
    if (sum > 0) sorted.emplace_back(frame, sum);
  std::ranges::stable_sort(sorted, std::greater(), [](const auto& one) { return one.second; });
  return sorted;
}

}  // namespace

Folded callers_of(const std::vector<PageNode>& nodes, uint32_t frame) {
  Folded made{{}, std::vector<uint32_t>(nodes.size(), kNoPlace)};
  Regrower regrower;
  std::vector<uint32_t> innermost(nodes.size()), end(nodes.size(), kNoPlace);
  const auto follow = [&](uint32_t from) {
    uint32_t at = 0, last = kNoPlace;
    for (uint32_t node = from; node > 0; node = nodes[node].parent) {
      if (nodes[node].frame == frame && last == frame) continue;
      last = nodes[node].frame;
      at = regrower.child(at, last, nodes[node].group);
    }
    return at;
  };
  for (uint32_t i = 1; i < nodes.size(); ++i) {
    innermost[i] = nodes[i].frame == frame ? i : innermost[nodes[i].parent];
    const uint32_t from = innermost[i];
    if (from == 0) continue;
    if (end[from] == kNoPlace) end[from] = follow(from);
    made.places[i] = end[from];
  }
  made.nodes = regrower.finish(made.places);
  return made;
}

std::vector<FrameSum> frame_sums(const std::vector<PageNode>& nodes, const NodeSums& sums, uint32_t root,
                                 size_t frames) {
  std::vector<FrameSum> all(frames);
  std::vector<uint32_t> active(frames), path;
  const std::vector<uint32_t> ends = ends_of(nodes);
  for (uint32_t i = root; i < ends[root]; ++i) {
    while (!path.empty() && i >= ends[path.back()]) {
      --active[nodes[path.back()].frame];
      path.pop_back();
    }
    if (i == 0) continue;
    FrameSum& sum = all[nodes[i].frame];
    sum.self += sums.self[i];
    if (active[nodes[i].frame]++ == 0) sum.total += sums.total[i];
    path.push_back(i);
  }
  for (uint32_t frame = 0; frame < frames; ++frame) all[frame].frame = frame;
  std::erase_if(all, [](const FrameSum& sum) { return sum.total == 0; });
  return all;
}

Neighbours neighbours_of(const std::vector<PageNode>& nodes, const NodeSums& sums, uint32_t frame) {
  std::map<uint32_t, uint64_t> callers, callees;
  std::vector<uint64_t> inner = sums.self;  // without nested calls of the frame
  const auto is_it = [&](uint32_t node) { return node > 0 && nodes[node].frame == frame; };
  for (auto i = static_cast<uint32_t>(nodes.size()); i-- > 1;) {
    const uint32_t parent = nodes[i].parent;
    if (!is_it(i)) {
      inner[parent] += inner[i];
      if (is_it(parent)) callees[nodes[i].frame] += inner[i];
      continue;
    }
    uint32_t above = parent;
    while (is_it(above)) above = nodes[above].parent;
    callers[above == 0 ? kNoCaller : nodes[above].frame] += inner[i];
  }
  return {heaviest_first(callers), heaviest_first(callees)};
}

Matches matches_of(const std::vector<PageNode>& nodes, const NodeSums& sums, uint32_t root,
                   const std::vector<bool>& found) {
  Matches matches;
  std::set<uint32_t> frames;
  const std::vector<uint32_t> ends = ends_of(nodes);
  uint32_t counted = 0;  // up to here, stacks count already
  for (uint32_t i = std::max<uint32_t>(1, root); i < ends[root]; ++i) {
    const uint32_t frame = nodes[i].frame;
    if (sums.total[i] == 0 || frame >= found.size() || !found[frame]) continue;
    frames.insert(frame);
    if (i < counted) continue;
    matches.total += sums.total[i];
    counted = ends[i];
  }
  matches.frames = frames.size();
  return matches;
}

}  // namespace oriel::exports
