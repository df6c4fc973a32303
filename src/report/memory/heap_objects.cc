// Of a heap snapshot: the largest subtrees of dominators, and the objects of one type with what refers to them.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "heap/paths.h"
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

// A line of figures before an indented name.
void write_branch(uint64_t held, uint64_t whole, uint32_t depth, const std::string& text, const Options& options,
                  std::ostream& out) {
  constexpr size_t kPercentWidth = 7, kBytesWidth = 10, kMostIndent = 40;
  const size_t indent = std::min<size_t>(2 * depth, kMostIndent), used = kPercentWidth + kBytesWidth + 2 + indent;
  const std::string figures = pad_left(percent(held, whole), kPercentWidth) + pad_left(bytes(held), kBytesWidth);
  out << Style(options.color).heat(share(held, whole), figures) << "  " << std::string(indent, ' ')
      << cut_middle(text, options.width - std::min<size_t>(used, options.width - 20)) << '\n';
}

class TreeWriter {
 public:
  TreeWriter(const HeapData& data, const Profile& profile, const Options& options, std::ostream& out)
      : data_(data),
        tree_(data.loaded->tree),
        profile_(profile),
        options_(options),
        out_(out),
        whole_(tree_.retained[0]),
        least_(std::max<uint64_t>(least_total(whole_, options), 1)) {}

  void write() { write_children(0, 0); }

 private:
  struct OfType {
    uint64_t objects = 0, retained = 0;
    uint32_t first = 0;  // number of one of them
  };

  // What holds much has a line of its own; of the rest, objects of one type have one together.
  void write_children(uint32_t number, uint32_t depth) {
    std::vector<uint32_t> large;
    std::map<uint32_t, OfType> others;  // by entry of HeapData::types
    for (uint32_t child = tree_.first_child[number]; child != 0; child = tree_.next_child[child]) {
      if (tree_.retained[child] >= least_) {
        large.push_back(child);
      } else if (tree_.is_object(child)) {
        OfType& sum = others[data_.loaded->names[data_.loaded->graph.types[tree_.nodes[child]]]];
        ++sum.objects;
        sum.retained += tree_.retained[child];
        sum.first = child;
      }
    }
    std::ranges::stable_sort(large, std::greater<>(), [&](uint32_t child) { return tree_.retained[child]; });
    for (const uint32_t child : large) {
      write_branch(tree_.retained[child], whole_, depth, text_of(number, child), options_, out_);
      if (depth < kMostDepth) write_children(child, depth + 1);
    }
    std::vector<OfType> sums;
    for (const auto& [type, sum] : others)
      if (sum.retained >= least_) sums.push_back(sum);
    std::ranges::stable_sort(sums, std::greater<>(), &OfType::retained);
    for (const OfType& sum : sums)
      write_branch(sum.retained, whole_, depth, count(sum.objects) + " × " + text_of(number, sum.first), options_,
                   out_);
  }

  // "_entries: Shop.Cart[]"
  std::string text_of(uint32_t parent, uint32_t number) const {
    const Graph& graph = data_.loaded->graph;
    uint8_t place = 0;
    std::string text = node_text(data_, number, profile_);
    if (!tree_.is_object(number) || !tree_.is_object(parent)) return text;
    if (!heap::find_place(graph, tree_.nodes[parent], tree_.nodes[number], place)) return text;
    const std::string name = clean(heap::place_name(graph.type(tree_.nodes[parent]), place));
    return name.empty() ? text : name + ": " + text;
  }

  const HeapData& data_;
  const heap::Dominators& tree_;
  const Profile& profile_;
  const Options& options_;
  std::ostream& out_;
  const uint64_t whole_, least_;
};

heap::ChosenTypes chosen(const HeapData& data, const TypeOverTime& type) {
  heap::ChosenTypes types(data.loaded->graph.snapshot.types.size());
  for (const uint32_t index : type.indexes) types[index] = true;
  return types;
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
  if (const std::string rest = rest_of_rows(shown, all.size()); !rest.empty()) out << rest << '\n';
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

void write_largest(const HeapData& data, const heap::ChosenTypes& types, const Profile& profile, const Options& options,
                   std::ostream& out) {
  constexpr size_t kLargest = 10;
  const heap::Dominators& tree = data.loaded->tree;
  const Graph& graph = data.loaded->graph;
  Table table({{"retains"}, {"bytes"}}, "held by");
  for (const uint32_t number : largest_of(data, types, rows(options, kLargest))) {
    const uint32_t above = tree.dominators[number];
    std::string holder = node_text(data, above, profile);
    uint8_t place = 0;
    if (tree.is_object(above) && heap::find_place(graph, tree.nodes[above], tree.nodes[number], place))
      holder = with_place(holder, clean(heap::place_name(graph.type(tree.nodes[above]), place)));
    table.add({bytes(tree.retained[number]), bytes(graph.bytes(tree.nodes[number]))},
              [holder](size_t width) { return cut_middle(holder, width); });
  }
  out << '\n';
  table.write(out, options.width, 0, Style(options.color));
}

// "Shop.Cart[] at _carts", several steps with one way on in one line.
std::string step_text(const HeapData& data, const heap::PathStep& step, const std::vector<heap::PathStep>& steps,
                      const Profile& profile) {
  if (step.type == heap::PathStep::kNoType) {
    const size_t row = data.loaded->first_root + step.root;
    return row < profile.heap_roots.size() ? root_text(profile.heap_roots[row], profile) : "a root";
  }
  const std::string name = data.types[data.loaded->names[step.type]].name;
  const heap::PathStep& before = steps[step.parent];
  std::string place;
  if (before.type != heap::PathStep::kNoType)
    place = clean(heap::place_name(data.loaded->graph.snapshot.types[before.type], step.place));
  return (place.empty() ? "" : place + ": ") + name + (step.repeats ? ", one after another" : "");
}

class PathWriter {
 public:
  PathWriter(const HeapData& data, const heap::ChosenTypes& types, const Profile& profile, const Options& options,
             std::ostream& out)
      : data_(data),
        steps_(heap::merged_paths(data.loaded->graph, types)),
        below_(steps_.size()),
        profile_(profile),
        options_(options),
        out_(out) {
    for (uint32_t i = 1; i < steps_.size(); ++i) below_[steps_[i].parent].push_back(i);
    for (std::vector<uint32_t>& below : below_)
      std::ranges::stable_sort(below, std::greater<>(), [&](uint32_t i) { return steps_[i].objects; });
  }

  void write(uint32_t step, uint32_t depth) {
    for (const uint32_t next : below_[step]) {
      if (static_cast<double>(steps_[next].objects) < options_.min_share * static_cast<double>(steps_.front().objects))
        continue;
      constexpr size_t kWidth = 7, kMostIndent = 40;
      const size_t indent = std::min<size_t>(2 * depth, kMostIndent);
      const double part = share(steps_[next].objects, steps_.front().objects);
      out_ << Style(options_.color).heat(part, pad_left(percent(steps_[next].objects, steps_.front().objects), kWidth))
           << "  " << std::string(indent, ' ')
           << cut_middle(step_text(data_, steps_[next], steps_, profile_), options_.width - kWidth - 2 - indent)
           << '\n';
      if (depth < kMostDepth) write(next, depth + 1);
    }
  }

  bool empty() const { return steps_.size() <= 1; }

 private:
  const HeapData& data_;
  const std::vector<heap::PathStep> steps_;
  std::vector<std::vector<uint32_t>> below_;
  const Profile& profile_;
  const Options& options_;
  std::ostream& out_;
};

}  // namespace

void write_heap_dominators(const HeapData& data, const Profile& profile, const HeapOptions& options,
                           std::ostream& out) {
  if (!data.loaded) return write_note(clean(data.problem), options, out);
  write_note(fmt::format("What would be free without a root or an object, with what it holds alone, in snapshot {}.",
                         data.snapshot(profile, data.snapshots.rows.size() - 1).number),
             options, out);
  out << '\n';
  TreeWriter(data, profile, options, out).write();
}

Result<size_t> find_heap_type(const HeapData& data, const std::string& name) {
  std::vector<size_t> found;
  for (const bool exact : {true, false}) {
    for (size_t i = 0; i < data.types.size(); ++i)
      if (exact ? data.types[i].name == name || data.types[i].name.ends_with("." + name)
                : data.types[i].name.find(name) != std::string::npos)
        found.push_back(i);
    if (found.size() == 1) return found.front();
    if (!found.empty()) break;
  }
  for (const size_t i : found)
    if (data.types[i].name == name) return i;
  if (found.empty()) return Status::error(fmt::format("no type in the snapshot has '{}' in its name", name));
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
    text += fmt::format(" In snapshot {} there were {}.", data.snapshot(profile, 0).number,
                        counted(type.objects.front(), "object", "objects"));
  write_note(text, options, out);
  if (!data.problem.empty()) write_note(clean(data.problem), options, out);
  if (!data.loaded || type.last.objects == 0) return;
  const heap::ChosenTypes types = chosen(data, type);
  PathWriter paths(data, types, profile, options, out);
  if (!paths.empty()) {
    out << "\n  paths from roots: how many of them each leads to\n";
    paths.write(0, 0);
  }
  write_referrers(data, types, options, out);
  write_largest(data, types, profile, options, out);
}

}  // namespace oriel::report
