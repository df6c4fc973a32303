// A method's body while profilers change it: bytes, and once somebody asks for its instructions, a graph of these.
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

// What a body has beside its instructions' links.
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
  std::vector<uint8_t> local_signature;  // of now; its token is asked for when the body is made
  uint32_t locals = 0;
  bool locals_are_new = false;
  bool is_edited = false;       // since the baseline
  bool ran_out = false;         // of memory in an edit since
  Status fault = Status::ok();  // the first edit since that made no sense, and that il::Body does not know
  BodyRest baseline;
  std::vector<std::pair<il::Instruction*, int64_t>> old_operands;  // changed since the baseline
};

}  // namespace oriel

struct oriel_method_body {
  oriel_method_body(oriel_method* of, oriel::CodeSite& its_site, std::span<const uint8_t> original)
      : method(of), site(its_site), bytes(original.begin(), original.end()) {}

  oriel_method* method;  // nullptr of one that is being defined
  oriel::CodeSite& site;
  std::vector<uint8_t> bytes;                         // as the last profiler left it whose change was taken
  bool is_replaced = false;                           // they were given as bytes
  oriel::Status refused = oriel::Status::ok();        // of those that were given last
  std::vector<oriel::IlMove> map;                     // from the original offsets, of what was changed by instructions
  std::unique_ptr<oriel::Graph> graph;                // of `bytes`; null until asked for, and where they cannot be read
  std::vector<std::unique_ptr<oriel::Graph>> former;  // their instructions may still be held
  oriel::Status unreadable = oriel::Status::ok();     // why there is no graph
  bool lost_edits = false;                            // somebody edits it though there is none
  std::unordered_map<uint32_t, std::span<const uint8_t>> signatures;  // asked for
};

namespace oriel {

// The graph, made if need be; nullptr if the bytes cannot be read.
Graph* graph_of(oriel_method_body* body);
// The same, to be edited.
Graph* edited_graph_of(oriel_method_body* body);
// Remembers an edit that made no sense.
void refuse(Graph& graph, const std::string& what);

// What change(graph) returns; `fallback` where there is no graph, or no memory, which are remembered too.
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
// What the graph of now is as bytes, checked.
Result<MadeBody> make_body(oriel_method_body& body);
// The code that `write` gives a new method, which has none so far.
Result<std::vector<uint8_t>> written_body(CodeSite& site, oriel_body_cb write, void* data);
// Edits since the baseline are taken, or were never made.
void take_edits(oriel_method_body& body, MadeBody made);
void drop_edits(oriel_method_body& body);
// Why those were lost that there was no graph for.
std::string why_lost(const oriel_method_body& body);
// These bytes are the body from now on.
void take_bytes(oriel_method_body& body, std::vector<uint8_t> bytes);

// The body as a rewriter found it, to be put back.
struct BodyBefore {
  explicit BodyBefore(const oriel_method_body& body)
      : bytes(body.bytes), is_replaced(body.is_replaced), map(body.map), graph(body.graph.get()) {}

  std::vector<uint8_t> bytes;
  bool is_replaced;
  std::vector<IlMove> map;
  const Graph* graph;  // which may be among the former ones now; nullptr: there was none
};
void put_back(oriel_method_body& body, BodyBefore before);

inline il::Instruction* of_api(oriel_instruction* it) { return reinterpret_cast<il::Instruction*>(it); }
inline const il::Instruction* of_api(const oriel_instruction* it) {
  return reinterpret_cast<const il::Instruction*>(it);
}
inline oriel_instruction* to_api(il::Instruction* it) { return reinterpret_cast<oriel_instruction*>(it); }

}  // namespace oriel
