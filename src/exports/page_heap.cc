#include "exports/page_heap.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "exports/text.h"
#include "report/memory/heap_branches.h"
#include "report/memory/heap_snapshots.h"
#include "report/words/units.h"

namespace oriel::exports {
namespace {

using nlohmann::json;
using profile::Profile;
using report::HeapBranch;
using report::HeapData;

// Bounds of a snapshot's tree, as parts of the heap. An object is alone from the part from which the report shows it. A
// branch takes some 40 bytes of the page.
constexpr uint64_t kAlonePart = 100, kLeastPart = 10'000;
constexpr size_t kMostBranches = 5000;

// Reading a snapshot takes seconds for ten million objects.
constexpr size_t kMostSnapshots = 8;
constexpr uint64_t kMostObjects = 40'000'000;

// Where a name's last part begins, at its dot; npos if it has one part. Dots within <…> do not count.
size_t last_dot(std::string_view name) {
  size_t depth = 0;
  for (size_t i = name.size(); i-- > 0;) {
    if (name[i] == '>') ++depth;
    if (name[i] == '<' && depth > 0) --depth;
    if (name[i] == '.' && depth == 0 && i > 0) return i;
  }
  return std::string_view::npos;
}

// Which assembly has a type. An array is in none: its elements' type is, or one around that or in the same namespace.
class DefiningTypes {
 public:
  explicit DefiningTypes(const Profile& profile) : profile_(profile) {
    const std::vector<profile::Function>& all = profile.functions;
    for (uint32_t i = 1; i < all.size(); ++i)
      if (all[i].type && !all[i].module.empty()) known_.try_emplace(all[i].name, i);
    for (uint32_t i = 1; i < all.size(); ++i)
      if (const size_t dot = last_dot(all[i].name); all[i].type && !all[i].module.empty() && dot != std::string::npos)
        known_.try_emplace(std::string_view(all[i].name).substr(0, dot), i);
  }

  // A function with a module; 0 if not known.
  uint32_t of(uint32_t function) const {
    if (function == 0 || !profile_.functions[function].module.empty()) return function;
    std::string_view name = profile_.functions[function].name;
    while (name.ends_with(']')) name = name.substr(0, name.rfind('['));
    const bool is_base = name.find('.') == name.npos || name.starts_with("System.");
    for (size_t dot = 0; dot != name.npos; name = name.substr(0, dot)) {
      if (const auto known = known_.find(name); known != known_.end()) return known->second;
      dot = last_dot(name);
    }
    const auto base = known_.find("string");
    return is_base && base != known_.end() ? base->second : 0;
  }

 private:
  const Profile& profile_;
  std::map<std::string_view, uint32_t> known_;  // by name of type or namespace
};

// Frames of objects and roots, which all trees share.
class HeapFrames {
 public:
  explicit HeapFrames(FrameTable& table) : table_(table) {}

  uint32_t of(const HeapBranch& branch, const std::string& module) {
    const FrameKind kind = branch.type == HeapBranch::kNoType ? FrameKind::kRoot : FrameKind::kObject;
    return frame(clean_text(branch.name), clean_text(branch.place), module, kind);
  }
  uint32_t of_rest() { return frame("too small to show", "", "", FrameKind::kRoot); }

  // [frame, place] of those with one.
  json places() const { return places_; }

 private:
  uint32_t frame(const std::string& name, const std::string& place, const std::string& module, FrameKind kind) {
    const auto next = static_cast<uint32_t>(table_.frames.size());
    const auto [at, is_new] = known_.try_emplace({name, place, module, kind}, next);
    if (!is_new) return at->second;
    table_.frames.push_back({place.empty() ? name : place + ": " + name, "", module, kind});
    if (!place.empty()) places_.push_back({next, place});
    return next;
  }

  FrameTable& table_;
  std::map<std::tuple<std::string, std::string, std::string, FrameKind>, uint32_t> known_;
  json places_ = json::array();
};

// A snapshot's branches as a tree of the page: depth first, the largest first.
class HeapTree {
 public:
  HeapTree(const HeapData& data, const Profile& profile, const DefiningTypes& defining, HeapFrames& frames,
           Groups& groups)
      : profile_(profile),
        defining_(defining),
        functions_(report::functions_of_types(data.loaded->graph, data.snapshots.last(), profile)),
        frames_(frames),
        groups_(groups) {}

  void add_below(const HeapBranch& branch, uint32_t parent) {
    for (const HeapBranch& below : branch.below) {
      const uint32_t function = below.type == HeapBranch::kNoType ? 0 : defining_.of(functions_[below.type]);
      const profile::Function& type = profile_.functions[function];
      const uint32_t group = below.type == HeapBranch::kNoType ? groups_.named("roots", "roots")
                             : function == 0                   ? groups_.unknown()
                                                               : groups_.of_type(type, profile_);
      const std::string module = function == 0 ? "" : clean_text(type.module);
      const uint32_t node = add(parent, frames_.of(below, module), group, below.bytes, below.objects);
      if (below.repeats) chains_.push_back(node);
      add_below(below, node);
    }
    if (branch.rest != 0)
      add(parent, frames_.of_rest(), groups_.named("unknown", "too small to show"), branch.rest, branch.others);
  }

  std::string tree_json() const {
    const std::vector<uint32_t> nodes(frame_.size(), 1);  // each after the one before
    return fmt::format(
        R"({{"up":[{}],"frame":[{}],"group":[{}],"threads":[{{"thread":0,"nodes":[{}],"self":[{}],"second":[],)"
        R"("other":[],"parts":[]}}]}})",
        fmt::join(up_, ","), fmt::join(frame_, ","), fmt::join(group_, ","), fmt::join(nodes, ","),
        fmt::join(bytes_, ","));
  }
  const std::vector<uint64_t>& objects() const { return objects_; }
  const std::vector<uint32_t>& chains() const { return chains_; }

 private:
  uint32_t add(uint32_t parent, uint32_t frame, uint32_t group, uint64_t bytes, uint64_t objects) {
    const auto node = static_cast<uint32_t>(frame_.size() + 1);
    up_.push_back(node - parent);
    frame_.push_back(frame);
    group_.push_back(group);
    bytes_.push_back(bytes);
    objects_.push_back(objects);
    return node;
  }

  const Profile& profile_;
  const DefiningTypes& defining_;
  std::vector<uint32_t> functions_;
  HeapFrames& frames_;
  Groups& groups_;
  std::vector<uint32_t> up_, frame_, group_, chains_;  // but for `chains_` by node, from 1
  std::vector<uint64_t> bytes_, objects_;
};

// What the picture does not have.
std::string left_out_text(const HeapData& data, const Profile& profile, uint64_t least) {
  std::string text = fmt::format(
      "Objects that retain less than 1 % are together by type and field; what retains less than {} is not shown.",
      report::bytes(least));
  uint64_t garbage = 0;
  for (const report::TypeOverTime& type : data.types) garbage += type.last.unreachable_bytes;
  if (garbage != 0) text += fmt::format(" Left out: {} of garbage that is not collected yet.", report::bytes(garbage));
  if (const std::string& missing = data.last(profile).missing; !missing.empty())
    text += " Not in the snapshot: " + missing;
  if (!data.problem.empty()) text += " " + data.problem;
  return clean_text(text);
}

// The last, the first and some between them; fewer of heaps with many objects.
std::set<size_t> chosen_places(const std::vector<uint32_t>& rows, const Profile& profile) {
  uint64_t objects = 1;
  for (const uint32_t row : rows) objects = std::max(objects, profile.heap_snapshots[row].objects);
  const size_t most = std::clamp<size_t>(kMostObjects / objects, 2, kMostSnapshots);
  std::set<size_t> places;
  const size_t last = rows.size() - 1, steps = std::min(most - 1, std::max<size_t>(last, 1));
  for (size_t step = 0; step <= steps; ++step) places.insert(last * step / steps);
  return places;
}

json snapshot_json(const HeapData& data, const Profile& profile, const DefiningTypes& defining, HeapFrames& frames,
                   Groups& groups, size_t first_tree, std::vector<std::string>& trees) {
  const uint64_t whole = data.loaded->tree.retained[0];
  const uint64_t least = (whole + kLeastPart - 1) / kLeastPart;
  HeapBranch all = report::heap_branches(data, profile, {(whole + kAlonePart - 1) / kAlonePart, least});
  const uint64_t left_out = report::keep_largest(all, kMostBranches);
  HeapTree tree(data, profile, defining, frames, groups);
  tree.add_below(all, 0);
  const size_t at = data.snapshots.rows.size() - 1;
  json made = {{"name", clean_text(report::snapshot_name(data, at, profile))},
               {"text", clean_text(report::snapshot_text(data, at, profile))},
               {"says", clean_text(report::heap_sentence(data, profile))},
               {"note", left_out_text(data, profile, std::max(least, left_out))},
               {"tree", first_tree + trees.size()},
               {"least", std::max(least, left_out)},
               {"objects", tree.objects()},
               {"chains", tree.chains()}};
  trees.push_back(tree.tree_json());
  return made;
}

}  // namespace

json page_heap(const Profile& profile, size_t first_tree, FrameTable& frames, Groups& groups,
               std::vector<std::string>& trees) {
  json heap = {{"snapshots", json::array()}, {"places", json::array()}, {"problems", json::array()}, {"leftOut", 0}};
  const Result<report::ChosenSnapshots> all = report::choose_snapshots(profile, {});
  if (!all) return heap;
  HeapFrames made(frames);
  const DefiningTypes defining(profile);
  const std::set<size_t> places = chosen_places(all->rows, profile);
  for (const size_t place : places) {
    report::ChosenSnapshots chosen;
    chosen.rows.assign(all->rows.begin(), all->rows.begin() + static_cast<ptrdiff_t>(place + 1));
    const HeapData data = report::read_heap(profile, chosen, report::HeapParts::kGraph);
    if (data.loaded)
      heap["snapshots"].push_back(snapshot_json(data, profile, defining, made, groups, first_tree, trees));
    else
      heap["problems"].push_back(
          clean_text(report::snapshot_name(data, place, profile) + " is not shown: " + data.problem));
  }
  heap["places"] = made.places();
  heap["leftOut"] = all->rows.size() - places.size();
  return heap;
}

}  // namespace oriel::exports
