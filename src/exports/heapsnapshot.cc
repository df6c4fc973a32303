// Chrome's heap snapshots: JSON of numbers, node after node, then edge after edge in the order of the nodes that they
// lead from, then all names. Streamed, as a large heap has gigabytes of it. Viewers keep the numbers in 32 bits.
#include <algorithm>
#include <map>
#include <ostream>

#include "exports/heap_view.h"
#include "exports/text.h"

namespace oriel::exports {
namespace {

// Places in the arrays of "meta". Instances are all objects to DevTools, which then groups them by the names of their
// types. Nodes of roots are synthetic, so it does not take them for the page's own.
constexpr uint32_t kNodeFields = 7, kObjectNode = 3, kSyntheticNode = 9;
constexpr uint32_t kElementEdge = 1, kPropertyEdge = 2, kInternalEdge = 3;
constexpr const char* kMeta =
    R"({"snapshot":{"meta":{
"node_fields":["type","name","id","self_size","edge_count","trace_node_id","detachedness"],
"node_types":[["hidden","array","string","object","code","closure","regexp","number","native","synthetic",
"concatenated string","sliced string","symbol","bigint","object shape"],
"string","number","number","number","number","number"],
"edge_fields":["type","name_or_index","to_node"],
"edge_types":[["context","element","property","internal","hidden","shortcut","weak"],"string_or_number","node"],
"trace_function_info_fields":["function_id","name","script_name","script_id","line","column"],
"trace_node_fields":["id","function_info_index","count","size","children"],
"sample_fields":["timestamp_us","last_assigned_id"],
"location_fields":["object_index","script_id","line","column"]},
)";

class SnapshotStrings {
 public:
  uint32_t index(const std::string& text) {
    const auto [known, is_new] = known_.try_emplace(text, static_cast<uint32_t>(all_.size()));
    if (is_new) all_.push_back(&known->first);
    return known->second;
  }

  void write(BufferedText& out) const {
    for (size_t i = 0; i < all_.size(); ++i) out << (i == 0 ? "\n" : ",\n") << json_string(*all_[i]);
  }

 private:
  std::map<std::string, uint32_t> known_;
  std::vector<const std::string*> all_;
};

class SnapshotWriter {
 public:
  SnapshotWriter(const HeapView& view, std::ostream& out)
      : view_(view), graph_(view.graph), out_(out), places_(graph_.snapshot.types.size()) {}

  void write() {
    out_ << kMeta << "\"node_count\":" << view_.nodes << ",\"edge_count\":" << view_.edges
         << ",\"trace_function_count\":0},\n\"nodes\":[";
    write_nodes();
    out_ << "],\n\"edges\":[";
    write_edges();
    out_ << "],\n\"trace_function_infos\":[],\n\"trace_tree\":[],\n\"samples\":[],\n\"locations\":[],\n\"strings\":[";
    strings_.write(out_);
    out_ << "]}\n";
  }

 private:
  static constexpr uint32_t kNotNamed = UINT32_MAX;

  // V8's ids of objects are odd.
  void write_node(uint32_t number, uint32_t type, uint32_t name, uint64_t bytes, size_t edges) {
    out_ << (number == 0 ? "\n" : ",\n") << type << ',' << name << ',' << uint64_t{number} * 2 + 1 << ','
         << std::min<uint64_t>(bytes, UINT32_MAX) << ',' << edges << ",0,0";
  }

  void write_nodes() {
    for (uint32_t number = 0; number < view_.roots.size(); ++number) {
      const HeapRootNode& root = view_.roots[number];
      const std::string name = number == 0 ? "" : root.text;
      write_node(number, kSyntheticNode, strings_.index(name), 0, root.nodes.size());
    }
    std::vector<uint32_t> names;
    for (const std::string& name : view_.type_names) names.push_back(strings_.index(name));
    for (uint32_t object = 0; object < graph_.objects(); ++object)
      if (view_.is_kept(object))
        write_node(view_.numbers[object], kObjectNode, names[graph_.types[object]], graph_.bytes(object),
                   graph_.references(object).size());
  }

  void write_edge(uint32_t type, uint32_t name_or_index, uint32_t to) {
    out_ << (is_first_ ? "\n" : ",\n") << type << ',' << name_or_index << ',' << uint64_t{to} * kNodeFields;
    is_first_ = false;
  }

  void write_edges() {
    for (const HeapRootNode& root : view_.roots)
      for (uint32_t i = 0; i < root.nodes.size(); ++i) write_edge(kElementEdge, i + 1, root.nodes[i]);
    for (uint32_t object = 0; object < graph_.objects(); ++object) {
      if (!view_.is_kept(object)) continue;
      for (uint32_t edge = graph_.first_edge[object]; edge < graph_.first_edge[object + 1]; ++edge) {
        const uint32_t name = name_of_place(graph_.types[object], graph_.places[edge]);
        write_edge(name == unknown_place_ ? kInternalEdge : kPropertyEdge, name, view_.numbers[graph_.targets[edge]]);
      }
    }
  }

  // What refers is a field, or an element's field: "items", "[].value". A graph does not have an element's index.
  uint32_t name_of_place(uint32_t type, uint8_t place) {
    std::vector<uint32_t>& names = places_[type];
    if (place >= names.size()) names.resize(place + 1, kNotNamed);
    if (names[place] == kNotNamed) {
      const std::string name = heap::place_name(graph_.snapshot.types[type], place);
      names[place] = name.empty() ? unknown_place_ : strings_.index(name);
    }
    return names[place];
  }

  const HeapView& view_;
  const heap::Graph& graph_;
  BufferedText out_;
  SnapshotStrings strings_;
  const uint32_t unknown_place_ = strings_.index("a field that is not known");
  bool is_first_ = true;
  std::vector<std::vector<uint32_t>> places_;  // by type and place: the name's index
};

Status write_heapsnapshot(const profile::Profile& profile, const HeapExportOptions& options, std::ostream& out) {
  const Result<HeapView> view = view_heap(profile, options, heap::Addresses::kLeftOut);
  if (!view) return view.status();
  SnapshotWriter(*view, out).write();
  return Status::ok();
}

}  // namespace

extern const Export kHeapsnapshotExport = {
    .name = "heapsnapshot",
    .description = "a snapshot of the heap for Chrome's DevTools: Memory, Load profile",
    .extension = ".heapsnapshot",
    .options = kHeapExportOptions,
    .own = own_options<HeapExportOptions>,
    .of_heap = true,
    .write = by_own<write_heapsnapshot>,
};

}  // namespace oriel::exports
