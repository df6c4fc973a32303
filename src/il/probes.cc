#include "il/probes.h"

#include "il/operands.h"
#include "il/transform.h"

namespace oriel::il {
namespace {

// Inserts one instruction after the other before the same place. The first decides what comes to the probe; the rest
// follow it.
class Sequence {
 public:
  Sequence(Body& body, Instruction* at, Branches branches, Regions regions)
      : body_(body), at_(at), branches_(branches), regions_(regions) {}

  void add(Instruction* made) {
    body_.insert_before(at_, made, branches_, regions_);
    branches_ = Branches::kStay;
    regions_ = Regions::kOfPrevious;
  }
  void add(Opcode opcode, int64_t operand = 0) { add(body_.make(opcode, operand)); }
  void address(uint64_t value) {
    add(load_int64(body_, static_cast<int64_t>(value)));
    add(Opcode::Conv_I);
  }
  void call(uint32_t signature, uint16_t arguments) {
    add(body_.make_call(Opcode::Calli, signature, {static_cast<uint16_t>(arguments + 1), 0}));
  }
  Body& body() { return body_; }

 private:
  Body& body_;
  Instruction* const at_;
  Branches branches_;
  Regions regions_;
};

// if (t = *cell) t->code(t->profiler, method, null)
void add_call_probe(Sequence sequence, Instruction* behind, uint64_t cell, const CallProbes& probes) {
  Body& body = sequence.body();
  const auto target = [&] { sequence.add(load_local(body, probes.target_local)); };
  sequence.address(cell);
  sequence.add(Opcode::Ldind_I);
  sequence.add(store_local(body, probes.target_local));
  target();
  sequence.add(body.make_branch(Opcode::Brfalse, behind));
  target();
  sequence.add(load_int32(body, kTargetProfiler));
  sequence.add(Opcode::Add);
  sequence.add(Opcode::Ldind_I);
  sequence.address(probes.method);
  sequence.add(load_int32(body, 0));
  sequence.add(Opcode::Conv_I);
  target();
  static_assert(kTargetCode == 0);
  sequence.add(Opcode::Ldind_I);
  sequence.call(probes.call_signature, 3);
}

bool is_tail_call(const Instruction& at) { return at.opcode() == Opcode::Tailcall || at.opcode() == Opcode::Jmp; }

std::vector<Instruction*> tail_calls_of(Body& body) {
  std::vector<Instruction*> found;
  for (Instruction* at = body.first(); !at->is_end(); at = at->next()) {
    if (is_tail_call(*at)) found.push_back(at);
  }
  return found;
}

}  // namespace

Result<InsertedProbes> insert_call_probes(Body& body, const CallProbes& probes) {
  const std::vector<Instruction*> tail_calls = tail_calls_of(body);
  SingleReturn returns;
  if (probes.exception_leave != 0 && tail_calls.empty()) {
    Result<Wrapped> wrapped = wrap_in_try(body, ClauseKind::kFault, 0, probes.return_local);
    if (!wrapped) return wrapped.status();
    returns = wrapped->returns;
    Instruction* const exit = wrapped->handler_exit;
    add_call_probe({body, exit, Branches::kStay, Regions::kOfNext}, exit, probes.exception_leave, probes);
  } else if (probes.leave != 0) {
    Result<SingleReturn> joined = make_single_return(body, probes.return_local, TailCalls::kKeep);
    if (!joined) return joined.status();
    returns = *joined;
  }
  if (probes.leave != 0 && returns.exit != nullptr) {
    add_call_probe({body, returns.exit, Branches::kMove, Regions::kOfNext}, returns.exit, probes.leave, probes);
  }
  if (probes.tail_call != 0) {
    for (Instruction* at : tail_calls) {
      Instruction* const unit = body.unit_begin(at);
      add_call_probe({body, unit, Branches::kMove, Regions::kOfNext}, unit, probes.tail_call, probes);
    }
  }
  if (probes.enter != 0) {
    Instruction* const first = body.first();
    add_call_probe({body, first, Branches::kStay, Regions::kOfPrevious}, first, probes.enter, probes);
  }
  return InsertedProbes{!tail_calls.empty()};
}

void insert_allocation_probe(Body& body, Instruction* allocation, const AllocationProbe& probe) {
  Instruction* const behind = body.unit_end(allocation)->next();
  Sequence sequence(body, behind, Branches::kStay, Regions::kOfPrevious);
  if (probe.parameter != 0) {
    sequence.add(load_local_address(body, probe.parameter_local));
    sequence.add(Opcode::Initobj, probe.parameter);
    sequence.add(load_local(body, probe.parameter_local));
    sequence.add(Opcode::Box, probe.parameter);
    sequence.add(body.make_branch(Opcode::Brfalse, behind));
  }
  sequence.address(probe.cell);
  sequence.add(Opcode::Ldind_I);
  sequence.add(body.make_branch(Opcode::Brfalse, behind));
  sequence.add(Opcode::Dup);
  sequence.address(probe.method);
  sequence.address(probe.function);
  sequence.call(probe.call_signature, 2);
}

}  // namespace oriel::il
