#include "plugins/code/single_return.h"

#include <vector>

#include "oriel/plugins/program.h"
#include "plugins/code/factory.h"

namespace oriel::plugins {
namespace {

constexpr ElementType kVoid = 0x01, kByRef = 0x10;

bool is(const Instruction* at, Opcode opcode) { return at != nullptr && at->opcode() == opcode; }

// The return after a tail call must stay in place, even if the callee's result is popped.
bool is_of_tail_call(const Instruction* ret) {
  const Instruction* call = ret->links.previous;
  if (is(call, Opcode::Pop)) call = call->links.previous;
  return call != nullptr && is_call(call->opcode()) && is(call->links.previous, Opcode::Tailcall);
}

std::vector<Instruction*> returns_of(Instruction* first) {
  std::vector<Instruction*> found;
  for (Instruction* at = first; at != nullptr; at = at->links.next)
    if (is(at, Opcode::Ret) && !is_of_tail_call(at)) found.push_back(at);
  return found;
}

// Adds a local variable for the return value. -1 if the method returns nothing, or a type that no local can have.
HResult make_local(IInstructionGraph& graph, int32_t& index) {
  ComPtr<IMethodInfo> method;
  ComPtr<IType> type;
  index = -1;
  HResult result = graph.GetMethodInfo(method.receive());
  if (succeeded(result)) result = method->GetReturnType(type.receive());
  ElementType element = 0;
  if (succeeded(result)) result = type->GetCorElementType(&element);
  if (failed(result) || element == kVoid || element == kByRef) return result;
  ComPtr<ILocalVariableCollection> locals;
  uint32_t made = 0;
  result = method->GetLocalVariables(locals.receive());
  if (succeeded(result)) result = locals->AddLocal(type.get(), &made);
  if (succeeded(result)) index = static_cast<int32_t>(made);
  return result;
}

}  // namespace

HResult SingleReturn::Initialize(IInstructionGraph* graph) {
  graph_ = share(graph);
  return kOk;
}

HResult SingleReturn::ApplySingleRetDefaultInstrumentation() {
  if (!graph_) return kUnexpected;
  ComPtr<IInstruction> first, last;
  graph_->GetFirstInstruction(first.receive());
  graph_->GetLastInstruction(last.receive());
  const std::vector<Instruction*> returns = returns_of(Instruction::of(first.get()));
  if (returns.size() < 2) return kOk;
  int32_t local = -1;
  if (const HResult result = make_local(*graph_.get(), local); failed(result)) return result;

  const ComPtr<Instruction> only = Instruction::plain(Opcode::Ret);
  graph_->InsertAfter(last.get(), only.get());
  target_ = only;
  if (local >= 0) {
    target_ = Instruction::with_operand(Opcode::Ldloc, static_cast<uint32_t>(local));
    graph_->InsertBeforeAndRetargetOffsets(only.get(), target_.get());
  }
  for (Instruction* ret : returns) {
    const ComPtr<Instruction> jump = Instruction::branch(Opcode::Br, target_.get());
    if (const HResult result = graph_->Replace(ret, jump.get()); failed(result)) return result;
    if (local < 0) continue;
    const ComPtr<Instruction> store = Instruction::with_operand(Opcode::Stloc, static_cast<uint32_t>(local));
    graph_->InsertBeforeAndRetargetOffsets(jump.get(), store.get());
  }
  return kOk;
}

HResult SingleReturn::GetBranchTargetInstruction(IInstruction** instruction) {
  if (instruction == nullptr) return kFail;
  return give(target_, instruction);
}

}  // namespace oriel::plugins
