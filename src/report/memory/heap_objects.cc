// Of a heap snapshot: the largest subtrees of dominators, and the objects of one type with what refers to them.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "heap/paths.h"
#include "report/memory/heap_branches.h"
#include "report/memory/heap_snapshots.h"
#include "report/words/function_name.h"
#include "report/words/notes.h"
#include "report/words/table.h"
#include "report/words/text.h"
#include "report/words/units.h"

namespace oriel::report {

using heap::Graph;
using profile::Profile;

namespace {

constexpr uint32_t kMostDepth = 24;

constexpr size_t kPercentWidth = 7;

// A line of figures before an indented name, of a part of the whole.
void write_branch(double part, const std::string& figures, uint32_t depth, const std::string& text,
                  const Options& options, std::ostream& out) {
  constexpr size_t kMostIndent = 40;
  const size_t indent = std::min<size_t>(2 * depth, kMostIndent), used = figures.size() + 2 + indent;
  out << Style(options.color).heat(part, figures) << "  " << std::string(indent, ' ')
      << cut_middle(text, options.width - std::min<size_t>(used, options.width - 20)) << '\n';
}

void write_branches(const std::vector<HeapBranch>& branches, uint64_t whole, uint32_t depth, const Options& options,
                    std::ostream& out) {
  for (const HeapBranch& branch : branches) {
    constexpr size_t kBytesWidth = 10;
    write_branch(
        share(branch.retained, whole),
        pad_left(percent(branch.retained, whole), kPercentWidth) + pad_left(bytes(branch.retained), kBytesWidth), depth,
        branch.objects <= 1 ? branch_text(branch) : count(branch.objects) + " × " + branch_text(branch), options, out);
    write_branches(branch.below, whole, depth + 1, options, out);
  }
}

Json branches_json(const std::vector<HeapBranch>& branches) {
  Json json = Json::array();
  for (const HeapBranch& branch : branches)
    json.push_back({{"name", branch_text(branch)},
                    {"objects", std::max<uint64_t>(branch.objects, 1)},
                    {"retained", branch.retained},
                    {"below", branches_json(branch.below)}});
  return json;
}

// Those that are not hidden because they retain too little.
HeapBranch branches_of(const HeapData& data, const Profile& profile, const Options& options) {
  const uint64_t least = least_total(data.loaded->tree.retained[0], options);
  HeapBranch all = heap_branches(data, profile, {least, least});
  keep_largest(all, rows(options, SIZE_MAX));
  return all;
}

// From which places the objects are referred to, by reachable objects: "Shop.Cart._lines", with how many references.
std::vector<std::pair<std::string, uint64_t>> referrers_of(const HeapData& data, const heap::ChosenTypes& types) {
  const Graph& graph = data.loaded->graph;
  std::map<std::pair<uint32_t, uint8_t>, uint64_t> counts;  // by type and place
  for (uint32_t object = 0; object < graph.objects(); ++object) {
    if (data.loaded->tree.numbers[object] == 0) continue;
    for (uint32_t edge = graph.first_edge[object]; edge < graph.first_edge[object + 1]; ++edge)
      if (types[graph.types[graph.targets[edge]]]) ++counts[{graph.types[object], graph.places[edge]}];
  }
  std::map<std::string, uint64_t> by_text;
  for (const auto& [key, number] : counts) {
    const log::HeapType& type = graph.snapshot.types[key.first];
    by_text[with_place(data.types[data.loaded->names[key.first]].name, clean(heap::place_name(type, key.second)))] +=
        number;
  }
  std::vector<std::pair<std::string, uint64_t>> all(by_text.begin(), by_text.end());
  std::ranges::stable_sort(all, std::greater<>(), &std::pair<std::string, uint64_t>::second);
  return all;
}

void write_referrers(const HeapData& data, const heap::ChosenTypes& types, const Options& options, std::ostream& out) {
  constexpr size_t kReferrers = 10;
  const std::vector<std::pair<std::string, uint64_t>> all = referrers_of(data, types);
  if (all.empty()) return;
  Table table({{"references"}}, "from");
  const size_t shown = std::min(all.size(), rows(options, kReferrers));
  for (size_t i = 0; i < shown; ++i)
    table.add({count(all[i].second)}, [&text = all[i].first](size_t width) { return fit_name(text, width); });
  out << '\n';
  table.write(out, options.width, 0, Style(options.color));
  out << rest_of_rows(shown, all.size());
}

// The objects that retain most, by number, descending.
std::vector<uint32_t> largest_of(const HeapData& data, const heap::ChosenTypes& types, size_t most) {
  const heap::Dominators& tree = data.loaded->tree;
  const auto is_larger = [&](uint32_t a, uint32_t b) { return tree.retained[a] > tree.retained[b]; };
  std::vector<uint32_t> largest;  // a heap whose front is the smallest
  for (uint32_t number = 1; number < tree.size(); ++number) {
    if (!tree.is_object(number) || !types[data.loaded->graph.types[tree.nodes[number]]]) continue;
    if (largest.size() == most && !is_larger(number, largest.front())) continue;
    largest.push_back(number);
    std::ranges::push_heap(largest, is_larger);
    if (largest.size() <= most) continue;
    std::ranges::pop_heap(largest, is_larger);
    largest.pop_back();
  }
  std::ranges::sort_heap(largest, is_larger);
  return largest;
}

// Of the largest objects, those that differ in size or holder.
struct LargeObject {
  uint64_t retained = 0, bytes = 0;
  std::string holder;
  bool operator==(const LargeObject&) const = default;
};

std::vector<LargeObject> large_objects(const HeapData& data, const heap::ChosenTypes& types, const Profile& profile,
                                       size_t most) {
  constexpr size_t kLooksAt = 1000;
  const heap::Dominators& tree = data.loaded->tree;
  const Graph& graph = data.loaded->graph;
  std::vector<LargeObject> all;
  for (const uint32_t number : largest_of(data, types, std::max(most, kLooksAt))) {
    const uint32_t above = tree.dominators[number];
    std::string holder = node_text(data, above, profile);
    uint8_t place = 0;
    if (tree.is_object(above) && heap::find_place(graph, tree.nodes[above], tree.nodes[number], place))
      holder = with_place(holder, clean(heap::place_name(graph.type(tree.nodes[above]), place)));
    LargeObject object{tree.retained[number], graph.bytes(tree.nodes[number]), std::move(holder)};
    if (std::ranges::find(all, object) == all.end()) all.push_back(std::move(object));
    if (all.size() == most) break;
  }
  return all;
}

constexpr size_t kLargest = 10;

void write_largest(const HeapData& data, const heap::ChosenTypes& types, const Profile& profile, const Options& options,
                   std::ostream& out) {
  const std::vector<LargeObject> all = large_objects(data, types, profile, rows(options, kLargest));
  Table table({{"largest"}, {"bytes"}}, "held by");
  for (const LargeObject& object : all)
    table.add({bytes(object.retained), bytes(object.bytes)},
              [&object](size_t width) { return cut_middle(object.holder, width); });
  out << '\n';
  table.write(out, options.width, 0, Style(options.color));
}

// "Shop.Cart[] at _carts", several steps with one way on in one line.
std::string step_text(const HeapData& data, const heap::PathStep& step, const std::vector<heap::PathStep>& steps,
                      const Profile& profile) {
  if (step.type == heap::PathStep::kNoType) return root_text(data, step.root, profile);
  const std::string name = data.types[data.loaded->names[step.type]].name;
  const heap::PathStep& before = steps[step.parent];
  std::string place;
  if (before.type != heap::PathStep::kNoType)
    place = clean(heap::place_name(data.loaded->graph.snapshot.types[before.type], step.place));
  return (place.empty() ? "" : place + ": ") + name + (step.repeats ? ", one after another" : "");
}

// By group of roots: the first that has the same text.
std::vector<uint32_t> roots_alike(const HeapData& data, const Profile& profile) {
  const auto groups = static_cast<uint32_t>(log::group_roots(data.loaded->graph.snapshot.roots).groups.size());
  std::map<std::string, uint32_t> first;
  std::vector<uint32_t> alike;
  for (uint32_t root = 0; root < groups; ++root)
    alike.push_back(first.try_emplace(root_text(data, root, profile), root).first->second);
  return alike;
}

class PathWriter {
 public:
  PathWriter(const HeapData& data, const heap::ChosenTypes& types, const Profile& profile, const Options& options,
             std::ostream& out)
      : data_(data),
        steps_(heap::merged_paths(data.loaded->graph, types, roots_alike(data, profile))),
        below_(steps_.size()),
        profile_(profile),
        options_(options),
        out_(out) {
    for (uint32_t i = 1; i < steps_.size(); ++i) below_[steps_[i].parent].push_back(i);
    for (std::vector<uint32_t>& below : below_)
      std::ranges::stable_sort(below, std::greater<>(), [&](uint32_t i) { return steps_[i].objects; });
    least_ = least_of(rows(options, SIZE_MAX));
  }

  void write(uint32_t step, uint32_t depth) {
    for (const uint32_t next : below_[step]) {
      if (!is_shown(next)) continue;
      const uint64_t objects = steps_[next].objects, all = steps_.front().objects;
      write_branch(share(objects, all), pad_left(percent(objects, all), kPercentWidth), depth,
                   step_text(data_, steps_[next], steps_, profile_), options_, out_);
      if (depth < kMostDepth) write(next, depth + 1);
    }
  }

  Json json(uint32_t step, uint32_t depth) const {
    Json all = Json::array();
    for (const uint32_t next : below_[step])
      if (is_shown(next))
        all.push_back({{"step", step_text(data_, steps_[next], steps_, profile_)},
                       {"objects", steps_[next].objects},
                       {"bytes", steps_[next].bytes},
                       {"below", depth < kMostDepth ? json(next, depth + 1) : Json::array()}});
    return all;
  }

  bool empty() const { return steps_.size() <= 1; }

 private:
  using Rank = std::pair<uint64_t, uint32_t>;

  // By objects; of as many, the step that is nearer to the roots.
  Rank rank(uint32_t step) const { return {steps_[step].objects, UINT32_MAX - step}; }

  // Of so many steps that lead to most objects, the last.
  Rank least_of(size_t most) const {
    if (steps_.size() - 1 <= most) return {};
    std::vector<Rank> all;
    for (uint32_t i = 1; i < steps_.size(); ++i) all.push_back(rank(i));
    std::ranges::nth_element(all, all.begin() + static_cast<ptrdiff_t>(most) - 1, std::greater<>());
    return all[most - 1];
  }

  bool is_shown(uint32_t step) const {
    return rank(step) >= least_ && share(steps_[step].objects, steps_.front().objects) >= options_.min_share;
  }

  const HeapData& data_;
  const std::vector<heap::PathStep> steps_;
  std::vector<std::vector<uint32_t>> below_;
  Rank least_ = {};
  const Profile& profile_;
  const Options& options_;
  std::ostream& out_;
};

}  // namespace

void write_heap_dominators(const HeapData& data, const Profile& profile, const HeapOptions& options,
                           std::ostream& out) {
  if (!data.loaded) return write_note(clean(data.problem), options, out);
  write_note(fmt::format("What would be free without a root or an object, with what it holds alone, in {}.",
                         snapshot_name(data, data.snapshots.rows.size() - 1, profile)),
             options, out);
  out << '\n';
  write_branches(branches_of(data, profile, options).below, data.loaded->tree.retained[0], 0, options, out);
}

namespace {

// A name as it may be typed or shown: without namespaces, spaces and capitals. "List<Shop.Order>" is "list<order>".
std::string plain(std::string_view name) {
  std::string text;
  for (const char c : name) {
    const bool is_of_name = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '`';
    if (c == '.') {
      while (!text.empty() &&
             (std::isalnum(static_cast<unsigned char>(text.back())) != 0 || text.back() == '_' || text.back() == '`'))
        text.pop_back();
    } else if (is_of_name || std::string_view("<>[],+?*").find(c) != std::string_view::npos) {
      text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  return text;
}

using Matches = bool (*)(const std::string& type, const std::string& wanted);
// From the strictest on: the first that any type matches is taken.
constexpr Matches kMatches[] = {
    [](const std::string& type, const std::string& wanted) { return type == wanted; },
    [](const std::string& type, const std::string& wanted) { return type.ends_with("." + wanted); },
    [](const std::string& type, const std::string& wanted) { return type.find(wanted) != std::string::npos; },
    [](const std::string& type, const std::string& wanted) { return plain(type) == plain(wanted); },
    [](const std::string& type, const std::string& wanted) {
      return !plain(wanted).empty() && plain(type).find(plain(wanted)) != std::string::npos;
    },
};

}  // namespace

Result<size_t> find_heap_type(const HeapData& data, const std::string& name) {
  std::vector<size_t> found;
  for (const Matches matches : kMatches) {
    for (size_t i = 0; i < data.types.size(); ++i)
      if (matches(data.types[i].name, name)) found.push_back(i);
    if (!found.empty()) break;
  }
  if (found.empty()) return Status::error(fmt::format("no type in the snapshot has '{}' in its name", name));
  if (found.size() == 1) return found.front();
  constexpr size_t kNamed = 5;
  std::string names;
  for (size_t i = 0; i < std::min(found.size(), kNamed); ++i) names += (i == 0 ? "" : ", ") + data.types[found[i]].name;
  if (found.size() > kNamed) names += fmt::format(" and {} more", found.size() - kNamed);
  return Status::error(fmt::format("several types of the snapshot have '{}' in their names: {}", name, names));
}

void write_heap_type(const HeapData& data, const TypeOverTime& type, const Profile& profile, const HeapOptions& options,
                     std::ostream& out) {
  std::string text =
      fmt::format("{}: {}, {}", type.name, counted(type.last.objects, "object", "objects"), bytes(type.last.bytes));
  if (data.loaded) text += fmt::format("; together they retain {}", bytes(type.last.retained));
  text += ".";
  if (type.last.unreachable != 0)
    text += fmt::format(" Beside them {}, {}, to which nothing refers: garbage that is not collected yet.",
                        counted(type.last.unreachable, "object", "objects"), bytes(type.last.unreachable_bytes));
  if (data.snapshots.rows.size() > 1)
    text += fmt::format(" In {} there {} {}.", snapshot_name(data, 0, profile),
                        type.objects.front() == 1 ? "was" : "were", counted(type.objects.front(), "object", "objects"));
  write_note(text, options, out);
  if (!data.problem.empty()) write_note(clean(data.problem), options, out);
  if (!data.loaded || type.last.objects == 0) return;
  const heap::ChosenTypes types = data.chosen(type);
  PathWriter paths(data, types, profile, options, out);
  if (!paths.empty()) {
    out << "\n  paths from roots: how many of them each leads to\n";
    paths.write(0, 0);
  }
  write_referrers(data, types, options, out);
  write_largest(data, types, profile, options, out);
}

Json heap_dominators_json(const HeapData& data, const Profile& profile, const HeapOptions& options) {
  return data.loaded ? branches_json(branches_of(data, profile, options).below) : Json::array();
}

Json heap_type_json(const HeapData& data, const TypeOverTime& type, const Profile& profile,
                    const HeapOptions& options) {
  Json json = {{"type", type.name}, {"objects", type.last.objects}, {"bytes", type.last.bytes}};
  if (!data.loaded) return json;
  const heap::ChosenTypes types = data.chosen(type);
  std::ostringstream nowhere;
  json["retained"] = type.last.retained;
  json["garbage_objects"] = type.last.unreachable;
  json["garbage_bytes"] = type.last.unreachable_bytes;
  json["paths"] = PathWriter(data, types, profile, options, nowhere).json(0, 0);
  json["referrers"] = Json::array();
  for (const auto& [from, references] : referrers_of(data, types))
    json["referrers"].push_back({{"from", from}, {"references", references}});
  json["largest"] = Json::array();
  for (const LargeObject& object : large_objects(data, types, profile, rows(options, kLargest)))
    json["largest"].push_back({{"retained", object.retained}, {"bytes", object.bytes}, {"holder", object.holder}});
  return json;
}

}  // namespace oriel::report
