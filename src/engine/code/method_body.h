// A method's body while profilers change it: bytes, and a graph of instructions once somebody asks for it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/code/rewriting.h"
#include "engine/or_else.h"
#include "il/body.h"
#include "il/signature.h"
#include "il/stack.h"
#include "oriel/code.h"

namespace oriel {

// The parts of a body other than its instructions' links.
struct BodyRest {
  std::vector<il::Clause> clauses;
  uint32_t locals_token = 0;
  bool init_locals = false;
  std::vector<uint8_t> local_signature;  // empty: no local variables
  uint32_t locals = 0;
};

struct Graph {
  explicit Graph(il::Body decoded) : body(std::move(decoded)) {}

  il::Body body;
  std::vector<uint8_t> local_signature;  // the current one; its token is made with the body
  uint32_t locals = 0;
  bool locals_are_new = false;
  bool is_edited = false;       // since the baseline
  bool ran_out = false;         // an edit since then ran out of memory
  Status fault = Status::ok();  // the first invalid edit since then that il::Body does not know of
  BodyRest baseline;
  std::vector<std::pair<il::Instruction*, int64_t>> old_operands;  // changed since the baseline
};

}  // namespace oriel

struct oriel_method_body {
  oriel_method_body(oriel_method* of, oriel::CodeSite& its_site, std::span<const uint8_t> original)
      : method(of), site(its_site), bytes(original.begin(), original.end()) {}

  oriel_method* method;  // nullptr if it is being defined
  oriel::CodeSite& site;
  std::vector<uint8_t> bytes;                         // after the last profiler whose change was accepted
  bool is_replaced = false;                           // they were given as bytes
  oriel::Status refused = oriel::Status::ok();        // the error of the last bytes given
  std::vector<oriel::IlMove> map;                     // from original offsets, if changed by instructions
  std::unique_ptr<oriel::Graph> graph;                // of `bytes`; null until asked for, and if they cannot be read
  std::vector<std::unique_ptr<oriel::Graph>> former;  // instructions of these may still be held
  oriel::Status unreadable = oriel::Status::ok();     // why there is no graph
  bool lost_edits = false;                            // there were edits though there is no graph
  std::unordered_map<uint32_t, std::span<const uint8_t>> signatures;  // those asked for so far
};

namespace oriel {

// The graph, made if needed; nullptr if the bytes cannot be read.
Graph* graph_of(oriel_method_body* body);
// Likewise, for an edit.
Graph* edited_graph_of(oriel_method_body* body);
// Remembers an invalid edit.
void refuse(Graph& graph, const std::string& what);

// The result of change(graph); `fallback` without a graph or memory, which is remembered too.
template <typename Value, typename Change>
Value edit_graph(oriel_method_body* body, Value fallback, Change change) {
  bool done = false;
  const Value value = or_else(fallback, [&] {
    Graph* const graph = edited_graph_of(body);
    Value made = graph ? change(*graph) : fallback;
    done = true;
    return made;
  });
  if (body && !body->graph) body->lost_edits = true;
  if (!done && body && body->graph) body->graph->ran_out = body->graph->is_edited = true;
  return value;
}
template <typename Change>
void edit_graph(oriel_method_body* body, Change change) {
  edit_graph(body, true, [&](Graph& graph) {
    change(graph);
    return true;
  });
}

struct MadeBody {
  std::vector<uint8_t> bytes;
  std::vector<IlMove> map;
};
// The current graph as bytes, validated.
Result<MadeBody> make_body(oriel_method_body& body);
// The code that `write` makes for a new method.
Result<std::vector<uint8_t>> written_body(CodeSite& site, oriel_body_cb write, void* data);
// Accepts or reverts the edits since the baseline.
void take_edits(oriel_method_body& body, MadeBody made);
void drop_edits(oriel_method_body& body);
// Why there was no graph for lost edits.
std::string reason_for_lost_edits(const oriel_method_body& body);
// Makes these bytes the body.
void take_bytes(oriel_method_body& body, std::vector<uint8_t> bytes);

// The body as a rewriter found it, for restoring.
struct BodyBefore {
  explicit BodyBefore(const oriel_method_body& body)
      : bytes(body.bytes), is_replaced(body.is_replaced), map(body.map), graph(body.graph.get()) {}

  std::vector<uint8_t> bytes;
  bool is_replaced;
  std::vector<IlMove> map;
  const Graph* graph;  // may now be among the former ones; nullptr: there was none
};
void put_back(oriel_method_body& body, BodyBefore before);

inline il::Instruction* of_api(oriel_instruction* it) { return reinterpret_cast<il::Instruction*>(it); }
inline const il::Instruction* of_api(const oriel_instruction* it) {
  return reinterpret_cast<const il::Instruction*>(it);
}
inline oriel_instruction* to_api(il::Instruction* it) { return reinterpret_cast<oriel_instruction*>(it); }

}  // namespace oriel
