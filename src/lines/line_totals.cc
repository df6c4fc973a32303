#include "lines/line_totals.h"

#include <algorithm>
#include <functional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "profile/hashed_rows.h"
#include "profile/work/category.h"
#include "profile/work/exception_costs.h"

namespace oriel::lines {
namespace {

using profile::Profile;

// Nodes of a function with equal keys are shown as one place.
struct Key {
  Line line;
  uint32_t il = 0;
  bool known = true;

  auto in_order() const { return std::tuple(!known, line.file == 0, line.file, line.line, il); }
  bool operator<(const Key& other) const { return in_order() < other.in_order(); }
};

Key key_of(const Profile& profile, uint32_t position, Lines& lines) {
  if (position == 0 || profile.places.positions[position].address != 0) return {{}, 0, false};
  const Line line = lines.of(position);
  return line.file != 0 ? Key{line, 0, true} : Key{{}, profile.places.positions[position].il, true};
}

// Numbers the distinct places of a function's nodes, of which there are far fewer than nodes.
class PlaceNumbers {
 public:
  PlaceNumbers(const Profile& profile, Lines& lines) : profile_(profile), lines_(lines) {}

  uint32_t of(uint32_t position) {
    const auto [known, first] = by_position_.try_emplace(position, 0u);
    if (!first) return known->second;
    const auto next = static_cast<uint32_t>(by_key_.size());
    return known->second = by_key_.try_emplace(key_of(profile_, position, lines_), next).first->second;
  }
  // In display order.
  const std::map<Key, uint32_t>& all() const { return by_key_; }

 private:
  const Profile& profile_;
  Lines& lines_;
  std::unordered_map<uint32_t, uint32_t> by_position_;
  std::map<Key, uint32_t> by_key_;
};

// Samples of a function at one place.
struct FunctionPlace {
  uint32_t function = 0;
  uint32_t position = 0;
  uint64_t periods = 0;
  uint64_t hash() const { return profile::mix(function, position); }
  bool same(const FunctionPlace& other) const { return function == other.function && position == other.position; }
};

// Weights by line, grouped by an owner such as a function.
template <typename Of>
class Sums {
 public:
  void add(const Of& of, const Line& line, uint64_t weight) {
    if (line.file != 0) sums_[{of, line.file, line.line}] += weight;
  }
  std::map<Of, Line> hottest() const {
    std::map<Of, Line> result;
    std::map<Of, uint64_t> most;
    for (const auto& [at, sum] : sums_) {
      const auto& [of, file, line] = at;
      if (sum <= most[of]) continue;
      most[of] = sum;
      result[of] = {file, line};
    }
    return result;
  }

 private:
  std::map<std::tuple<Of, uint32_t, uint32_t>, uint64_t> sums_;  // by owner, file and line
};

}  // namespace

std::vector<LineTotals> lines_of_function(const Profile& profile, uint32_t function, Lines& lines) {
  return lines_of_function(profile, profile::weigh(profile), function, lines);
}

std::vector<LineTotals> lines_of_function(const Profile& profile, const profile::SampleTree& tree, uint32_t function,
                                          Lines& lines) {
  const std::vector<profile::Node>& nodes = profile.nodes;
  std::vector<uint32_t> nearest(nodes.size());   // by node: the innermost node of the function among its ancestors and
                                                 // itself
  std::vector<uint32_t> place_of(nodes.size());  // by node of the function
  PlaceNumbers places(profile, lines);
  std::vector<LineTotals> sums;  // by place
  for (uint32_t i = 1; i < nodes.size(); ++i) {
    nearest[i] = nearest[nodes[i].parent];
    if (nodes[i].function != function) continue;
    place_of[i] = places.of(nodes[i].position);
    if (place_of[i] == sums.size()) sums.emplace_back();
    LineTotals& sum = sums[place_of[i]];
    sum.position = nodes[i].position;
    sum.self += tree.self[i];
    uint32_t above = nearest[i];
    while (above != 0 && place_of[above] != place_of[i]) above = nearest[nodes[above].parent];
    if (above == 0) sum.total += tree.total[i];
    nearest[i] = i;
  }
  std::vector<LineTotals> result;
  for (const auto& [key, place] : places.all()) {
    LineTotals& sum = sums[place];
    if (sum.total == 0) continue;
    std::tie(sum.line, sum.il, sum.known) = std::tuple(key.line, key.il, key.known);
    result.push_back(sum);
  }
  return result;
}

std::vector<OwnLine> own_lines(const Profile& profile, Lines& lines) {
  const std::vector<uint32_t> nearest = profile::nearest_own_nodes(profile.nodes, profile);
  std::vector<uint64_t> by_node(profile.nodes.size());
  const std::vector<uint64_t>& periods = profile.samples.by_node();
  for (size_t i = 0; i < periods.size(); ++i) by_node[nearest[i]] += periods[i];
  profile::HashedRows<FunctionPlace> places;
  for (uint32_t i = 1; i < by_node.size(); ++i) {
    if (by_node[i] == 0) continue;
    places[places.find_or_add({profile.nodes[i].function, profile.nodes[i].position, 0})].periods += by_node[i];
  }
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, OwnLine> sums;  // by function, file and line
  for (uint32_t i = 0; i < places.size(); ++i) {
    const FunctionPlace& place = places[i];
    const Line line = lines.of(place.position);
    if (line.file == 0) continue;
    OwnLine& sum = sums[{place.function, line.file, line.line}];
    const Extent method = lines.method_of(place.position);
    sum = {place.function, line, method.file == line.file ? method.first : 0, sum.periods + place.periods};
  }
  std::vector<OwnLine> result;
  for (const auto& [at, sum] : sums) result.push_back(sum);
  return result;
}

std::map<uint32_t, Line> hottest_own_lines(const Profile& profile, Lines& lines) {
  Sums<uint32_t> sums;
  for (const OwnLine& own : own_lines(profile, lines)) sums.add(own.function, own.line, own.periods);
  return sums.hottest();
}

std::map<std::pair<uint32_t, uint32_t>, Line> hottest_allocation_lines(const Profile& profile,
                                                                       profile::AttributeTo maker, Lines& lines) {
  const std::vector<profile::AllocationSite> sites = profile::allocation_sites(profile, maker);
  Sums<std::pair<uint32_t, uint32_t>> sums;
  for (size_t i = 0; i < sites.size(); ++i) {
    const profile::Allocations& entry = profile.allocations[i];
    const uint32_t position = profile.call_nodes[sites[i].node].position;
    sums.add({sites[i].function, entry.type}, lines.of(position), entry.bytes);
  }
  return sums.hottest();
}

std::vector<ThrowSite> throw_sites(const Profile& profile, const std::string& type, Lines& lines) {
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint64_t> sums;  // by function, file and line
  for (const profile::ThrownAt& at : profile.thrown_at) {
    if (at.type != type) continue;
    const profile::Node& node = profile.nodes[profile::throwing_node(profile, at.node)];
    const Line line = lines.of(node.position);
    sums[{node.function, line.file, line.line}] += at.thrown;
  }
  std::vector<ThrowSite> sites;
  for (const auto& [at, thrown] : sums) {
    const auto& [function, file, line] = at;
    sites.push_back({function, {file, line}, thrown});
  }
  std::ranges::stable_sort(sites, std::greater<>(), &ThrowSite::thrown);
  return sites;
}

}  // namespace oriel::lines
