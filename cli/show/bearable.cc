#include "show/bearable.h"

#include <fmt/format.h>

#include <vector>

#include "commands.h"
#include "oriel/oriel.h"
#include "profile/trees/call_edges.h"

namespace oriel::cli {

profile::Recursion bearable_recursion(const profile::Profile& profile) {
  const size_t depth = profile::depth_of(profile.call_nodes);
  if (depth <= ORIEL_MAX_FRAMES) return profile::Recursion::kAsLogged;
  say(fmt::format("calls are up to {} deep: recursion is folded", depth));
  return profile::Recursion::kFolded;
}

// Pages and tables share frames.
Status bearable_length(std::string_view format, std::string_view instead, const profile::Profile& profile) {
  constexpr uint64_t kMostFrames = 100'000'000;
  const std::vector<uint64_t>& periods = profile.samples.by_node();
  std::vector<uint32_t> depths(profile.nodes.size());
  uint64_t frames = 0;
  for (size_t i = 1; i < periods.size(); ++i) {
    depths[i] = depths[profile.nodes[i].parent] + 1;
    if (periods[i] != 0) frames += depths[i];
  }
  if (frames <= kMostFrames) return Status::ok();
  return Status::error(
      fmt::format("{} writes each stack in full, here {} million frames; {}", format, frames / 1'000'000, instead));
}

}  // namespace oriel::cli
