// The slots of instructions, graphs, clauses and local variables.
#pragma once

#include "transcript.h"

namespace conformance {

// The method's instructions as they are, a line each.
void list(const char* title, IInstructionGraph* graph);
void list_clauses(IMethodInfo* method);
// Every slot of every instruction that asks.
void tell_instructions(IInstructionGraph* graph);
void tell_graph(IInstructionGraph* graph);
void tell_locals(const char* title, ILocalVariableCollection* locals);

// What is done to the method of this name, if anything.
void change(const std::string& name, IMethodInfo* method);
// Before that, where there is a baseline.
void make_baseline(const std::string& name, IMethodInfo* method);

}  // namespace conformance
