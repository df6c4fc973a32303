#include "exports/heap_view.h"

#include <algorithm>
#include <map>
#include <utility>

#include "exports/text.h"
#include "heap/gcdump_roots.h"
#include "heap/reach.h"
#include "report/memory/heap_data.h"

namespace oriel::exports {
namespace {

using log::HeapRootKind;
using profile::Profile;

const heap::GcdumpRoots& gcdump_roots(HeapRootKind kind) {
  const auto known = std::ranges::find(heap::kGcdumpRoots, kind, &heap::GcdumpRoots::kind);
  return known == std::end(heap::kGcdumpRoots) ? known[-1] : *known;
}

const char* kind_text(HeapRootKind kind) {
  switch (kind) {
    case HeapRootKind::kStatic:
      return "static fields";
    case HeapRootKind::kThreadStatic:
      return "thread-static fields";
    case HeapRootKind::kStack:
      return "local variables";
    case HeapRootKind::kPinnedHandle:
      return "pinned GC handles";
    case HeapRootKind::kRefCounted:
      return "wrappers that native code refers to";
    case HeapRootKind::kFinalizer:
      return "the queue of finalizers";
    case HeapRootKind::kNative:
      return "native memory";
    case HeapRootKind::kStrongHandle:
      return "GC handles";
    default:
      return "other handles";
  }
}

// "Shop.Cache.Orders"; "Shop.Program.Main()".
std::string group_name(const profile::HeapRoots& group, const Profile& profile) {
  if (!group.name.empty()) return clean_text(group.name);
  return group.function == 0 ? "a method that is not known" : clean_text(profile.functions[group.function].name);
}

class RootTree {
 public:
  RootTree(const Profile& profile, HeapView& view) : profile_(profile), view_(view) {
    view_.roots.push_back({heap::kAllRootsNode, "roots", {}});
  }

  void add(const std::vector<heap::OrderedRoots>& ordered) {
    const uint32_t first = report::first_root_of_snapshot(view_.row, profile_);
    for (const heap::OrderedRoots& roots : ordered) objects_.emplace_back(node_of(first + roots.group), &roots);
  }

  // Once objects are numbered.
  void add_objects() {
    for (const auto& [node, roots] : objects_)
      for (const uint32_t object : roots->objects) view_.roots[node].nodes.push_back(view_.numbers[object]);
  }

 private:
  uint32_t node_of(uint32_t row) {
    const profile::HeapRoots& group = profile_.heap_roots[row];
    const heap::GcdumpRoots& names = gcdump_roots(group.kind);
    const uint32_t above = names.is_other ? child(0, heap::kOtherRootsNode, "other roots") : 0;
    const uint32_t of_kind = child(above, names.node, kind_text(group.kind));
    if (names.of_group == nullptr) return of_kind;
    return child(of_kind, names.of_group + group_name(group, profile_) + "]", report::root_text(group, profile_));
  }

  uint32_t child(uint32_t above, const std::string& bracketed, const std::string& text) {
    const auto [known, is_new] = known_.try_emplace({above, text}, static_cast<uint32_t>(view_.roots.size()));
    if (is_new) {
      view_.roots[above].nodes.push_back(known->second);
      view_.roots.push_back({bracketed, text, {}});
    }
    return known->second;
  }

  const Profile& profile_;
  HeapView& view_;
  std::map<std::pair<uint32_t, std::string>, uint32_t> known_;
  std::vector<std::pair<uint32_t, const heap::OrderedRoots*>> objects_;
};

void number_objects(const std::vector<bool>& reached, HeapView& view) {
  view.nodes = view.roots.size();
  view.numbers.assign(view.graph.objects(), 0);
  for (uint32_t object = 0; object < view.graph.objects(); ++object) {
    if (!reached[object]) continue;
    view.numbers[object] = static_cast<uint32_t>(view.nodes++);
    view.bytes += view.graph.bytes(object);
    view.edges += view.graph.references(object).size();
  }
}

}  // namespace

Result<HeapView> view_heap(const Profile& profile, const HeapExportOptions& options, heap::Addresses addresses) {
  report::HeapOptions wanted;
  wanted.snapshot = options.snapshot;
  const Result<report::ChosenSnapshots> chosen = report::choose_snapshots(profile, wanted);
  if (!chosen) return chosen.status();
  HeapView view;
  view.row = chosen->last();
  Result<heap::Graph> graph =
      heap::load_graph(report::file_of_snapshot(view.row, profile), profile.heap_snapshots[view.row].number, addresses);
  if (!graph) return graph.status();
  if (!graph->problem.empty()) return Status::error(graph->problem);
  view.graph = std::move(*graph);
  for (const uint32_t function : report::functions_of_types(view.graph, view.row, profile)) {
    view.type_names.push_back(report::heap_type_name(function, profile));
    view.modules.push_back(function == 0 ? "" : clean_text(profile.functions[function].module));
  }
  const auto ordered = heap::order_roots(view.graph, log::group_roots(view.graph.snapshot.roots));
  RootTree tree(profile, view);
  tree.add(ordered);
  number_objects(heap::reached_objects(view.graph, ordered), view);
  tree.add_objects();
  for (const HeapRootNode& root : view.roots) view.edges += root.nodes.size();
  if (view.nodes > UINT32_MAX) return Status::error("the snapshot has too many objects for this format");
  return view;
}

}  // namespace oriel::exports
