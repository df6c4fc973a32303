#include "profile/trees/weight.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "base/text/patterns.h"
#include "profile/hashed_rows.h"
#include "profile/recorded.h"
#include "profile/trees/call_edges.h"

namespace oriel::profile {
namespace {

constexpr WeightInfo kWeights[] = {
    {WeightKind::kSamples, "samples", "sampled time"},
    {WeightKind::kCallsTime, "calls-time", "time of the logged calls (oriel run --calls)"},
    {WeightKind::kBytes, "bytes", "bytes allocated, with the type as innermost frame (oriel run --alloc)"},
    {WeightKind::kObjects, "objects", "objects allocated, with the type as innermost frame"},
    {WeightKind::kAlive, "alive", "bytes of objects still alive, after a full collection (oriel run --alloc=sampled)"},
    {WeightKind::kAlive2, "alive-2", "those that survived two full collections or more"},
    {WeightKind::kAlive10, "alive-10", "those that survived ten or more"},
};

// How many full collections the objects of a weight survived at least; 0: it is no weight of those alive.
uint32_t survived(WeightKind weight) {
  switch (weight) {
    case WeightKind::kAlive:
      return 1;
    case WeightKind::kAlive2:
      return 2;
    case WeightKind::kAlive10:
      return 10;
    default:
      return 0;
  }
}

// All that is not samples, with the stacks of calls.
Profile shell_of(const Profile& profile, const std::vector<Node>& call_nodes, Unit unit) {
  Profile shell;
  shell.file = profile.file;
  shell.intro = profile.intro;
  shell.outcome = profile.outcome;
  shell.state = profile.state;
  shell.problems = profile.problems;
  shell.lost = profile.lost;
  shell.counters = profile.counters;
  shell.wall_ns = profile.wall_ns;
  shell.start_unix_us = profile.start_unix_us;
  shell.usage = profile.usage;
  shell.sampling_mode = "none";
  shell.functions = profile.functions;
  shell.origins = profile.origins;
  shell.threads = profile.threads;
  for (Thread& thread : shell.threads) thread.samples = 0;
  shell.nodes = call_nodes;
  shell.places = profile.places;
  shell.filter = profile.filter;
  shell.unit = unit;
  if (shell.nodes.empty()) shell.nodes.resize(1);
  if (shell.functions.empty()) shell.functions.resize(1);
  return shell;
}

void add_sample(uint32_t thread, uint32_t node, uint64_t periods, Profile& profile) {
  profile.samples.push_back({0, thread, node, periods});
  profile.threads[thread].samples += periods;
  profile.unfiltered_periods += periods;
}

Profile by_time(const Profile& from, const std::vector<Node>& call_nodes, const std::vector<CallFigures>& all) {
  Profile profile = shell_of(from, call_nodes, Unit::kNanoseconds);
  profile.node_counts.resize(profile.nodes.size());
  for (uint32_t i = 1; i < all.size(); ++i) {
    const CallFigures& figures = all[i];
    profile.node_counts[i] = figures.calls;
    if (figures.calls != 0 || figures.self_ns != 0)
      add_sample(figures.thread, i, static_cast<uint64_t>(figures.self_ns), profile);
  }
  return profile;
}

// Whether a stack's method is a generic instance of the site, which is told by its definition.
bool is_instance(const Function& method, const Function& site) {
  if (method.module != site.module || method.name.find('<') == std::string::npos) return false;
  return plain_method_name(method.name) == plain_method_name(site.name);
}

// Adds nodes for sites and types below the nodes of calls.
class Leaves {
 public:
  explicit Leaves(Profile& profile) : profile_(profile) {}

  uint32_t leaf(const Allocations& entry) {
    uint32_t node = entry.node;
    // The site is not the open call: it was inlined there, or its calls are not logged.
    if (entry.site != 0 && (node == 0 || !is_site(profile_.nodes[node].function, entry.site)))
      node = child(node, entry.site);
    return child(node, entry.type);
  }

 private:
  bool is_site(uint32_t function, uint32_t site) const {
    return function == site || is_instance(profile_.functions[function], profile_.functions[site]);
  }

  struct Key {
    uint32_t parent = 0;
    uint32_t function = 0;
    uint32_t node = 0;
    uint64_t hash() const { return mix(parent, function); }
    bool same(const Key& other) const { return parent == other.parent && function == other.function; }
  };

  uint32_t child(uint32_t parent, uint32_t function) {
    Key key{parent, function, static_cast<uint32_t>(profile_.nodes.size())};
    const uint32_t known = keys_.find(key);
    if (known != HashedRows<Key>::kNone) return keys_[known].node;
    profile_.nodes.push_back({parent, function, false});
    profile_.node_counts.push_back(0);
    keys_.add(key);
    return key.node;
  }

  Profile& profile_;
  HashedRows<Key> keys_;
};

Profile by_allocations(const Profile& from, const std::vector<Node>& call_nodes, const std::vector<Allocations>& all,
                       Unit unit) {
  Profile profile = shell_of(from, call_nodes, unit);
  profile.node_counts.resize(profile.nodes.size());
  Leaves leaves(profile);
  for (const Allocations& entry : all) {
    const uint32_t node = leaves.leaf(entry);
    add_sample(entry.thread, node, unit == Unit::kBytes ? entry.bytes : entry.objects, profile);
    profile.node_counts[node] += unit == Unit::kBytes ? entry.objects : entry.bytes;
  }
  return profile;
}

Status check_survival(const Profile& profile, uint32_t full) {
  if (std::ranges::any_of(profile.followed, [full](const FollowedObject& object) { return object.full >= full; }))
    return Status::ok();
  if (profile.following.empty())
    return Status::error("no objects in this log that were followed: run the program with oriel run --alloc=sampled");
  return Status::error("no objects in this log that survived " +
                       (full == 1 ? "a full collection" : std::to_string(full) + " full collections"));
}

}  // namespace

std::span<const WeightInfo> weights() { return kWeights; }

Result<WeightKind> parse_weight(std::string_view name) {
  std::string names;
  for (const WeightInfo& info : kWeights) {
    if (name == info.name) return info.weight;
    names += names.empty() ? "" : ", ";
    names += info.name;
  }
  return Status::error("there is no weight \"" + std::string(name) + "\"; choose one of " + names);
}

WeightKind natural_weight(const Profile& profile) {
  if (profile.unfiltered_periods > 0) return WeightKind::kSamples;
  if (profile.call_total().enters > 0) return WeightKind::kCallsTime;
  return profile.call_total().allocated > 0 ? WeightKind::kBytes : WeightKind::kSamples;
}

Status check_weight(WeightKind weight, const Profile& profile) {
  if (const uint32_t full = survived(weight)) return check_survival(profile, full);
  switch (weight) {
    case WeightKind::kSamples:
      return profile.unfiltered_periods > 0 ? Status::ok() : Status::error(why_nothing_sampled(profile));
    case WeightKind::kCallsTime:
      return profile.call_total().enters > 0 ? Status::ok() : Status::error(why_no_calls(profile, "--calls"));
    default:
      break;
  }
  return profile.call_total().allocated > 0 ? Status::ok() : Status::error(why_no_allocations(profile));
}

Result<Profile> by_weight(WeightKind weight, const Profile& profile, Recursion recursion) {
  if (Status status = check_weight(weight, profile); !status) return status;
  if (weight == WeightKind::kSamples) return profile;
  if (const uint32_t full = survived(weight)) return by_survival(profile, full);
  const bool is_folded = recursion == Recursion::kFolded;
  const CallWays folded = is_folded ? without_recursion(profile) : CallWays{};
  const std::vector<Node>& nodes = is_folded ? folded.nodes : profile.call_nodes;
  if (weight == WeightKind::kCallsTime)
    return by_time(profile, nodes, is_folded ? folded.figures : profile.call_figures);
  return by_allocations(profile, nodes, is_folded ? folded.allocations : profile.allocations,
                        weight == WeightKind::kBytes ? Unit::kBytes : Unit::kObjects);
}

Profile by_survival(const Profile& from, uint32_t full_collections) {
  Profile profile = shell_of(from, from.nodes, Unit::kBytesAlive);
  profile.node_counts.resize(profile.nodes.size());
  Leaves leaves(profile);
  for (const FollowedObject& object : from.followed) {
    if (object.full < full_collections) continue;
    const uint32_t node = leaves.leaf({.thread = object.thread, .node = object.node, .type = object.type});
    add_sample(object.thread, node, object.bytes, profile);
    profile.node_counts[node] += static_cast<uint64_t>(std::llround(std::min(object.objects, 4e18)));
  }
  return profile;
}

}  // namespace oriel::profile
