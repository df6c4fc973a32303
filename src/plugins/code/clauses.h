// Exception clauses for plug-ins: each region is given by its first and last instruction.
#pragma once

#include <vector>

#include "oriel/plugins/graph.h"
#include "plugins/code/instruction.h"
#include "plugins/code/part.h"

namespace oriel::plugins {

class ExceptionClause final : public Part<IExceptionClause> {
 public:
  using Part::Part;
  // The value for a region's last instruction follows that for its first.
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

  // For the section. Missing places are null. An instruction that a plug-in set may have been removed from the graph:
  // Graph::begin_of and end_of return its replacement.
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

  // For the graph: regions that began with `from` begin with `to`, which was inserted before it.
  void move_firsts(const Instruction* from, Instruction* to);
  // `from` was removed: regions that began with it begin with `begin`, and those that ended with it end with `end`.
  void move(const Instruction* from, Instruction* begin, Instruction* end);
  bool begins_with(const Instruction* at) const;

  // Inner before outer, in the order added. Owned by the code.
  std::vector<ExceptionClause*> clauses;

 private:
  ExceptionClause* own(IExceptionClause* clause);

  Graph& graph_;
};

}  // namespace oriel::plugins
