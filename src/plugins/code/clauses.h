// Exception clauses as plug-ins see them: by the first and the last instruction of each region.
#pragma once

#include <vector>

#include "oriel/plugins/graph.h"
#include "plugins/code/instruction.h"
#include "plugins/code/part.h"

namespace oriel::plugins {

class ExceptionClause final : public Part<IExceptionClause> {
 public:
  using Part::Part;
  // The last of a region is behind its first.
  enum Place { kTryFirst, kTryLast, kHandlerFirst, kHandlerLast, kFilterFirst, kPlaces };

  HResult GetFlags(uint32_t* flags) override;
  HResult GetTryFirstInstruction(IInstruction** instruction) override { return get(kTryFirst, instruction); }
  HResult GetTryLastInstruction(IInstruction** instruction) override { return get(kTryLast, instruction); }
  HResult GetHandlerFirstInstruction(IInstruction** instruction) override { return get(kHandlerFirst, instruction); }
  HResult GetHandlerLastInstruction(IInstruction** instruction) override { return get(kHandlerLast, instruction); }
  HResult GetFilterFirstInstruction(IInstruction** instruction) override { return get(kFilterFirst, instruction); }
  HResult GetExceptionHandlerType(Token* token) override;
  HResult SetFlags(uint32_t flags) override;
  HResult SetTryFirstInstruction(IInstruction* instruction) override { return set(kTryFirst, instruction); }
  HResult SetTryLastInstruction(IInstruction* instruction) override { return set(kTryLast, instruction); }
  HResult SetHandlerFirstInstruction(IInstruction* instruction) override { return set(kHandlerFirst, instruction); }
  HResult SetHandlerLastInstruction(IInstruction* instruction) override { return set(kHandlerLast, instruction); }
  HResult SetFilterFirstInstruction(IInstruction* instruction) override { return set(kFilterFirst, instruction); }
  HResult SetExceptionHandlerType(Token token) override;

  // For the section. Those of no place are null. One that a plug-in set may be out of the graph: Graph::begin_of and
  // end_of tell what came in its place.
  Instruction* at[kPlaces] = {};
  uint32_t flags = 0;
  Token type = 0;

 private:
  HResult get(Place place, IInstruction** instruction);
  HResult set(Place place, IInstruction* instruction);
};

class Graph;

class ExceptionSection final : public Part<IExceptionSection> {
 public:
  ExceptionSection(Code& code, Graph& graph) : Part(code), graph_(graph) {}

  HResult GetMethodInfo(IMethodInfo** method) override;
  HResult GetExceptionClauses(IEnumExceptionClauses** clauses) override;
  HResult AddExceptionClause(IExceptionClause* clause) override;
  HResult RemoveExceptionClause(IExceptionClause* clause) override;
  HResult RemoveAllExceptionClauses() override;
  HResult AddNewExceptionClause(uint32_t flags, IInstruction* try_first, IInstruction* try_last,
                                IInstruction* handler_first, IInstruction* handler_last, IInstruction* filter_first,
                                Token type, IExceptionClause** clause) override;

  // For the graph: what was inserted before `from` is where regions begin that began there.
  void move_firsts(const Instruction* from, Instruction* to);
  // `from` is no longer there: what began with it begins with `begin`, what ended with it ends with `end`.
  void move(const Instruction* from, Instruction* begin, Instruction* end);
  bool begins_with(const Instruction* at) const;

  // Inner before outer, as they were added. Owned by the code.
  std::vector<ExceptionClause*> clauses;

 private:
  ExceptionClause* own(IExceptionClause* clause);

  Graph& graph_;
};

}  // namespace oriel::plugins
