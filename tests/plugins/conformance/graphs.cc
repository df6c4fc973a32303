#include "graphs.h"

#include <cstdio>
#include <vector>

namespace conformance {
namespace {

std::string hex(uint32_t number) {
  char text[16];
  std::snprintf(text, sizeof text, "%04x", number);
  return text;
}

std::string opcode_name(IInstruction* at) {
  Bstr name = nullptr;
  at->GetOpCodeName(&name);
  return shown(name);
}

uint32_t offset_of(IInstruction* at) {
  uint32_t offset = 0;
  at->GetOffset(&offset);
  return offset;
}

// "0004", or "none"
std::string place(IInstruction* at) { return at == nullptr ? "none" : hex(offset_of(at)); }

std::string operand_of(IInstruction* at) {
  const auto branch = query<IBranchInstruction>(at);
  if (branch) {
    ComPtr<IInstruction> target;
    branch->GetBranchTarget(target.receive());
    return " to " + place(target.get());
  }
  if (const auto choice = query<ISwitchInstruction>(at)) {
    uint32_t count = 0;
    choice->GetBranchCount(&count);
    std::string text = " to";
    for (uint32_t i = 0; i < count; ++i) {
      ComPtr<IInstruction> target;
      choice->GetBranchTarget(i, target.receive());
      text += " " + place(target.get());
    }
    return text;
  }
  if (const auto operand = query<IOperandInstruction>(at)) {
    uint32_t size = 0;
    at->GetOperandLength(&size);
    uint8_t bytes[8] = {};
    if (size <= 8 && succeeded(operand->GetOperandValue(size, bytes))) return " " + shown_bytes(bytes, size);
  }
  return "";
}

std::vector<ComPtr<IInstruction>> instructions_of(IInstructionGraph* graph) {
  std::vector<ComPtr<IInstruction>> all;
  ComPtr<IInstruction> at;
  graph->GetFirstInstruction(at.receive());
  while (at && all.size() < 10'000) {
    all.push_back(at);
    ComPtr<IInstruction> next;
    at->GetNextInstruction(next.receive());
    at = std::move(next);
  }
  return all;
}

}  // namespace

void list(const char* title, IInstructionGraph* graph) {
  const Part part(title);
  for (const auto& at : instructions_of(graph)) {
    uint32_t original = 0;
    Bool made = 0, removed = 0;
    at->GetOriginalOffset(&original);
    at->GetIsNew(&made);
    at->GetIsRemoved(&removed);
    write_line(hex(offset_of(at.get())) + " " + opcode_name(at.get()) + operand_of(at.get()) +
               (made ? " new" : " was " + hex(original)) + (removed ? " removed" : ""));
  }
}

void list_clauses(IMethodInfo* method) {
  ComPtr<IExceptionSection> section;
  if (failed(method->GetExceptionSection(section.receive()))) return;
  ComPtr<IEnumExceptionClauses> all;
  if (failed(section->GetExceptionClauses(all.receive()))) return;
  for (;;) {
    IExceptionClause* next = nullptr;
    uint32_t fetched = 0;
    if (failed(all->Next(1, &next, &fetched)) || fetched == 0) return;
    const ComPtr<IExceptionClause> clause(next);
    ComPtr<IInstruction> try_first, try_last, first, last, filter;
    uint32_t flags = 0;
    Token type = 0;
    clause->GetFlags(&flags);
    clause->GetTryFirstInstruction(try_first.receive());
    clause->GetTryLastInstruction(try_last.receive());
    clause->GetHandlerFirstInstruction(first.receive());
    clause->GetHandlerLastInstruction(last.receive());
    clause->GetFilterFirstInstruction(filter.receive());
    clause->GetExceptionHandlerType(&type);
    write_line("clause " + shown(flags) + " try " + place(try_first.get()) + " to " + place(try_last.get()) +
               " handler " + place(first.get()) + " to " + place(last.get()) + " filter " + place(filter.get()) +
               " type " + shown(type));
  }
}

void tell_instructions(IInstructionGraph* graph) {
  for (const auto& held : instructions_of(graph)) {
    IInstruction* at = held.get();
    const Part part("instruction " + opcode_name(at));
    tell_faces("it", at);
    ask("GetOffset", at, &IInstruction::GetOffset);
    ask("GetOriginalOffset", at, &IInstruction::GetOriginalOffset);
    ask("GetOpCode", at, &IInstruction::GetOpCode);
    ask("GetAlternateOrdinalOpcode", at, &IInstruction::GetAlternateOrdinalOpcode);
    ask("GetInstructionLength", at, &IInstruction::GetInstructionLength);
    ask("GetOpcodeFlags", at, &IInstruction::GetOpcodeFlags);
    ask("GetOpcodeLength", at, &IInstruction::GetOpcodeLength);
    ask("GetOperandType", at, &IInstruction::GetOperandType);
    ask("GetOperandLength", at, &IInstruction::GetOperandLength);
    ask("GetIsNew", at, &IInstruction::GetIsNew);
    ask("GetIsRemoved", at, &IInstruction::GetIsRemoved);
    ask("GetIsBranch", at, &IInstruction::GetIsBranch);
    ask("GetIsSwitch", at, &IInstruction::GetIsSwitch);
    ask("GetIsCallInstruction", at, &IInstruction::GetIsCallInstruction);
    ask("GetTerminationType", at, &IInstruction::GetTerminationType);
    ask("GetIsFallThrough", at, &IInstruction::GetIsFallThrough);
    write_line("GetNextInstruction " + place(get("next", at, &IInstruction::GetNextInstruction).get()));
    write_line("GetPreviousInstruction " + place(get("previous", at, &IInstruction::GetPreviousInstruction).get()));
    get("GetOriginalNextInstruction", at, &IInstruction::GetOriginalNextInstruction);
    get("GetOriginalPreviousInstruction", at, &IInstruction::GetOriginalPreviousInstruction);
    ask("GetInstructionGeneration", at, &IInstruction::GetInstructionGeneration);
    tell("GetOffset of null", at->GetOffset(nullptr));
    tell("GetOpCodeName of null", at->GetOpCodeName(nullptr));
    if (const auto operand = query<IOperandInstruction>(at)) {
      ask("IOperandInstruction.GetOperandType", operand.get(), &IOperandInstruction::GetOperandType);
      uint32_t size = 0;
      at->GetOperandLength(&size);
      uint8_t bytes[16] = {};
      tell("GetOperandValue", operand->GetOperandValue(size, bytes), Bytes{bytes, size, 16});
      tell("GetOperandValue with room", operand->GetOperandValue(16, bytes), Bytes{bytes, size, 16});
      tell("GetOperandValue without room", operand->GetOperandValue(size - 1, bytes));
      tell("GetOperandValue of null", operand->GetOperandValue(size, nullptr));
      tell("SetOperandValue as it was", operand->SetOperandValue(size, bytes));
      tell("SetOperandValue too long", operand->SetOperandValue(size + 1, bytes));
    }
    if (const auto branch = query<IBranchInstruction>(at)) {
      ask("IsShortBranch", branch.get(), &IBranchInstruction::IsShortBranch);
      tell("ExpandBranch", branch->ExpandBranch());
      const auto target = get("GetBranchTarget", branch.get(), &IBranchInstruction::GetBranchTarget);
      ask("GetTargetOffset", branch.get(), &IBranchInstruction::GetTargetOffset);
      tell("SetBranchTarget as it was", branch->SetBranchTarget(target.get()));
      tell("SetBranchTarget of null", branch->SetBranchTarget(nullptr));
    }
    if (const auto choice = query<ISwitchInstruction>(at)) {
      ask("GetBranchCount", choice.get(), &ISwitchInstruction::GetBranchCount);
      ComPtr<IInstruction> target;
      tell("GetBranchTarget", choice->GetBranchTarget(0, target.receive()), target);
      uint32_t offset = 0;
      tell("GetBranchOffset", choice->GetBranchOffset(0, &offset), offset);
      tell("SetBranchTarget as it was", choice->SetBranchTarget(0, target.get()));
      ComPtr<IInstruction> none;
      tell("GetBranchTarget of none", choice->GetBranchTarget(100, none.receive()), none);
    }
  }
}

void tell_graph(IInstructionGraph* graph) {
  const Part part("graph");
  tell_faces("it", graph);
  write_line("first " + place(get("GetFirstInstruction", graph, &IInstructionGraph::GetFirstInstruction).get()));
  write_line("last " + place(get("GetLastInstruction", graph, &IInstructionGraph::GetLastInstruction).get()));
  write_line("first before " +
             place(get("GetOriginalFirstInstruction", graph, &IInstructionGraph::GetOriginalFirstInstruction).get()));
  write_line("last before " +
             place(get("GetOriginalLastInstruction", graph, &IInstructionGraph::GetOriginalLastInstruction).get()));
  get("GetUninstrumentedFirstInstruction", graph, &IInstructionGraph::GetUninstrumentedFirstInstruction);
  get("GetUninstrumentedLastInstruction", graph, &IInstructionGraph::GetUninstrumentedLastInstruction);
  get("GetMethodInfo", graph, &IInstructionGraph::GetMethodInfo);
  ask("HasBaselineBeenSet", graph, &IInstructionGraph::HasBaselineBeenSet);
  using At = HResult (IInstructionGraph::*)(uint32_t, IInstruction**);
  const std::pair<const char*, At> kLookUps[] = {
      {"GetInstructionAtOffset", &IInstructionGraph::GetInstructionAtOffset},
      {"GetInstructionAtOriginalOffset", &IInstructionGraph::GetInstructionAtOriginalOffset},
      {"GetInstructionAtUninstrumentedOffset", &IInstructionGraph::GetInstructionAtUninstrumentedOffset}};
  for (const auto& [name, look_up] : kLookUps) {
    for (uint32_t offset = 0; offset < 12; ++offset) {
      ComPtr<IInstruction> found;
      const HResult result = (graph->*look_up)(offset, found.receive());
      tell((std::string(name) + " " + std::to_string(offset)).c_str(), result, place(found.get()));
    }
  }
  tell("GetFirstInstruction of null", graph->GetFirstInstruction(nullptr));
  tell("InsertBefore of null", graph->InsertBefore(nullptr, nullptr));
  tell("Remove of null", graph->Remove(nullptr));
}

void tell_locals(const char* title, ILocalVariableCollection* locals) {
  const Part part(title);
  tell_faces("it", locals);
  tell("Initialize", locals->Initialize());
  tell("Initialize again", locals->Initialize());
  ask("GetCount", locals, &ILocalVariableCollection::GetCount);
  ComPtr<ISignatureBuilder> signature;
  tell("GetCorSignature", locals->GetCorSignature(signature.receive()));
  if (signature) {
    uint32_t size = 0;
    const uint8_t* bytes = nullptr;
    signature->GetSize(&size);
    tell("GetCorSignaturePtr", signature->GetCorSignaturePtr(&bytes));
    write_line("signature " + shown_bytes(bytes, bytes == nullptr ? 0 : size));
  }
  if (const auto more = query<ILocalVariableCollection2>(locals)) {
    ComPtr<IEnumMethodLocals> all;
    tell("GetEnum", more->GetEnum(all.receive()));
    tell_all("locals", all.get(), [](IMethodLocal* local) {
      ComPtr<IType> type;
      tell("IMethodLocal.GetType", local->GetType(type.receive()));
      if (type) ask("GetCorElementType", type.get(), &IType::GetCorElementType);
    });
  }
}

}  // namespace conformance
