#include "report/memory/heap_branches.h"

#include <algorithm>
#include <functional>
#include <map>
#include <unordered_set>
#include <utility>

#include "report/words/text.h"

namespace oriel::report {

using heap::Graph;
using profile::Profile;

namespace {

constexpr uint32_t kMostBranchDepth = 24;

class BranchMaker {
 public:
  BranchMaker(const HeapData& data, const Profile& profile, const BranchBounds& bounds)
      : data_(data),
        graph_(data.loaded->graph),
        tree_(data.loaded->tree),
        profile_(profile),
        bounds_(bounds),
        places_(tree_.size(), Graph::kManyPlaces) {}

  HeapBranch run() {
    HeapBranch all;
    all.name = node_text(data_, 0, profile_);
    all.retained = tree_.retained[0];
    grow(all, {0}, 0);
    return all;
  }

 private:
  // Objects that become one branch.
  struct Group {
    uint32_t above = 0;             // the number of what dominates the first
    std::vector<uint32_t> members;  // numbers
    uint64_t retained = 0;
  };
  using Groups = std::map<std::pair<uint32_t, uint8_t>, Group>;  // by entry of HeapData::types, and place

  uint32_t type_of(uint32_t number) const { return graph_.types[tree_.nodes[number]]; }
  uint32_t name_of(uint32_t number) const { return data_.loaded->names[type_of(number)]; }

  // By which place each object that this one dominates is referred to by it.
  void find_places(uint32_t number) {
    if (!tree_.is_object(number)) return;
    const uint32_t object = tree_.nodes[number];
    for (uint32_t edge = graph_.first_edge[object]; edge < graph_.first_edge[object + 1]; ++edge) {
      const uint32_t target = tree_.numbers[graph_.targets[edge]];
      if (target != 0 && tree_.dominators[target] == number && places_[target] == Graph::kManyPlaces)
        places_[target] = graph_.places[edge];
    }
  }

  HeapBranch branch_of(const Group& group) const {
    HeapBranch branch;
    const uint32_t first = group.members.front();
    branch.retained = group.retained;
    branch.name = node_text(data_, first, profile_);
    if (!tree_.is_object(first)) return branch;
    branch.type = type_of(first);
    if (tree_.is_object(group.above))
      branch.place = clean(heap::place_name(graph_.type(tree_.nodes[group.above]), places_[first]));
    return branch;
  }

  // Adds to the branch what its members dominate. One of their own type is a member too: a list's next element.
  void grow(HeapBranch& branch, std::vector<uint32_t> members, uint32_t depth) {
    Groups smaller;
    std::vector<Group> all;
    for (size_t i = 0; i < members.size(); ++i) {
      const uint32_t number = members[i];
      find_places(number);
      if (tree_.is_object(number)) {
        ++branch.objects;
        branch.bytes += graph_.bytes(tree_.nodes[number]);
      }
      for (uint32_t child = tree_.first_child[number]; child != 0; child = tree_.next_child[child]) {
        const bool is_object = tree_.is_object(child);
        if (is_object && tree_.is_object(number) && name_of(child) == name_of(number)) {
          members.push_back(child);
          branch.repeats = true;
        } else if (tree_.retained[child] >= (is_object ? bounds_.alone : bounds_.least) && depth < kMostBranchDepth) {
          all.push_back({number, {child}, tree_.retained[child]});
        } else if (is_object) {
          Group& group = smaller[{name_of(child), places_[child]}];
          if (group.members.empty()) group.above = number;
          group.members.push_back(child);
          group.retained += tree_.retained[child];
        } else {
          ++branch.others;
          branch.rest += tree_.retained[child];
        }
      }
    }
    for (auto& [key, group] : smaller) {
      if (group.retained >= bounds_.least && depth < kMostBranchDepth) {
        all.push_back(std::move(group));
      } else {
        branch.others += group.members.size();
        branch.rest += group.retained;
      }
    }
    for (Group& group : all) {
      HeapBranch& made = branch.below.emplace_back(branch_of(group));
      grow(made, std::move(group.members), depth + 1);
    }
    std::ranges::stable_sort(branch.below, std::greater<>(), &HeapBranch::retained);
  }

  const HeapData& data_;
  const Graph& graph_;
  const heap::Dominators& tree_;
  const Profile& profile_;
  const BranchBounds bounds_;
  std::vector<uint8_t> places_;  // by number: of the reference by its dominator; kManyPlaces if there is none
};

using Kept = std::unordered_set<const HeapBranch*>;

void list_branches(const HeapBranch& branch, std::vector<const HeapBranch*>& all) {
  for (const HeapBranch& below : branch.below) {
    all.push_back(&below);
    list_branches(below, all);
  }
}

// Those that stay come first, as branches are sorted.
void leave_out(HeapBranch& branch, const Kept& kept) {
  const auto out =
      std::ranges::find_if_not(branch.below, [&](const HeapBranch& below) { return kept.contains(&below); });
  for (auto it = out; it != branch.below.end(); ++it) {
    branch.others += std::max<uint64_t>(it->objects, 1);
    branch.rest += it->retained;
  }
  branch.below.erase(out, branch.below.end());
  for (HeapBranch& below : branch.below) leave_out(below, kept);
}

}  // namespace

std::string branch_text(const HeapBranch& branch) {
  return (branch.place.empty() ? "" : branch.place + ": ") + branch.name +
         (branch.repeats ? ", one after another" : "");
}

HeapBranch heap_branches(const HeapData& data, const Profile& profile, const BranchBounds& bounds) {
  return BranchMaker(data, profile, bounds).run();
}

uint64_t keep_largest(HeapBranch& all, size_t most) {
  std::vector<const HeapBranch*> branches;  // each after the one above it, also once sorted
  list_branches(all, branches);
  if (branches.size() <= most) return 0;
  std::ranges::stable_sort(branches, std::greater<>(), &HeapBranch::retained);
  const uint64_t largest_out = branches[most]->retained;
  branches.resize(most);
  leave_out(all, Kept(branches.begin(), branches.end()));
  return largest_out;
}

}  // namespace oriel::report
