// The page's trees of samples, calls, allocations and snapshots of the heap, as far as logged.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/status.h"
#include "exports/export.h"
#include "exports/frames.h"
#include "exports/page_groups.h"
#include "exports/page_tree.h"
#include "profile/waiting/timeline.h"

namespace oriel::exports {

// Resolution of the time line, and of an exported page's time ranges.
inline constexpr uint32_t kPartsOfRun = 240;

// How samples of the profile become weights of a tree; empty where a tree is not of samples.
struct SampledTree {
  std::vector<uint32_t> leaf_of;          // by node of the profile: its place in the tree
  std::vector<uint32_t> group_of_sample;  // by sample
  bool has_times() const { return !leaf_of.empty(); }
};

struct WeightTree {
  PageTree tree;
  SampledTree sampled;
};

struct PageTrees {
  FrameTable frames;
  uint32_t smaller = 0;  // the frame of what is too small for a page
  Groups groups;
  std::vector<WeightTree> trees;
  nlohmann::json weights = nlohmann::json::array();  // [{name, tree, column}]
  std::vector<std::string> of_heap;                  // as JSON; their numbers follow those of `trees`
  nlohmann::json heap;                               // as page_heap makes it
};

// An error if a derived profile is inconsistent.
Result<PageTrees> page_trees(const profile::Profile& profile, const Options& options);

// The weights of samples within a time range, by node of the tree: each sample stands for the time before it.
std::vector<PageWeight> weights_between(const profile::Profile& profile, const SampledTree& sampled, int64_t from_ns,
                                        int64_t to_ns);

// Gives weights their parts: those of the samples whose nodes are at these places of the tree.
void add_parts(const profile::Profile& profile, const SampledTree& sampled, const std::vector<uint32_t>& places,
               const profile::Parts& parts, PageTree& tree);

}  // namespace oriel::exports
