#include "plugins/code/clauses.h"

#include <algorithm>

#include "oriel/plugins/program.h"
#include "plugins/code/code.h"
#include "plugins/code/graph.h"
#include "plugins/info/enumerator.h"

namespace oriel::plugins {

HResult ExceptionClause::GetFlags(uint32_t* out) {
  if (out == nullptr) return kPointerError;
  *out = flags;
  return kOk;
}

HResult ExceptionClause::GetExceptionHandlerType(Token* token) {
  if (token == nullptr) return kPointerError;
  *token = type;
  return kOk;
}

HResult ExceptionClause::SetFlags(uint32_t value) {
  flags = value;
  return kOk;
}

HResult ExceptionClause::SetExceptionHandlerType(Token token) {
  type = token;
  return kOk;
}

HResult ExceptionClause::get(Place place, IInstruction** instruction) {
  if (instruction == nullptr) return kPointerError;
  return give(share(at[place]), instruction);
}

// An instruction in no code becomes part of this one. Clauses hold no references.
HResult ExceptionClause::set(Place place, IInstruction* instruction) {
  Instruction* const ours = Instruction::of(instruction);
  if (instruction != nullptr && ours == nullptr) return kNoInterface;
  if (ours != nullptr) ours->join(code());
  at[place] = ours;
  return kOk;
}

HResult ExceptionSection::GetMethodInfo(IMethodInfo** method) {
  if (method == nullptr) return kPointerError;
  return give(share(graph_.method), method);
}

HResult ExceptionSection::GetExceptionClauses(IEnumExceptionClauses** out) {
  if (out == nullptr) return kPointerError;
  std::vector<ComPtr<IExceptionClause>> all;
  for (ExceptionClause* clause : clauses) all.push_back(share<IExceptionClause>(clause));
  return give_list(std::move(all), out);
}

ExceptionClause* ExceptionSection::own(IExceptionClause* clause) {
  const auto found = std::find(clauses.begin(), clauses.end(), clause);
  return found == clauses.end() ? nullptr : *found;
}

// A foreign clause is copied. A clause of this code that was removed is added again itself.
HResult ExceptionSection::AddExceptionClause(IExceptionClause* clause) {
  if (clause == nullptr) return kPointerError;
  if (ExceptionClause* ours = code().find(clause); ours != nullptr) {
    clauses.push_back(ours);
    return kOk;
  }
  uint32_t flags = 0;
  Token type = 0;
  ComPtr<IInstruction> places[ExceptionClause::kPlaces];
  clause->GetFlags(&flags);
  clause->GetExceptionHandlerType(&type);
  clause->GetTryFirstInstruction(places[ExceptionClause::kTryFirst].receive());
  clause->GetTryLastInstruction(places[ExceptionClause::kTryLast].receive());
  clause->GetHandlerFirstInstruction(places[ExceptionClause::kHandlerFirst].receive());
  clause->GetHandlerLastInstruction(places[ExceptionClause::kHandlerLast].receive());
  clause->GetFilterFirstInstruction(places[ExceptionClause::kFilterFirst].receive());
  ExceptionClause* added = code().make_clause();
  added->flags = flags;
  added->type = type;
  for (int i = 0; i < ExceptionClause::kPlaces; ++i) {
    Instruction* const ours = Instruction::of(places[i].get());
    if (places[i] && ours == nullptr) return kNoInterface;
    if (ours != nullptr) ours->join(code());
    added->at[i] = ours;
  }
  clauses.push_back(added);
  return kOk;
}

HResult ExceptionSection::RemoveExceptionClause(IExceptionClause* clause) {
  if (clause == nullptr) return kPointerError;
  std::erase(clauses, own(clause));
  return kOk;
}

HResult ExceptionSection::RemoveAllExceptionClauses() {
  clauses.clear();
  return kOk;
}

namespace {

// Whether a try block lies within another one or equals it.
bool is_within(const Graph& graph, const ExceptionClause& inner, const ExceptionClause& outer) {
  const auto begin = [&](const ExceptionClause& clause) {
    const Instruction* first = graph.begin_of(clause.at[ExceptionClause::kTryFirst]);
    return first ? first->offset : 0;
  };
  const auto end = [&](const ExceptionClause& clause) {
    const Instruction* last = graph.end_of(clause.at[ExceptionClause::kTryLast]);
    return last ? last->offset + last->size() : 0;
  };
  return begin(inner) >= begin(outer) && end(inner) <= end(outer);
}

}  // namespace

HResult ExceptionSection::AddNewExceptionClause(uint32_t flags, IInstruction* try_first, IInstruction* try_last,
                                                IInstruction* handler_first, IInstruction* handler_last,
                                                IInstruction* filter_first, Token type, IExceptionClause** clause) {
  if (clause == nullptr) return kPointerError;
  *clause = nullptr;
  IInstruction* const places[] = {try_first, try_last, handler_first, handler_last, filter_first};
  for (IInstruction* place : places)
    if (place != nullptr && Instruction::of(place) == nullptr) return kNoInterface;
  ExceptionClause* made = code().make_clause();
  made->flags = flags;
  made->type = type;
  for (int i = 0; i < ExceptionClause::kPlaces; ++i) {
    made->at[i] = Instruction::of(places[i]);
    if (made->at[i] != nullptr) made->at[i]->join(code());
  }
  // Behind the last one that it encloses. Clauses nested in its handler come first.
  graph_.number();
  const auto enclosed = std::find_if(clauses.rbegin(), clauses.rend(),
                                     [&](const auto* other) { return is_within(graph_, *other, *made); });
  clauses.insert(enclosed.base(), made);
  return give(share<IExceptionClause>(made), clause);
}

namespace {

constexpr ExceptionClause::Place kFirsts[] = {ExceptionClause::kTryFirst, ExceptionClause::kHandlerFirst,
                                              ExceptionClause::kFilterFirst};
constexpr ExceptionClause::Place kLasts[] = {ExceptionClause::kTryLast, ExceptionClause::kHandlerLast};

}  // namespace

void ExceptionSection::move_firsts(const Instruction* from, Instruction* to) {
  for (ExceptionClause* clause : clauses)
    for (const auto first : kFirsts)
      if (clause->at[first] == from) clause->at[first] = to;
}

// A region of one instruction keeps one instruction.
void ExceptionSection::move(const Instruction* from, Instruction* begin, Instruction* end) {
  for (ExceptionClause* clause : clauses)
    for (const auto last : kLasts)
      if (clause->at[last] == from) clause->at[last] = clause->at[last - 1] == from ? begin : end;
  move_firsts(from, begin);
}

bool ExceptionSection::begins_with(const Instruction* at) const {
  for (const ExceptionClause* clause : clauses)
    for (const auto first : kFirsts)
      if (clause->at[first] == at) return true;
  return false;
}

}  // namespace oriel::plugins
