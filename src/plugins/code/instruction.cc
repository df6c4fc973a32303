#include "plugins/code/instruction.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/atomic_ref.h"
#include "plugins/code/code.h"
#include "plugins/code/graph.h"
#include "plugins/text.h"

namespace oriel::plugins {
namespace {

// Only this implementation's instructions answer for this id. Plug-ins' own implementations cannot be in a graph.
constexpr Guid kOurs = {0x6e3b3c0a, 0x7e0a, 0x4f7e, {0x9c, 0x55, 0x1d, 0x0c, 0x36, 0x0b, 0x52, 0xa4}};

HResult answer_neighbour(Instruction* neighbour, IInstruction** out) {
  if (out == nullptr) return kPointerError;
  *out = neighbour;
  if (neighbour == nullptr) return kFail;
  neighbour->AddRef();
  return kOk;
}

}  // namespace

Instruction::Instruction(Kind kind, Opcode opcode) : kind_(kind), opcode_(opcode) {}

Instruction::~Instruction() = default;

// A loop instead of recursion, because chains of branches that are in no code can be arbitrarily long.
void Instruction::destroy(Instruction* first) {
  std::vector<Instruction*> gone{first};
  while (!gone.empty()) {
    Instruction* const at = gone.back();
    gone.pop_back();
    for (Instruction* target : std::exchange(at->targets_, {})) {
      if (target == nullptr || target == at) continue;
      target->forget_source(at);
      if (target->code_ != nullptr)
        target->code_->let_go();
      else if (AtomicRef(target->references_).fetch_sub(1, std::memory_order_acq_rel) == 1)
        gone.push_back(target);
    }
    delete at;
  }
}

ComPtr<Instruction> Instruction::plain(Opcode opcode) {
  return ComPtr<Instruction>(new Instruction(Kind::kPlain, opcode));
}

ComPtr<Instruction> Instruction::with_operand(Opcode opcode, uint64_t bits) {
  ComPtr<Instruction> made(new Instruction(Kind::kOperand, opcode));
  const uint32_t bytes = facts_of(opcode).operand_bytes;
  made->operand_ = bytes == 0 ? 0 : bits & (~uint64_t{0} >> (64 - 8 * bytes));
  return made;
}

ComPtr<Instruction> Instruction::branch(Opcode opcode, Instruction* target) {
  ComPtr<Instruction> made(new Instruction(Kind::kBranch, opcode));
  made->targets_.resize(1);
  made->set_target(0, target);
  return made;
}

ComPtr<Instruction> Instruction::choice(const std::vector<Instruction*>& targets) {
  ComPtr<Instruction> made(new Instruction(Kind::kSwitch, Opcode::Switch));
  made->targets_.resize(targets.size());
  for (size_t i = 0; i < targets.size(); ++i) made->set_target(i, targets[i]);
  return made;
}

Instruction* Instruction::of(IUnknown* object) {
  Instruction* found = nullptr;
  if (object == nullptr || failed(object->QueryInterface(kOurs, reinterpret_cast<void**>(&found))) || found == nullptr)
    return nullptr;
  found->Release();  // the caller holds it
  return found;
}

HResult Instruction::QueryInterface(const Guid& id, void** object) {
  auto* identity = static_cast<IInstruction*>(this);
  if (id == kOurs) return answer_face(identity, this, object);
  void* found = face<IInstruction, DataContainer>(this, id);
  if (kind_ == Kind::kOperand && id == IOperandInstruction::kId) found = static_cast<IOperandInstruction*>(this);
  if (kind_ == Kind::kBranch && id == IBranchInstruction::kId) found = static_cast<IBranchInstruction*>(this);
  if (kind_ == Kind::kSwitch && id == ISwitchInstruction::kId) found = static_cast<ISwitchInstruction*>(this);
  return answer_face(identity, found, object);
}

uint32_t Instruction::AddRef() {
  return code_ != nullptr ? code_->hold() : AtomicRef(references_).fetch_add(1, std::memory_order_relaxed) + 1;
}

uint32_t Instruction::Release() {
  if (code_ != nullptr) return code_->let_go();
  const uint32_t left = AtomicRef(references_).fetch_sub(1, std::memory_order_acq_rel) - 1;
  if (left == 0) destroy(this);
  return left;
}

// Properties.

HResult Instruction::GetOffset(uint32_t* out) {
  if (graph != nullptr) graph->number();
  return answer(offset, out);
}
HResult Instruction::GetOriginalOffset(uint32_t* out) { return answer(original_offset, out); }
HResult Instruction::GetOpCodeName(Bstr* name) {
  return name == nullptr ? kPointerError : answer(make_bstr(facts_of(opcode_).name), name);
}
HResult Instruction::GetOpCode(Opcode* opcode) { return answer(opcode_, opcode); }
HResult Instruction::GetAlternateOrdinalOpcode(Opcode* opcode) { return answer(facts_of(opcode_).alternate, opcode); }
HResult Instruction::GetInstructionLength(uint32_t* length) { return answer(size(), length); }
HResult Instruction::GetOpcodeFlags(OpcodeFlags* flags) { return answer(facts_of(opcode_).flags, flags); }
HResult Instruction::GetOpcodeLength(uint32_t* length) { return answer(facts_of(opcode_).opcode_bytes, length); }
HResult Instruction::GetOperandType(OperandType* type) { return answer(facts_of(opcode_).operand, type); }
HResult Instruction::GetOperandLength(uint32_t* length) {
  return answer(size() - facts_of(opcode_).opcode_bytes, length);
}
HResult Instruction::GetIsNew(Bool* value) { return answer_bool(generation == Generation::kNew, value); }
HResult Instruction::GetIsRemoved(Bool* value) { return answer_bool(is_removed, value); }
HResult Instruction::GetIsBranch(Bool* value) { return answer_bool(is_branch(opcode_), value); }
HResult Instruction::GetIsSwitch(Bool* value) { return answer_bool(opcode_ == Opcode::Switch, value); }
HResult Instruction::GetIsCallInstruction(Bool* value) { return answer_bool(is_call(opcode_), value); }
HResult Instruction::GetTerminationType(TerminationType* type) { return answer(facts_of(opcode_).termination, type); }
HResult Instruction::GetIsFallThrough(Bool* value) {
  return answer_bool(facts_of(opcode_).termination == TerminationType::kFallThrough, value);
}
HResult Instruction::GetNextInstruction(IInstruction** next) { return answer_neighbour(links.next, next); }
HResult Instruction::GetPreviousInstruction(IInstruction** previous) {
  return answer_neighbour(links.previous, previous);
}
HResult Instruction::GetOriginalNextInstruction(IInstruction** next) { return answer_neighbour(original.next, next); }
HResult Instruction::GetOriginalPreviousInstruction(IInstruction** previous) {
  return answer_neighbour(original.previous, previous);
}
HResult Instruction::GetInstructionGeneration(Generation* out) { return answer(generation, out); }

uint32_t Instruction::size() const {
  const OpcodeFacts facts = facts_of(opcode_);
  const size_t cases = kind_ == Kind::kSwitch ? 4 * targets_.size() : 0;
  return facts.opcode_bytes + facts.operand_bytes + static_cast<uint32_t>(cases);
}

// Operand.

HResult Instruction::GetOperandValue(uint32_t size, uint8_t* bytes) {
  if (bytes == nullptr) return kPointerError;
  const uint32_t length = facts_of(opcode_).operand_bytes;
  if (length == 0 || size < length) return kFail;
  std::memcpy(bytes, &operand_, length);
  return kOk;
}

HResult Instruction::SetOperandValue(uint32_t size, uint8_t* bytes) {
  if (bytes == nullptr) return kPointerError;
  const uint32_t length = facts_of(opcode_).operand_bytes;
  if (length == 0 || size != length) return kFail;
  operand_ = 0;
  std::memcpy(&operand_, bytes, length);
  return kOk;
}

// Lifetime.

void Instruction::join(Code& code) {
  if (code_ == &code) return;
  if (code_ != nullptr) return code.absorb(*code_);
  // References within one code are not counted.
  for (Instruction* target : targets_)
    if (target != nullptr && target != this && target->code_ == &code) target->Release();
  for (const Instruction* source : sources_)
    if (source != this && source->code_ == &code) --references_;
  code_ = &code;
  code.hold(references_);
  code.own(this);
}

void Instruction::move_to(Code& code) { code_ = &code; }

void Instruction::leave() {
  for (Instruction*& target : targets_) {
    if (target == nullptr) continue;
    if (target->code_ != code_) {
      target->forget_source(this);
      count_target(target, false);
    }
    target = nullptr;
  }
}

}  // namespace oriel::plugins
