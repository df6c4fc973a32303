// Changes of the program's methods, each a separate case.
#include <cstring>

#include "graphs.h"

namespace conformance {
namespace {

struct Case {
  const char* method;
  void (*change)(IMethodInfo* method, IInstructionGraph* graph, IInstructionFactory* factory);
};

ComPtr<IInstruction> first_of(IInstructionGraph* graph) {
  ComPtr<IInstruction> at;
  graph->GetFirstInstruction(at.receive());
  return at;
}
ComPtr<IInstruction> last_of(IInstructionGraph* graph) {
  ComPtr<IInstruction> at;
  graph->GetLastInstruction(at.receive());
  return at;
}
ComPtr<IInstruction> next_of(const ComPtr<IInstruction>& at) {
  ComPtr<IInstruction> next;
  at->GetNextInstruction(next.receive());
  return next;
}
ComPtr<IInstruction> plain(IInstructionFactory* factory, Opcode opcode) {
  ComPtr<IInstruction> made;
  factory->CreateInstruction(opcode, made.receive());
  return made;
}
ComPtr<IInstruction> find(IInstructionGraph* graph, Opcode opcode) {
  for (ComPtr<IInstruction> at = first_of(graph); at; at = next_of(at)) {
    Opcode its{};
    at->GetOpCode(&its);
    if (its == opcode) return at;
  }
  return {};
}

// Each way to insert and to remove, and requests that are refused.
void edit_straight(IMethodInfo*, IInstructionGraph* graph, IInstructionFactory* factory) {
  const auto first = first_of(graph), last = last_of(graph);
  const auto before = plain(factory, Opcode::Nop), after = plain(factory, Opcode::Nop);
  tell("InsertBefore", graph->InsertBefore(first.get(), before.get()));
  tell("InsertBefore again", graph->InsertBefore(first.get(), before.get()));
  tell("InsertAfter", graph->InsertAfter(first.get(), after.get()));
  list("inserted", graph);
  const auto replacement = plain(factory, Opcode::Nop);
  tell("Replace", graph->Replace(after.get(), replacement.get()));
  tell("Replace again", graph->Replace(after.get(), plain(factory, Opcode::Nop).get()));
  ask("GetIsRemoved", after.get(), &IInstruction::GetIsRemoved);
  get("GetNextInstruction of removed", after.get(), &IInstruction::GetNextInstruction);
  tell("Remove", graph->Remove(replacement.get()));
  tell("Remove again", graph->Remove(replacement.get()));
  tell("InsertBefore what was removed", graph->InsertBefore(last.get(), replacement.get()));
  ask("GetIsRemoved once inserted again", replacement.get(), &IInstruction::GetIsRemoved);
  const auto loose = plain(factory, Opcode::Nop);
  tell("InsertBefore of a loose one", graph->InsertBefore(loose.get(), plain(factory, Opcode::Nop).get()));
  get("GetNextInstruction of a loose one", loose.get(), &IInstruction::GetNextInstruction);
  ask("GetOffset of a loose one", loose.get(), &IInstruction::GetOffset);
}

// Branches are retargeted, or are not.
void edit_loop(IMethodInfo*, IInstructionGraph* graph, IInstructionFactory* factory) {
  for (ComPtr<IInstruction> at = first_of(graph); at; at = next_of(at)) {
    const auto branch = query<IBranchInstruction>(at.get());
    if (!branch) continue;
    ComPtr<IInstruction> target;
    branch->GetBranchTarget(target.receive());
    tell("InsertBefore a target", graph->InsertBefore(target.get(), plain(factory, Opcode::Nop).get()));
    tell("InsertBeforeAndRetargetOffsets",
         graph->InsertBeforeAndRetargetOffsets(target.get(), plain(factory, Opcode::Nop).get()));
  }
  list("before ExpandBranches", graph);
  tell("ExpandBranches", graph->ExpandBranches());
  // A short branch to the next instruction.
  const auto last = last_of(graph);
  ComPtr<IInstruction> jump;
  tell("CreateBranchInstruction", factory->CreateBranchInstruction(Opcode::Br_S, last.get(), jump.receive()));
  tell("InsertBefore the last", graph->InsertBefore(last.get(), jump.get()));
  ask("IsShortBranch", query<IBranchInstruction>(jump.get()).get(), &IBranchInstruction::IsShortBranch);
}

void edit_switch(IMethodInfo*, IInstructionGraph* graph, IInstructionFactory*) {
  const auto choice = query<ISwitchInstruction>(find(graph, Opcode::Switch).get());
  if (!choice) return write_line("no switch");
  ComPtr<IInstruction> one, two;
  choice->GetBranchTarget(1, one.receive());
  choice->GetBranchTarget(2, two.receive());
  tell("SetBranchTarget", choice->SetBranchTarget(2, one.get()));
  tell("ReplaceBranchTarget", choice->ReplaceBranchTarget(one.get(), two.get()));
  tell("ReplaceBranchTarget of none", choice->ReplaceBranchTarget(one.get(), two.get()));
  tell("RemoveBranchTargetAt", choice->RemoveBranchTargetAt(3));
  ask("GetBranchCount", choice.get(), &ISwitchInstruction::GetBranchCount);
  tell("RemoveBranchTarget of none", choice->RemoveBranchTarget(one.get()));
}

void edit_clauses(IMethodInfo* method, IInstructionGraph* graph, IInstructionFactory* factory) {
  const auto section = get("GetExceptionSection", method, &IMethodInfo::GetExceptionSection);
  if (!section) return;
  tell_faces("section", section.get());
  get("GetMethodInfo", section.get(), &IExceptionSection::GetMethodInfo);
  ComPtr<IEnumExceptionClauses> all;
  tell("GetExceptionClauses", section->GetExceptionClauses(all.receive()));
  tell_all("clauses", all.get(), [&](IExceptionClause* clause) {
    tell_faces("clause", clause);
    ask("GetFlags", clause, &IExceptionClause::GetFlags);
    get("GetTryFirstInstruction", clause, &IExceptionClause::GetTryFirstInstruction);
    const auto last = get("GetTryLastInstruction", clause, &IExceptionClause::GetTryLastInstruction);
    const auto handler = get("GetHandlerFirstInstruction", clause, &IExceptionClause::GetHandlerFirstInstruction);
    get("GetHandlerLastInstruction", clause, &IExceptionClause::GetHandlerLastInstruction);
    get("GetFilterFirstInstruction", clause, &IExceptionClause::GetFilterFirstInstruction);
    ask("GetExceptionHandlerType", clause, &IExceptionClause::GetExceptionHandlerType);
    tell("GetFlags of null", clause->GetFlags(nullptr));
    // Before a handler, retargeting the handler's begin or not.
    tell("InsertBeforeAndRetargetOffsets",
         graph->InsertBeforeAndRetargetOffsets(handler.get(), plain(factory, Opcode::Nop).get()));
    tell("InsertBefore a try's last", graph->InsertBefore(last.get(), plain(factory, Opcode::Nop).get()));
  });
  list_clauses(method);
}

void edit_filter(IMethodInfo* method, IInstructionGraph* graph, IInstructionFactory* factory) {
  edit_clauses(method, graph, factory);
  ComPtr<IExceptionSection> section;
  method->GetExceptionSection(section.receive());
  tell("RemoveExceptionClause of null", section->RemoveExceptionClause(nullptr));
  tell("AddExceptionClause of null", section->AddExceptionClause(nullptr));
}

void single_return(IMethodInfo* method, IInstructionGraph* graph, IInstructionFactory*) {
  const auto single =
      get("GetSingleRetDefaultInstrumentation", method, &IMethodInfo::GetSingleRetDefaultInstrumentation);
  if (!single) return;
  tell_faces("single return", single.get());
  tell("Initialize", single->Initialize(graph));
  tell("ApplySingleRetDefaultInstrumentation", single->ApplySingleRetDefaultInstrumentation());
  if (const auto two = query<ISingleRetDefaultInstrumentation2>(single.get()))
    get("GetBranchTargetInstruction", two.get(), &ISingleRetDefaultInstrumentation2::GetBranchTargetInstruction);
}

// Adds a local variable that keeps the method's result.
void add_local(IMethodInfo* method, IInstructionGraph* graph, IInstructionFactory* factory) {
  ComPtr<ILocalVariableCollection> locals;
  ComPtr<IModuleInfo> module;
  ComPtr<ITypeCreator> types;
  ComPtr<IType> type;
  tell("GetLocalVariables", method->GetLocalVariables(locals.receive()));
  method->GetModuleInfo(module.receive());
  module->CreateTypeFactory(types.receive());
  tell("FromCorElement", types->FromCorElement(0x0a, type.receive()));
  uint32_t index = 0;
  tell("AddLocal", locals->AddLocal(type.get(), &index), index);
  tell("AddLocal of null", locals->AddLocal(nullptr, &index));
  tell_locals("with one more", locals.get());
  const auto last = last_of(graph);
  ComPtr<IInstruction> store, load;
  tell("CreateStoreLocalInstruction",
       factory->CreateStoreLocalInstruction(static_cast<uint16_t>(index), store.receive()));
  tell("CreateLoadLocalInstruction", factory->CreateLoadLocalInstruction(static_cast<uint16_t>(index), load.receive()));
  tell("store", graph->InsertBefore(last.get(), store.get()));
  tell("load", graph->InsertBefore(last.get(), load.get()));
  ComPtr<ILocalVariableCollection> before;
  if (const auto two = query<IMethodInfo2>(method)) {
    tell("GetOriginalLocalVariables", two->GetOriginalLocalVariables(before.receive()));
    if (before) {
      tell_locals("as they were", before.get());
      tell("AddLocal to what was", before->AddLocal(type.get(), &index));
    }
  }
  tell("ReplaceSignature", locals->ReplaceSignature(reinterpret_cast<const uint8_t*>("\x07\x00"), 2));
}

void make_all(IMethodInfo*, IInstructionGraph* graph, IInstructionFactory* factory) {
  tell_faces("factory", factory);
  const auto show = [](const char* slot, HResult result, const ComPtr<IInstruction>& made) {
    tell(slot, result, made);
    if (!made) return;
    ask("  GetOpCode", made.get(), &IInstruction::GetOpCode);
    ask("  GetInstructionLength", made.get(), &IInstruction::GetInstructionLength);
    ask("  GetInstructionGeneration", made.get(), &IInstruction::GetInstructionGeneration);
    if (const auto operand = query<IOperandInstruction>(made.get())) {
      uint32_t size = 0;
      made->GetOperandLength(&size);
      uint8_t bytes[16] = {};
      const HResult got = operand->GetOperandValue(size, bytes);
      tell("  GetOperandValue", got, shown_bytes(bytes, size));
    }
  };
#define MAKE(slot, ...)                                                \
  {                                                                    \
    ComPtr<IInstruction> made;                                         \
    const HResult result = factory->slot(__VA_ARGS__, made.receive()); \
    show(#slot "(" #__VA_ARGS__ ")", result, made);                    \
  }
  MAKE(CreateInstruction, Opcode::Nop)
  MAKE(CreateByteOperandInstruction, Opcode::Ldarg_S, 3)
  MAKE(CreateUShortOperandInstruction, Opcode::Ldloc, 300)
  MAKE(CreateIntOperandInstruction, Opcode::Ldc_I4, -5)
  MAKE(CreateLongOperandInstruction, Opcode::Ldc_I8, -5)
  MAKE(CreateFloatOperandInstruction, Opcode::Ldc_R4, 1.5f)
  MAKE(CreateDoubleOperandInstruction, Opcode::Ldc_R8, 2.5)
  MAKE(CreateTokenOperandInstruction, Opcode::Ldtoken, 0x02000002)
  for (int value : {-129, -128, -2, -1, 0, 1, 8, 9, 127, 128, 100000}) MAKE(CreateLoadConstInstruction, value)
  for (uint16_t index : {0, 3, 4, 255, 256}) {
    MAKE(CreateLoadLocalInstruction, index)
    MAKE(CreateLoadLocalAddressInstruction, index)
    MAKE(CreateStoreLocalInstruction, index)
  }
  for (uint16_t index : {0, 3, 4, 255}) {
    MAKE(CreateLoadArgInstruction, index)
    MAKE(CreateLoadArgAddressInstruction, index)
  }
  const auto last = last_of(graph);
  IInstruction* targets[] = {last.get(), last.get()};
  MAKE(CreateBranchInstruction, Opcode::Br, last.get())
  MAKE(CreateSwitchInstruction, Opcode::Switch, 2, targets)
#undef MAKE
  tell("CreateInstruction of null", factory->CreateInstruction(Opcode::Nop, nullptr));
  // ldarg.0, brtrue.s to the ret, nop, ret
  const uint8_t code[] = {0x02, 0x2d, 0x01, 0x00, 0x2a};
  ComPtr<IInstructionGraph> decoded;
  tell("DecodeInstructionByteStream", factory->DecodeInstructionByteStream(sizeof code, code, decoded.receive()));
  if (decoded) {
    list("decoded", decoded.get());
    get("GetMethodInfo", decoded.get(), &IInstructionGraph::GetMethodInfo);
    const auto first = first_of(decoded.get());
    get("GetOriginalNextInstruction", first.get(), &IInstruction::GetOriginalNextInstruction);
    ask("GetInstructionGeneration", first.get(), &IInstruction::GetInstructionGeneration);
    tell("InsertBefore what is in another graph", graph->InsertBefore(last.get(), first.get()));
    tell("Remove", decoded->Remove(first.get()));
    tell("RemoveAll", decoded->RemoveAll());
    get("GetFirstInstruction", decoded.get(), &IInstructionGraph::GetFirstInstruction);
  }
  const uint8_t bad[] = {0x2b};
  ComPtr<IInstructionGraph> none;
  tell("DecodeInstructionByteStream of half an instruction",
       factory->DecodeInstructionByteStream(sizeof bad, bad, none.receive()));
}

// Removes everything and inserts a constant.
void empty(IMethodInfo*, IInstructionGraph* graph, IInstructionFactory* factory) {
  const auto first = first_of(graph);
  tell("RemoveAll", graph->RemoveAll());
  get("GetFirstInstruction", graph, &IInstructionGraph::GetFirstInstruction);
  get("GetOriginalFirstInstruction", graph, &IInstructionGraph::GetOriginalFirstInstruction);
  ask("GetIsRemoved", first.get(), &IInstruction::GetIsRemoved);
  ComPtr<IInstruction> value;
  factory->CreateLoadConstInstruction(4711, value.receive());
  tell("InsertAfter nothing", graph->InsertAfter(nullptr, value.get()));
  tell("InsertAfter", graph->InsertAfter(value.get(), plain(factory, Opcode::Ret).get()));
}

void replaced(IMethodInfo* method, IInstructionGraph* graph, IInstructionFactory*) {
  tell_graph(graph);
  list_clauses(method);
}

const Case kCases[] = {
    {"Subjects.Straight", edit_straight},
    {"Subjects.Loop", edit_loop},
    {"Subjects.Switched", edit_switch},
    {"Subjects.Guarded", edit_clauses},
    {"Subjects.Filtered", edit_filter},
    {"Subjects.ManyReturns", single_return},
    {"Subjects.ReturnsNothing", single_return},
    {"Subjects.Locals", add_local},
    {"Subjects.Operands", make_all},
    {"Subjects.Emptied", empty},
    {"Subjects.Replaced", replaced},
};

}  // namespace

void change(const std::string& name, IMethodInfo* method) {
  const auto graph = get("GetInstructions", method, &IMethodInfo::GetInstructions);
  const auto factory = get("GetInstructionFactory", method, &IMethodInfo::GetInstructionFactory);
  if (!graph || !factory) return;
  list("as it was", graph.get());
  list_clauses(method);
  tell_graph(graph.get());
  tell_instructions(graph.get());
  for (const Case& one : kCases) {
    if (name != one.method) continue;
    one.change(method, graph.get(), factory.get());
    list("changed", graph.get());
    list_clauses(method);
  }
}

void make_baseline(const std::string& name, IMethodInfo* method) {
  if (name != "Subjects.Replaced") return;
  const auto graph = get("GetInstructions", method, &IMethodInfo::GetInstructions);
  if (!graph) return;
  // ldarg.0, ldc.i4 77, add, ret
  const uint8_t code[] = {0x02, 0x20, 77, 0, 0, 0, 0x58, 0x2a};
  const IlMapEntry map[] = {{0, 0, 1}, {2, 6, 1}};
  uint32_t points[] = {0, 6};
  tell("CreateBaseline of nothing", graph->CreateBaseline(code, code, 0, nullptr, 0, nullptr));
  tell("CreateBaseline", graph->CreateBaseline(code, code + sizeof code, 2, map, 2, points));
  tell("CreateBaseline again", graph->CreateBaseline(code, code + sizeof code, 2, map, 2, points));
}

}  // namespace conformance
