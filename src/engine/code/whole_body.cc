// The parts of a body other than instructions, and transformations of the whole (oriel/code.h).
#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>

#include "engine/code/method_body.h"
#include "engine/or_else.h"
#include "il/transform.h"

namespace oriel {
namespace {

Result<il::MethodShape> shape_of(const oriel_method_body& body) { return il::read_method_shape(body.site.signature()); }

std::optional<uint16_t> add_local(Graph& graph, const std::vector<uint8_t>& type) {
  const Result<il::NewLocals> added = il::add_locals(graph.local_signature, std::span(&type, 1));
  if (!added) {
    refuse(graph, "add_local: " + added.message());
    return std::nullopt;
  }
  graph.local_signature = added->signature;
  graph.locals = uint32_t{added->first} + 1;
  graph.locals_are_new = true;
  return added->first;
}

// A new local variable for the method's result; none if it returns nothing.
Result<std::optional<uint16_t>> return_local(const oriel_method_body& body, Graph& graph) {
  const Result<il::MethodTypes> types = il::read_method_types(body.site.signature());
  if (!types) return types.status();
  if (il::element_of(types->result) == Element::kVoid) return std::optional<uint16_t>();
  const std::optional<uint16_t> local = add_local(graph, {types->result.begin(), types->result.end()});
  if (!local) return graph.fault;
  return local;
}

oriel_exit exit_of(const il::SingleReturn& joined) { return {to_api(joined.exit), to_api(joined.ret)}; }

// The result of a transformation of the whole body; nullopt, with the reason remembered, if it was refused.
template <typename Made, typename Change>
std::optional<Made> change_whole(const oriel_method_body& body, Graph& graph, const std::string& what, Change change) {
  const Result<std::optional<uint16_t>> local = return_local(body, graph);
  Result<Made> made = local ? change(*local) : Result<Made>(local.status());
  if (made) return std::move(*made);
  refuse(graph, what + made.message());
  return std::nullopt;
}

// As encoded in a signature; empty if there is no such variable.
std::span<const uint8_t> type_of(oriel_method_body& body, oriel_variable variable, uint32_t position) {
  if (variable == ORIEL_LOCAL) {
    const Graph* const graph = graph_of(&body);
    const auto types = graph ? il::read_local_types(graph->local_signature) : Status::error("");
    return types && position < types->size() ? (*types)[position] : std::span<const uint8_t>();
  }
  const auto types = il::read_method_types(body.site.signature());
  if (!types) return {};
  if (variable == ORIEL_RESULT) return position == 0 ? types->result : std::span<const uint8_t>();
  return position < types->parameters.size() ? types->parameters[position] : std::span<const uint8_t>();
}

// In the order of il::ClauseKind.
constexpr std::pair<oriel_clause_kind, il::ClauseKind> kKinds[] = {{ORIEL_CLAUSE_CATCH, il::ClauseKind::kCatch},
                                                                   {ORIEL_CLAUSE_FILTER, il::ClauseKind::kFilter},
                                                                   {ORIEL_CLAUSE_FINALLY, il::ClauseKind::kFinally},
                                                                   {ORIEL_CLAUSE_FAULT, il::ClauseKind::kFault}};
std::optional<il::ClauseKind> kind_of(oriel_clause_kind kind) {
  for (const auto& [theirs, ours] : kKinds)
    if (theirs == kind) return ours;
  return std::nullopt;
}
oriel_clause_kind kind_to_api(il::ClauseKind kind) {
  for (const auto& [theirs, ours] : kKinds)
    if (ours == kind) return theirs;
  return ORIEL_CLAUSE_FAULT;
}

oriel_clause clause_to_api(const il::Clause& clause) {
  return {kind_to_api(clause.kind),     to_api(clause.try_begin),   to_api(clause.try_end), to_api(clause.filter_begin),
          to_api(clause.handler_begin), to_api(clause.handler_end), clause.class_token};
}

il::Clause clause_of(const oriel_clause& clause, il::ClauseKind kind) {
  return {kind,
          of_api(clause.try_begin),
          of_api(clause.try_end),
          kind == il::ClauseKind::kFilter ? of_api(clause.filter_begin) : nullptr,
          of_api(clause.handler_begin),
          of_api(clause.handler_end),
          kind == il::ClauseKind::kCatch ? clause.class_token : 0};
}

bool wrap(const oriel_method_body& body, Graph& graph, oriel_clause_kind of_kind, uint32_t class_token,
          oriel_handler& handler) {
  const std::optional<il::ClauseKind> kind = kind_of(of_kind);
  if (!kind) return refuse(graph, "wrap: there is no such clause"), false;
  const auto wrapped = change_whole<il::Wrapped>(body, graph, "wrap: ", [&](std::optional<uint16_t> local) {
    const Result<il::MethodShape> shape = shape_of(body);
    if (shape)
      il::expand_jumps(graph.body, static_cast<uint16_t>(shape->arguments()), shape->returns_value,
                       il::TailCalls::kDrop);
    return il::wrap_in_try(graph.body, *kind, class_token, local);
  });
  if (!wrapped) return false;
  handler = {to_api(wrapped->handler), to_api(wrapped->handler_exit), exit_of(wrapped->returns)};
  return true;
}

}  // namespace
}  // namespace oriel

uint32_t oriel_code_arguments(oriel_method_body* body) {
  return oriel::or_else(uint32_t{0}, [&] {
    const auto shape = body ? oriel::shape_of(*body) : oriel::Status::error("");
    return shape ? shape->arguments() : 0;
  });
}

uint32_t oriel_code_locals(oriel_method_body* body) {
  return oriel::or_else(uint32_t{0}, [&] {
    const oriel::Graph* const graph = oriel::graph_of(body);
    return graph ? graph->locals : 0;
  });
}

size_t oriel_code_type_of(oriel_method_body* body, oriel_variable variable, uint32_t position, char* text,
                          size_t size) {
  if (text && size > 0) text[0] = '\0';
  return oriel::or_else(size_t{0}, [&]() -> size_t {
    const std::span<const uint8_t> type = body ? oriel::type_of(*body, variable, position) : std::span<const uint8_t>();
    if (type.empty()) return 0;
    const std::string name = body->site.type_text(type);
    if (text) std::snprintf(text, size, "%s", name.c_str());
    return name.size();
  });
}

uint32_t oriel_code_add_local(oriel_method_body* body, const char* type) {
  return oriel::edit_graph(body, ORIEL_NO_LOCAL, [&](oriel::Graph& graph) -> uint32_t {
    const std::string text = type ? type : "";
    const auto signature = body->site.type(text);
    if (!signature) return oriel::refuse(graph, "add_local " + text + ": " + signature.message()), ORIEL_NO_LOCAL;
    const auto local = oriel::add_local(graph, *signature);
    return local ? *local : ORIEL_NO_LOCAL;
  });
}

size_t oriel_code_clauses(oriel_method_body* body, oriel_clause* clauses, size_t max) {
  return oriel::or_else(size_t{0}, [&]() -> size_t {
    const oriel::Graph* const graph = oriel::graph_of(body);
    if (!graph) return 0;
    const auto& all = graph->body.clauses;
    for (size_t i = 0; clauses && i < std::min(max, all.size()); ++i) clauses[i] = oriel::clause_to_api(all[i]);
    return all.size();
  });
}

void oriel_code_add_clause(oriel_method_body* body, const oriel_clause* clause) {
  oriel::edit_graph(body, [&](oriel::Graph& graph) {
    const auto kind = clause ? oriel::kind_of(clause->kind) : std::nullopt;
    if (!kind) return oriel::refuse(graph, "add_clause: there is no such clause");
    graph.body.add_clause(oriel::clause_of(*clause, *kind));
  });
}

void oriel_code_remove_clause(oriel_method_body* body, size_t which) {
  oriel::edit_graph(body, [&](oriel::Graph& graph) {
    auto& all = graph.body.clauses;
    if (which >= all.size()) return oriel::refuse(graph, "remove_clause: the body has no such clause");
    all.erase(all.begin() + static_cast<ptrdiff_t>(which));
  });
}

bool oriel_code_single_return(oriel_method_body* body, oriel_tail_calls tail_calls, oriel_exit* exit) {
  return oriel::edit_graph(body, false, [&](oriel::Graph& graph) {
    const auto kept = tail_calls == ORIEL_TAIL_CALLS_DROP ? oriel::il::TailCalls::kDrop : oriel::il::TailCalls::kKeep;
    const auto joined = oriel::change_whole<oriel::il::SingleReturn>(
        *body, graph, "single_return: ", [&](std::optional<uint16_t> local) {
          return oriel::il::make_single_return(graph.body, local, kept);
        });
    if (joined && exit) *exit = oriel::exit_of(*joined);
    return joined.has_value();
  });
}

bool oriel_code_wrap(oriel_method_body* body, oriel_clause_kind kind, uint32_t class_token, oriel_handler* handler) {
  oriel_handler ignored;
  return oriel::edit_graph(body, false, [&](oriel::Graph& graph) {
    return oriel::wrap(*body, graph, kind, class_token, handler ? *handler : ignored);
  });
}

bool oriel_code_verify(oriel_method_body* body, char* message, size_t size) {
  const auto say = [&](const char* text) {
    if (message && size > 0) std::snprintf(message, size, "%s", text);
  };
  say("out of memory");
  return oriel::or_else(false, [&] {
    if (!body) return say("there is no body"), false;
    const oriel::Result<oriel::MadeBody> made = oriel::make_body(*body);
    say(made ? "" : made.message().c_str());
    return made.is_ok();
  });
}
