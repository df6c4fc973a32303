// Replaces by copies the instructions that the exception clauses of Subjects' methods refer to and those that are
// branch targets. The methods' behaviour stays. Its number selects how it edits, and what it does with the clauses.
#include <algorithm>
#include <cstdio>
#include <vector>

#include "oriel/plugins/graph.h"
#include "small.h"

namespace small {
namespace {

constexpr Number kWayMask = 0x0f, kClausesMask = 0x30, kTargets = 0x40;
// How: by Replace, or by inserting before or behind and then Remove.
constexpr Number kReplaces = 1, kPutsBefore = 2, kPutsBehind = 3;
// The clauses stay in the section; or are removed and added again; or are created anew for the instructions that began
// and ended them before.
constexpr Number kTakesOut = 0x10, kMakesAnew = 0x20;

struct Kept {
  ComPtr<IExceptionClause> clause;
  uint32_t flags = 0;
  Token type = 0;
  ComPtr<IInstruction> at[5];
};

ComPtr<IInstruction> copy_of(IInstructionFactory& factory, IInstruction* at) {
  Opcode opcode{};
  OperandType type{};
  uint32_t size = 0;
  uint64_t bits = 0;
  ComPtr<IInstruction> made, target;
  at->GetOpCode(&opcode);
  at->GetOperandType(&type);
  at->GetOperandLength(&size);
  if (const auto branch = query<IBranchInstruction>(at)) {
    branch->GetBranchTarget(target.receive());
    factory.CreateBranchInstruction(opcode, target.get(), made.receive());
    return made;
  }
  if (const auto operand = query<IOperandInstruction>(at))
    operand->GetOperandValue(size, reinterpret_cast<uint8_t*>(&bits));
  if (size == 0) factory.CreateInstruction(opcode, made.receive());
  if (size == 1) factory.CreateByteOperandInstruction(opcode, static_cast<uint8_t>(bits), made.receive());
  if (size == 2) factory.CreateUShortOperandInstruction(opcode, static_cast<uint16_t>(bits), made.receive());
  if (size == 4 && type == OperandType::kToken)
    factory.CreateTokenOperandInstruction(opcode, static_cast<Token>(bits), made.receive());
  else if (size == 4)
    factory.CreateIntOperandInstruction(opcode, static_cast<int32_t>(bits), made.receive());
  return made;
}

class Editing final : public Method {
 public:
  using Method::Method;

  HResult ShouldInstrumentMethod(IMethodInfo* method, Bool, Bool* instrument) override {
    *instrument = name_of(method).find("Subjects.") != std::string::npos;
    return kOk;
  }
  HResult InstrumentMethod(IMethodInfo* method, Bool) override {
    ComPtr<IInstructionGraph> graph;
    ComPtr<IInstructionFactory> factory;
    ComPtr<IExceptionSection> section;
    if (failed(method->GetInstructions(graph.receive()))) return kOk;
    method->GetInstructionFactory(factory.receive());
    method->GetExceptionSection(section.receive());
    if ((number_ & kTargets) != 0) pass_by(*graph.get(), *factory.get());
    edit(*graph.get(), *factory.get(), *section.get());
    return kOk;
  }
  HResult OnInstrumentationComplete(IMethodInfo* method, Bool) override {
    std::fprintf(stderr, "changed %s\n", name_of(method).c_str());
    return kOk;
  }

 private:
  static std::vector<Kept> clauses_of(IExceptionSection& section) {
    std::vector<Kept> all;
    ComPtr<IEnumExceptionClauses> list;
    section.GetExceptionClauses(list.receive());
    for_each<IExceptionClause>(list.get(), [&](IExceptionClause* clause) {
      Kept kept;
      clause->AddRef();
      kept.clause = ComPtr<IExceptionClause>(clause);
      clause->GetFlags(&kept.flags);
      clause->GetExceptionHandlerType(&kept.type);
      clause->GetTryFirstInstruction(kept.at[0].receive());
      clause->GetTryLastInstruction(kept.at[1].receive());
      clause->GetHandlerFirstInstruction(kept.at[2].receive());
      clause->GetHandlerLastInstruction(kept.at[3].receive());
      clause->GetFilterFirstInstruction(kept.at[4].receive());
      all.push_back(kept);
    });
    return all;
  }

  void edit(IInstructionGraph& graph, IInstructionFactory& factory, IExceptionSection& section) {
    const std::vector<Kept> all = clauses_of(section);
    const Number with = number_ & kClausesMask;
    if (with != 0) section.RemoveAllExceptionClauses();
    std::vector<IInstruction*> done;  // once each, even if several clauses refer to them
    for (const Kept& kept : all)
      for (const auto& at : kept.at) {
        if (!at || std::find(done.begin(), done.end(), at.get()) != done.end()) continue;
        done.push_back(at.get());
        exchange(graph, factory, at.get());
      }
    for (const Kept& kept : all) {
      ComPtr<IExceptionClause> made;
      if (with == kTakesOut) section.AddExceptionClause(kept.clause.get());
      if (with == kMakesAnew)
        section.AddNewExceptionClause(kept.flags, kept.at[0].get(), kept.at[1].get(), kept.at[2].get(),
                                      kept.at[3].get(), kept.at[4].get(), kept.type, made.receive());
    }
  }

  void exchange(IInstructionGraph& graph, IInstructionFactory& factory, IInstruction* at) {
    const ComPtr<IInstruction> copy = copy_of(factory, at);
    const Number way = number_ & kWayMask;
    if (way == kReplaces) graph.Replace(at, copy.get());
    if (way == kPutsBefore) graph.InsertBeforeAndRetargetOffsets(at, copy.get());
    if (way == kPutsBehind) graph.InsertAfter(at, copy.get());
    if (way == kPutsBefore || way == kPutsBehind) graph.Remove(at);
  }

  // Retargets each branch to an instruction that is then removed.
  static void pass_by(IInstructionGraph& graph, IInstructionFactory& factory) {
    ComPtr<IInstruction> at, next;
    for (graph.GetFirstInstruction(at.receive()); at; at = next) {
      next = {};
      at->GetNextInstruction(next.receive());
      const auto branch = query<IBranchInstruction>(at.get());
      if (!branch) continue;
      ComPtr<IInstruction> target, passing;
      branch->GetBranchTarget(target.receive());
      factory.CreateInstruction(Opcode::Nop, passing.receive());
      graph.InsertBefore(target.get(), passing.get());
      branch->SetBranchTarget(passing.get());
      graph.Remove(passing.get());
    }
  }
};

}  // namespace

IInstrumentationMethod* make_method(Number number) { return new Editing(number); }

}  // namespace small
