// A call graph: methods with callers and callees, or a tree with recursion folded.
#include <fmt/format.h>

#include <algorithm>

#include "profile/recorded.h"
#include "profile/trees/call_edges.h"
#include "profile/trees/weight.h"
#include "report/call_sums.h"
#include "report/code_entries.h"
#include "report/words/function_name.h"
#include "report/words/json.h"
#include "report/words/notes.h"
#include "report/words/table.h"
#include "report/words/text.h"
#include "report/words/tree_text.h"
#include "report/words/units.h"

namespace oriel::report {

using profile::CallEdge;
using profile::MethodCalls;
using profile::Profile;

namespace {

constexpr size_t kGraphRows = 25;
constexpr size_t kDetailed = 10;   // methods shown with callers and callees
constexpr size_t kNeighbours = 5;  // callers, and callees, of each
constexpr double kLeastShare = 0.005;

struct CallgraphOptions : TreeOptions {
  bool all = false;  // of the tree, what has next to no time too
};

// One method's callers, or callees, from all edges.
std::vector<CallEdge> edges_at(const std::vector<CallEdge>& edges, uint32_t function, uint32_t CallEdge::*end) {
  std::vector<CallEdge> result;
  std::copy_if(edges.begin(), edges.end(), std::back_inserter(result),
               [&](const CallEdge& edge) { return edge.*end == function; });
  return result;
}

std::string name_of(uint32_t function, const Profile& profile, size_t width) {
  return function == 0 ? "[not counted]" : fit_function(profile.functions[function], width);
}

void add_neighbours(const std::vector<CallEdge>& edges, const char* label, uint32_t CallEdge::*other,
                    const Profile& profile, int64_t whole_ns, Table& table) {
  for (size_t i = 0; i < std::min(edges.size(), kNeighbours); ++i) {
    const CallEdge edge = edges[i];
    table.add({i == 0 ? label : "", count(edge.calls), edge.recursive ? "" : duration(edge.ns),
               edge.recursive ? "" : percent(positive(edge.ns), positive(whole_ns))},
              [&profile, edge, other](size_t width) { return name_of(edge.*other, profile, width); });
  }
  if (edges.size() <= kNeighbours) return;
  uint64_t calls = 0;
  for (size_t i = kNeighbours; i < edges.size(); ++i) calls += edges[i].calls;
  std::string more = counted(edges.size() - kNeighbours, "other method", "other methods");
  table.add({"", count(calls), "", ""}, [text = std::move(more)](size_t) -> std::string { return text; });
}

void write_method(const MethodCalls& method, const std::vector<CallEdge>& edges, const Profile& profile,
                  int64_t whole_ns, const Options& options, std::ostream& out) {
  out << '\n' << Style(options.color).bold(fit_function(profile.functions[method.function], options.width)) << '\n';
  Table table({{"", Table::Align::kLeft}, {"calls"}, {"time"}, {""}}, "");
  add_neighbours(edges_at(edges, method.function, &CallEdge::callee), "  from", &CallEdge::caller, profile, whole_ns,
                 table);
  add_neighbours(edges_at(edges, method.function, &CallEdge::caller), "  to", &CallEdge::callee, profile, whole_ns,
                 table);
  table.write(out, options.width, 0, Style(options.color));
}

void write_overview(const Profile& profile, const Options& options, std::ostream& out) {
  std::vector<MethodCalls> methods = profile::method_calls(profile);
  const size_t all = methods.size();
  methods.resize(std::min(all, rows(options, kGraphRows)));
  const int64_t whole_ns = profile::sum_calls(profile).self_ns;
  write_method_table(methods, whole_ns, profile, options, out);
  if (methods.size() < all)
    write_note(fmt::format("The first {} of {}.", rows(options, kGraphRows), count(all)), options, out);
  const std::vector<CallEdge> edges = profile::call_edges(profile);
  for (size_t i = 0; i < std::min(methods.size(), kDetailed); ++i)
    write_method(methods[i], edges, profile, whole_ns, options, out);
}

void write_notes(const Profile& profile, const Options& options, std::ostream& out) {
  std::vector<std::string> notes;
  if (profile.call_total().allocated > 0)
    notes.push_back(fmt::format("{}. oriel report alloc lists them.", allocations_text(profile)));
  if (const std::string running = running_text(profile); !running.empty()) notes.push_back(running + ".");
  for (std::string& note : unpaired_sentences(profile)) notes.push_back(std::move(note));
  if (const std::string code = code_entries_text(profile); !code.empty())
    notes.push_back(code + ". oriel report jit lists them.");
  if (std::string probes = probes_text(profile); !probes.empty()) notes.push_back(std::move(probes));
  if (const std::string done = instrumented_text(profile); !done.empty()) notes.push_back(done + ".");
  if (profile.filter.has_time() && profile.call_total().aggregated)
    notes.push_back("Covers the whole run: a call graph does not record when calls were made.");
  if (!notes.empty()) out << '\n';
  for (const std::string& note : notes) write_note(note, options, out);
}

Result<Profile> folded_tree(const Profile& profile) {
  return profile::by_weight(profile::WeightKind::kCallsTime, profile, profile::Recursion::kFolded);
}

Options tree_options(const CallgraphOptions& options) {
  Options result = options;
  result.min_share = options.all ? 0 : kLeastShare;
  return result;
}

Json edge_json(const CallEdge& edge, uint32_t CallEdge::*other, const Profile& profile) {
  Json json = {{"calls", edge.calls}, {"ns", edge.ns}, {"recursive", edge.recursive}};
  if (edge.*other != 0) add_function(json, profile.functions[edge.*other]);
  return json;
}

void write_callgraph(const Profile& profile, const CallgraphOptions& options, std::ostream& out) {
  if (profile.call_total().enters == 0) {
    write_title("Call graph", profile, options, out);
    write_note("There are " + clean(profile::why_no_calls(profile, "--callgraph")) + ".", options, out);
    return write_notes(profile, options, out);
  }
  write_title("Call graph: " + calls_text(profile), profile, options, out, profile::Unit::kNanoseconds);
  if (profile::sum_calls(profile).calls == 0)
    return write_note("No calls left: none matches the filter.", options, out);
  if (options.tree) {
    write_weighed(*folded_tree(profile), tree_options(options), out);
  } else {
    write_overview(profile, options, out);
  }
  write_notes(profile, options, out);
}

void callgraph_json(const Profile& profile, const CallgraphOptions& options, Json& json) {
  json.update(call_sums_json(profile));
  json["aggregated"] = profile.call_total().aggregated;
  if (profile.call_total().enters == 0) json["note"] = profile::why_no_calls(profile, "--callgraph");
  if (options.tree) {
    json["nodes"] = Json::array();
    if (const Result<Profile> weighed = folded_tree(profile)) add_weighed(*weighed, tree_options(options), json);
    return;
  }
  const std::vector<CallEdge> edges = profile::call_edges(profile);
  Json& methods = json["methods"] = Json::array();
  for (const MethodCalls& method : profile::method_calls(profile)) {
    if (options.limit != 0 && methods.size() == options.limit) break;
    Json entry = method_json(method, profile);
    Json& callers = entry["callers"] = Json::array();
    for (const CallEdge& edge : edges_at(edges, method.function, &CallEdge::callee))
      callers.push_back(edge_json(edge, &CallEdge::caller, profile));
    Json& callees = entry["callees"] = Json::array();
    for (const CallEdge& edge : edges_at(edges, method.function, &CallEdge::caller))
      callees.push_back(edge_json(edge, &CallEdge::callee, profile));
    methods.push_back(std::move(entry));
  }
  Json& types = json["allocations"] = Json::array();
  for (const profile::AllocationTotals& entry : profile::allocations_by_type(profile))
    types.push_back({{"type", profile.functions[entry.type].name}, {"objects", entry.objects}, {"bytes", entry.bytes}});
}

constexpr Option kCallgraphOptions[] = {
    kTree,
    own_flag<Options, &CallgraphOptions::all>("--all", "with --tree, also calls with less than 0.5 % of the time"),
    kAllFrames,
};

}  // namespace

extern const Report kCallgraphReport = {
    .name = "callgraph",
    .help = "a call graph's methods with their callers and callees; with --tree, as a tree",
    .options = kCallgraphOptions,
    .own = own_options<CallgraphOptions>,
    .text = by_own<write_callgraph>,
    .json = by_own<callgraph_json>,
    .of_call_graph = true,
};

}  // namespace oriel::report
