#include "lines/line_totals.h"

#include <tuple>
#include <utility>

#include "profile/category.h"
#include "profile/sample_tree.h"

namespace oriel::lines {
namespace {

using profile::Profile;

// Two nodes of a function with the same key are at one place for people.
struct Key {
  Line line;
  uint32_t il = 0;
  bool known = true;

  auto in_order() const { return std::tuple(!known, line.file == 0, line.file, line.line, il); }
  bool operator<(const Key& other) const { return in_order() < other.in_order(); }
  bool operator==(const Key& other) const { return in_order() == other.in_order(); }
};

Key key_of(const Profile& profile, uint32_t position, Lines& lines) {
  if (position == 0) return {{}, 0, false};
  const Line line = lines.of(position);
  return line.file != 0 ? Key{line, 0, true} : Key{{}, profile.places.positions[position].il, true};
}

}  // namespace

std::vector<LineTotals> lines_of_function(const Profile& profile, uint32_t function, Lines& lines) {
  const profile::SampleTree tree = profile::weigh(profile);
  const std::vector<profile::Node>& nodes = profile.nodes;
  std::vector<uint32_t> nearest(nodes.size());  // the innermost node of the function on the way to each
  std::map<uint32_t, Key> keys;                 // by node
  std::map<Key, LineTotals> sums;
  for (uint32_t i = 1; i < nodes.size(); ++i) {
    nearest[i] = nearest[nodes[i].parent];
    if (nodes[i].function != function) continue;
    const Key& key = keys[i] = key_of(profile, nodes[i].position, lines);
    LineTotals& sum = sums[key];
    sum.position = nodes[i].position;
    sum.self += tree.self[i];
    uint32_t above = nearest[i];
    while (above != 0 && !(keys[above] == key)) above = nearest[nodes[above].parent];
    if (above == 0) sum.total += tree.total[i];
    nearest[i] = i;
  }
  std::vector<LineTotals> result;
  for (auto& [key, sum] : sums) {
    if (sum.total == 0) continue;
    std::tie(sum.line, sum.il, sum.known) = std::tuple(key.line, key.il, key.known);
    result.push_back(sum);
  }
  return result;
}

std::map<uint32_t, Line> hottest_own_lines(const Profile& profile, Lines& lines) {
  std::vector<bool> own(profile.functions.size());
  for (size_t i = 1; i < own.size(); ++i) own[i] = profile::is_own(profile.functions[i], profile);
  std::vector<uint32_t> nearest(profile.nodes.size());
  for (uint32_t i = 1; i < nearest.size(); ++i)
    nearest[i] = own[profile.nodes[i].function] ? i : nearest[profile.nodes[i].parent];
  std::vector<uint64_t> by_node(profile.nodes.size());
  for (const profile::Sample& sample : profile.samples) by_node[nearest[sample.node]] += sample.periods;
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint64_t> sums;  // by function, file and line
  for (size_t i = 1; i < by_node.size(); ++i) {
    if (by_node[i] == 0 || profile.nodes[i].position == 0) continue;
    const Line line = lines.of(profile.nodes[i].position);
    if (line.file != 0) sums[{profile.nodes[i].function, line.file, line.line}] += by_node[i];
  }
  std::map<uint32_t, Line> result;
  std::map<uint32_t, uint64_t> most;
  for (const auto& [at, sum] : sums) {
    const auto& [function, file, line] = at;
    if (sum <= most[function]) continue;
    most[function] = sum;
    result[function] = {file, line};
  }
  return result;
}

}  // namespace oriel::lines
