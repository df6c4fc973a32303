// The slots of instructions, graphs, clauses and local variables.
#pragma once

#include "transcript.h"

namespace conformance {

// Lists the method's current instructions, one per line.
void list(const char* title, IInstructionGraph* graph);
void list_clauses(IMethodInfo* method);
// Calls every getter of every instruction.
void tell_instructions(IInstructionGraph* graph);
void tell_graph(IInstructionGraph* graph);
void tell_locals(const char* title, ILocalVariableCollection* locals);

// Changes the method if there is a case with its name.
void change(const std::string& name, IMethodInfo* method);
// Called before that, for methods with a baseline.
void make_baseline(const std::string& name, IMethodInfo* method);

}  // namespace conformance
