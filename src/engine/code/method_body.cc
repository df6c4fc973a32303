#include "engine/code/method_body.h"

#include <algorithm>

#include "base/process/foreign_call.h"
#include "il/decode.h"
#include "il/encode.h"
#include "il/verify.h"

namespace oriel {
namespace {

std::span<const uint8_t> signature_of(oriel_method_body& body, uint32_t token) {
  const auto [known, added] = body.signatures.try_emplace(token);
  if (added) known->second = body.site.signature_of(token);
  return known->second;
}

std::optional<il::StackEffect> call_effect(oriel_method_body& body, il::Opcode opcode, uint32_t token) {
  const std::span<const uint8_t> signature = signature_of(body, token);
  if (signature.empty()) return std::nullopt;
  const Result<il::MethodShape> shape = il::read_method_shape(signature);
  if (!shape) return std::nullopt;
  return il::call_effect(opcode, *shape);
}

Result<il::MethodFacts> facts_of(oriel_method_body& body) {
  const Result<il::MethodShape> shape = il::read_method_shape(body.site.signature());
  if (!shape) return shape.status();
  il::MethodFacts facts;
  facts.call_effect = [&body](il::Opcode opcode, uint32_t token) { return call_effect(body, opcode, token); };
  facts.returns_value = shape->returns_value;
  facts.argument_count = shape->arguments();
  facts.local_count = body.graph->locals;
  return facts;
}

Result<std::unique_ptr<Graph>> read_body(oriel_method_body& body) {
  if (body.bytes.empty()) {
    auto nothing = std::make_unique<Graph>(il::Body());
    nothing->body.init_locals = true;
    return nothing;
  }
  Result<il::Body> decoded = il::decode(body.bytes);
  if (!decoded) return decoded.status();
  auto graph = std::make_unique<Graph>(std::move(*decoded));
  if (graph->body.locals_token != 0) {
    const std::span<const uint8_t> signature = signature_of(body, graph->body.locals_token);
    graph->local_signature.assign(signature.begin(), signature.end());
  }
  const Result<uint32_t> locals = il::local_count(graph->local_signature);
  if (!locals) return locals.status();
  graph->locals = *locals;
  return graph;
}

void set_baseline(Graph& graph) {
  graph.body.set_baseline();
  graph.baseline = {graph.body.clauses, graph.body.locals_token, graph.body.init_locals, graph.local_signature,
                    graph.locals};
  graph.old_operands.clear();
  graph.locals_are_new = graph.is_edited = graph.ran_out = false;
}

void retire(oriel_method_body& body) {
  if (body.graph) body.former.push_back(std::move(body.graph));
  body.unreadable = Status::ok();
}

}  // namespace

Graph* graph_of(oriel_method_body* body) {
  if (!body) return nullptr;
  if (body->graph || !body->unreadable) return body->graph.get();
  Result<std::unique_ptr<Graph>> graph = read_body(*body);
  if (!graph) {
    body->unreadable = graph.status();
    return nullptr;
  }
  body->graph = std::move(*graph);
  set_baseline(*body->graph);
  return body->graph.get();
}

Graph* edited_graph_of(oriel_method_body* body) {
  Graph* const graph = graph_of(body);
  if (graph) graph->is_edited = true;
  return graph;
}

void refuse(Graph& graph, const std::string& what) {
  graph.is_edited = true;
  if (graph.fault) graph.fault = Status::error(what);
}

Result<MadeBody> make_body(oriel_method_body& body) {
  if (!graph_of(&body)) return body.unreadable;
  Graph& graph = *body.graph;
  if (graph.ran_out) return Status::error("there was no memory for an edit");
  if (!graph.fault) return graph.fault;
  if (!graph.body.edit_error()) return graph.body.edit_error();
  if (graph.locals_are_new) {
    const Result<uint32_t> token = body.site.signature_token(graph.local_signature);
    if (!token) return token.status();
    graph.body.locals_token = *token;
  }
  const Result<il::MethodFacts> facts = facts_of(body);
  if (!facts) return facts.status();
  if (Status status = il::verify(graph.body, *facts); !status) return status;
  Result<il::Encoded> encoded = il::encode(graph.body, *facts);
  if (!encoded) return encoded.status();
  if (Status status = body.site.check(encoded->bytes); !status) return status;
  MadeBody made{std::move(encoded->bytes), {}};
  for (const il::OffsetPair& pair : encoded->map) made.map.push_back({pair.original, pair.now});
  return made;
}

Result<std::vector<uint8_t>> written_body(CodeSite& site, oriel_body_cb write, void* data) {
  oriel_method_body body(nullptr, site, {});
  try {
    foreign_call([&] { write(data, &body); });
  } catch (...) {
    return Status::error("the callback threw an exception, which it must not");
  }
  if (!body.refused) return body.refused;
  if (body.is_replaced && !(body.graph && body.graph->is_edited)) return std::move(body.bytes);
  Result<MadeBody> made = make_body(body);
  if (!made) return made.status();
  return std::move(made->bytes);
}

void take_edits(oriel_method_body& body, MadeBody made) {
  body.bytes = std::move(made.bytes);
  if (!body.is_replaced) body.map = std::move(made.map);
  set_baseline(*body.graph);
}

void drop_edits(oriel_method_body& body) {
  Graph& graph = *body.graph;
  graph.body.return_to_baseline();
  for (auto it = graph.old_operands.rbegin(); it != graph.old_operands.rend(); ++it)
    graph.body.set_operand(it->first, it->second);
  graph.body.clauses = graph.baseline.clauses;
  graph.body.locals_token = graph.baseline.locals_token;
  graph.body.init_locals = graph.baseline.init_locals;
  graph.local_signature = graph.baseline.local_signature;
  graph.locals = graph.baseline.locals;
  graph.old_operands.clear();
  graph.locals_are_new = graph.is_edited = graph.ran_out = false;
  graph.fault = Status::ok();
}

std::string reason_for_lost_edits(const oriel_method_body& body) {
  if (body.unreadable) return "there was no memory for an edit";
  return "it has edits of a body that cannot be read: " + body.unreadable.message();
}

void take_bytes(oriel_method_body& body, std::vector<uint8_t> bytes) {
  retire(body);
  body.bytes = std::move(bytes);
  body.is_replaced = true;
  body.map.clear();
}

void put_back(oriel_method_body& body, BodyBefore before) {
  if (body.graph.get() != before.graph) {
    retire(body);
    const auto found = std::ranges::find(body.former, before.graph, &std::unique_ptr<Graph>::get);
    if (found != body.former.end()) body.graph = std::move(*found);
    std::erase(body.former, nullptr);
  }
  if (body.graph) drop_edits(body);
  body.lost_edits = false;
  body.bytes = std::move(before.bytes);
  body.is_replaced = before.is_replaced;
  body.map = std::move(before.map);
}

}  // namespace oriel
